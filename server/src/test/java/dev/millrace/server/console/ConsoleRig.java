package dev.millrace.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.MillraceServer;
import dev.millrace.server.settings.Settings;
import dev.millrace.testkit.TestDatabase;
import dev.millrace.testkit.net.KeptPort;
import dev.millrace.web.console.frame.Cookies;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server with its console on a database of its own, and its admin key. */
final class ConsoleRig implements AutoCloseable {

  static final String FLEET_SECRET = "the-secret-of-the-fleet-is-32-long";

  private final TestDatabase database = TestDatabase.create();
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Path folder;
  private final int port = KeptPort.next();
  private final String[] more;
  private MillraceServer server;
  private final String key;

  private ConsoleRig(Path folder, String... more) {
    this.folder = folder;
    this.more = more;
    catalogue();
    this.server = MillraceServer.start(settings(), _ -> {});
    this.key = server.keyForOwner(null).orElseThrow();
  }

  static ConsoleRig open(Path folder, String... more) {
    return new ConsoleRig(folder, more);
  }

  private void catalogue() {
    try {
      Files.createDirectories(folder.resolve("catalogue"));
      Files.writeString(
          folder.resolve("catalogue").resolve("upscale.yaml"),
          """
          workflow: upscale
          version: 3
          title: Upscale on a GPU
          executor: worker
          properties:
            picture: {type: file, title: Picture, media_types: [image/png]}
            factor: {type: integer, minimum: 2, maximum: 4, default: 2, title: Factor}
          required: [picture]
          effects:
            - {effect: upscale/double, title: Double, description: Twice the size., credits_cost: 8}
          """);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Settings settings() {
    Map<String, String> environment = new HashMap<>();
    environment.put(
        "MILLRACE_DATABASE_URL",
        database
            .jdbcUrl()
            .replace(
                "jdbc:postgresql://",
                "postgres://" + database.user() + ":" + database.password() + "@"));
    environment.put("MILLRACE_DATABASE_POOL_SIZE", "8");
    environment.put("MILLRACE_HTTP_PORT", Integer.toString(port));
    environment.put("MILLRACE_HTTP_SHUTDOWN_GRACE_SECONDS", "1");
    environment.put("MILLRACE_DATA_DIR", folder.resolve("data").toString());
    environment.put("MILLRACE_PROFILE_DIR", folder.resolve("profile").toString());
    environment.put("MILLRACE_CATALOGUE_DIR", folder.resolve("catalogue").toString());
    environment.put("MILLRACE_FLEET_SECRET", FLEET_SECRET);
    environment.put("MILLRACE_QUOTA_ACTIVE_JOBS", "0");
    environment.put("MILLRACE_RATE_REQUESTS_PER_MINUTE", "0");
    environment.put("MILLRACE_RATE_UNAUTHENTICATED_PER_MINUTE", "0");
    for (String setting : more) {
      String[] parts = setting.split("=", 2);
      environment.put("MILLRACE_" + parts[0], parts[1]);
    }
    return Settings.load(environment, folder);
  }

  /** Stops the server and starts another one on the same data, at the same address. */
  void restart() {
    server.close();
    server = MillraceServer.start(settings(), _ -> {});
  }

  MillraceServer server() {
    return server;
  }

  TestDatabase database() {
    return database;
  }

  String key() {
    return key;
  }

  String url(String path) {
    return server.url() + path;
  }

  /** A key of this role; bound to this user unless that is empty. */
  String newKey(String role, String user) {
    String bound = user.isEmpty() ? "" : ",\"user\":\"%s\"".formatted(user);
    return api(
            "POST", "/api/admin/keys", "{\"name\":\"t\",\"role\":\"%s\"%s}".formatted(role, bound))
        .path("secret")
        .asString();
  }

  /** Asks the API, as the admin. */
  JsonNode api(String method, String path, @Nullable String json) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url(path)))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .header("X-Fleet-Secret", FLEET_SECRET)
            .method(method, json == null ? BodyPublishers.noBody() : BodyPublishers.ofString(json));
    HttpResponse<String> answer = send(request.build());
    assertThat(answer.statusCode()).as(path + " " + answer.body()).isBetween(200, 299);
    return JsonMapper.shared().readTree(answer.body().isEmpty() ? "null" : answer.body());
  }

  /** Asks for a job and gives its id; the input as fields such as {@code "prompt":"x"}. */
  String job(String effect, String user, String input) {
    return api(
            "POST",
            "/api/jobs",
            "{\"effect\":\"%s\",\"user\":\"%s\",\"input\":{%s}}".formatted(effect, user, input))
        .path("id")
        .asString();
  }

  String state(String job) {
    return api("GET", "/api/jobs/" + job, null).path("state").asString();
  }

  HttpResponse<String> send(HttpRequest request) {
    try {
      return http.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A visitor who signed in with a key, without a browser. */
  Guest guest(String withKey) {
    HttpResponse<String> in = post("/console/sign-in", "", Map.of("key", withKey));
    assertThat(in.statusCode()).as(in.body()).isEqualTo(303);
    return new Guest(this, cookie(in));
  }

  static String cookie(HttpResponse<String> answer) {
    return answer.headers().allValues("set-cookie").stream()
        .filter(line -> line.startsWith(Cookies.SESSION))
        .map(line -> line.split(";", -1)[0])
        .collect(Collectors.joining());
  }

  HttpResponse<String> get(String path, String cookie) {
    return send(
        HttpRequest.newBuilder(URI.create(url(path)))
            .header("Cookie", cookie)
            .header("Accept", "text/html")
            .build());
  }

  HttpResponse<String> post(
      String path, String cookie, Map<String, String> form, String... headers) {
    String body =
        form.entrySet().stream()
            .map(field ->
                field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
            .collect(Collectors.joining("&"));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url(path)))
            .header("Cookie", cookie)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request.build());
  }

  /** Somebody with a session. */
  record Guest(ConsoleRig rig, String cookie) {

    HttpResponse<String> get(String path) {
      return rig.get(path, cookie);
    }

    /** Sends a form with the token that the pages carry. */
    HttpResponse<String> post(String path, Map<String, String> form) {
      Map<String, String> all = new HashMap<>(form);
      all.put("csrf", csrf());
      return rig.post(path, cookie, all);
    }

    /** The page with a secret that a form leads to. */
    String shown(HttpResponse<String> led) {
      assertThat(led.statusCode()).as(led.body()).isEqualTo(303);
      String once = led.headers().firstValue("set-cookie").orElseThrow().split(";", -1)[0];
      String page = led.headers().firstValue("location").orElseThrow();
      return Objects.requireNonNull(rig.get(page, cookie + "; " + once).body());
    }

    String csrf() {
      String page = get("/console/studio").body();
      return Objects.requireNonNull(page)
          .replaceAll("(?s).*name=\"csrf\" content=\"([^\"]+)\".*", "$1");
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
    server.close();
    database.close();
  }
}
