package dev.millrace.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.api.AllRoutes;
import dev.millrace.server.rig.ConsoleRig;
import dev.millrace.server.rig.FleetRig;
import dev.millrace.server.rig.Guest;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.web.http.Route;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** While the database can't be written to, everybody is told to come again, and nobody of a bug. */
@Timeout(600)
class DatabaseTroublePgTest {

  private static final Duration LONG = Duration.ofMinutes(3);

  /** These wait by themselves for longer than anybody here. */
  private static final List<String> SLOW = List.of("/stream", "/live", "/api/admin/events");

  @TempDir static Path folder;

  @Test
  void no_route_and_no_page_answers_500_for_trouble_of_the_database() throws Exception {
    try (ServerRig rig = ConsoleRig.start(folder.resolve("rig"))) {
      Guest guest = rig.console().guest(rig.key());
      String csrf = guest.csrf();
      readOnly(rig, true);
      await().atMost(LONG).until(() -> status(rig, "/readyz") == 503);
      assertThat(status(rig, "/healthz")).isEqualTo(200);
      long began = System.nanoTime();
      rig.admin().get("/api/jobs").expect(503);
      rig.admin().post("/api/jobs", "{\"effect\":\"sketch/draft\",\"input\":{}}").expect(503);
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));

      Map<String, HttpResponse<String>> answers = all(rig, guest, csrf);
      answers.forEach((route, answer) -> {
        assertThat(answer.statusCode()).as(route + " " + answer.body()).isNotEqualTo(500);
        if (answer.statusCode() == 503) {
          assertThat(answer.headers().firstValue("retry-after")).as(route).isPresent();
        }
      });
      for (String route : List.of("GET /console/jobs", "GET /api/jobs")) {
        assertThat(answers)
            .hasEntrySatisfying(route, a -> assertThat(a.statusCode()).isEqualTo(503));
      }

      readOnly(rig, false);
      await().atMost(LONG).until(() -> status(rig, "/readyz") == 200);
      // Those who write may be let in a moment before those who read.
      await().atMost(LONG).until(() -> guest.get("/console/jobs").statusCode() == 200);
    }
  }

  private static int status(ServerRig rig, String path) {
    return rig.console()
        .send(HttpRequest.newBuilder(URI.create(rig.url(path))).build())
        .statusCode();
  }

  /** For everybody who connects from now on; and nobody is connected. */
  private static void readOnly(ServerRig rig, boolean on) throws SQLException {
    try (Connection connection = rig.database().connect();
        Statement statement = connection.createStatement()) {
      statement.execute("set default_transaction_read_only = off");
      statement.execute(
          "do $$ begin execute format('alter database %%I set default_transaction_read_only = %s',"
                  .formatted(on ? "on" : "off")
              + " current_database()); end $$");
      statement.execute(
          """
          select pg_terminate_backend(pid)
          from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()
          """);
    }
  }

  /** All at once, since each may wait for a connection. */
  private static Map<String, HttpResponse<String>> all(ServerRig rig, Guest guest, String csrf)
      throws Exception {
    Map<String, Future<HttpResponse<String>>> asked = new TreeMap<>();
    List<Route> routes = new ArrayList<>(AllRoutes.of(folder.resolve("routes")));
    routes.removeIf(route -> SLOW.stream().anyMatch(route.template()::endsWith));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Route route : routes) {
        asked.put(
            AllRoutes.words(route),
            threads.submit(() -> rig.console().send(request(rig, guest, csrf, route))));
      }
    }
    Map<String, HttpResponse<String>> answers = new TreeMap<>();
    for (Map.Entry<String, Future<HttpResponse<String>>> each : asked.entrySet()) {
      answers.put(each.getKey(), each.getValue().get());
    }
    return answers;
  }

  private static HttpRequest request(ServerRig rig, Guest guest, String csrf, Route route) {
    String path =
        route
            .template()
            .replaceAll("\\{(id|item)}", UUID.randomUUID().toString())
            .replaceAll("\\{slug\\*}", "sketch/draft")
            .replaceAll("\\{[a-z]+\\*?}", "x");
    boolean page = path.startsWith("/console");
    return HttpRequest.newBuilder(URI.create(rig.url(path)))
        .header("Authorization", "Bearer " + rig.key())
        .header("Cookie", guest.cookie())
        .header("X-CSRF-Token", csrf)
        .header("X-Fleet-Secret", FleetRig.SECRET)
        .header("Content-Type", page ? "application/x-www-form-urlencoded" : "application/json")
        .method(
            route.method(),
            route.method().equals("GET")
                ? BodyPublishers.noBody()
                : BodyPublishers.ofString(page ? "" : "{}"))
        .build();
  }
}
