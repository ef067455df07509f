package dev.millrace.web.dialect;

import dev.millrace.web.api.request.OpenApi;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.nio.charset.StandardCharsets;

/** The description of a dialect that has names of its own, so that it can't be in the API's. */
public final class Description {

  private Description() {}

  public static Route route(String path, String resource) {
    byte[] json = OpenApi.load(resource).toString().getBytes(StandardCharsets.UTF_8);
    return Route.get(path, _ -> Response.bytes(200, "application/json", json));
  }
}
