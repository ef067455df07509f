package dev.millrace.server.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Somebody with a session in the console. */
public record Guest(Console console, String cookie) {

  public HttpResponse<String> get(String path) {
    return console.get(path, cookie);
  }

  /** Sends a form with the token that the pages carry. */
  public HttpResponse<String> post(String path, Map<String, String> form) {
    Map<String, String> all = new HashMap<>(form);
    all.put("csrf", csrf());
    return console.post(path, cookie, all);
  }

  /** The page with a secret that a form leads to. */
  public String shown(HttpResponse<String> led) {
    assertThat(led.statusCode()).as(led.body()).isEqualTo(303);
    String once = led.headers().firstValue("set-cookie").orElseThrow().split(";", -1)[0];
    String page = led.headers().firstValue("location").orElseThrow();
    return Objects.requireNonNull(console.get(page, cookie + "; " + once).body());
  }

  public String csrf() {
    String page = get("/console/studio").body();
    return Objects.requireNonNull(page)
        .replaceAll("(?s).*name=\"csrf\" content=\"([^\"]+)\".*", "$1");
  }
}
