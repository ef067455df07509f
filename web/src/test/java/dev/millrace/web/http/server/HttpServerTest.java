package dev.millrace.web.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.testkit.Background;
import dev.millrace.web.http.Filter;
import dev.millrace.web.http.HttpSettings;
import dev.millrace.web.http.Problem;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class HttpServerTest {
  @Test
  void a_failure_is_logged_once_and_the_client_learns_only_its_number() throws Exception {
    Route route =
        Route.get(
            "/fail/{id}",
            _ -> {
              throw new IllegalStateException("the password is s3cret");
            });
    try (LogCapture log = new LogCapture();
        HttpRig rig = new HttpRig(route)) {
      HttpResponse<String> response =
          rig.send(rig.request("/fail/private-id").header("X-Request-Id", "r1"));

      assertThat(response.statusCode()).isEqualTo(500);
      assertThat(response.headers().firstValue("content-type"))
          .contains("application/problem+json");
      assertThat(response.body()).contains("\"code\":\"internal\"").doesNotContain("s3cret", "at ");
      assertThat(log.events()).hasSize(1);
      assertThat(log.lines().getFirst()).endsWith("in GET /fail/{id}");
      String incident = log.lines().getFirst().split(" ", -1)[1];
      assertThat(response.body()).contains("Incident " + incident + ".");
      assertThat(log.events().getFirst().getMDCPropertyMap()).containsEntry("request_id", "r1");
    }
  }

  @Test
  void an_error_of_the_virtual_machine_is_answered_too() throws Exception {
    Route route = Route.get("/deep", request -> deep(request, 0));
    try (LogCapture log = new LogCapture();
        HttpRig rig = new HttpRig(route)) {
      assertThat(rig.get("/deep").statusCode()).isEqualTo(500);
      assertThat(log.events()).hasSize(1);
    }
  }

  private static Response deep(Request request, int level) {
    return level < 0 ? Response.empty(204) : deep(request, level + 1).header("A", "" + level);
  }

  @Test
  void a_refusal_carries_its_members_and_headers_and_is_not_logged() throws Exception {
    Problem poor =
        Problem.of(402, "insufficient_credits", "There are not enough credits.")
            .with("required_credits", 5)
            .with("balance", 2);
    Route route =
        Route.get(
            "/poor",
            _ -> {
              throw new ProblemException(poor).header("Retry-After", "7");
            });
    try (LogCapture log = new LogCapture();
        HttpRig rig = new HttpRig(route)) {
      HttpResponse<String> response = rig.get("/poor");

      assertThat(response.statusCode()).isEqualTo(402);
      assertThat(response.headers().firstValue("retry-after")).contains("7");
      assertThat(response.body())
          .isEqualTo(
              "{\"type\":\"urn:millrace:problem:insufficient_credits\","
                  + "\"title\":\"Insufficient credits\",\"status\":402,"
                  + "\"detail\":\"There are not enough credits.\",\"code\":\"insufficient_credits\","
                  + "\"required_credits\":5,\"balance\":2}");
      assertThat(log.events()).isEmpty();
    }
  }

  @Test
  void a_filter_can_refuse_and_can_change_the_answer() throws Exception {
    Filter keyed =
        (request, next) -> {
          if (request.header("authorization").isEmpty()) {
            throw new ProblemException(401, "unauthenticated", "A key is needed.");
          }
          return next.handle(request).header("X-Seen", "yes");
        };
    Route route = Route.get("/a", _ -> Response.text(200, "in")).behind(keyed);
    try (HttpRig rig = new HttpRig(route)) {
      assertThat(rig.get("/a").statusCode()).isEqualTo(401);
      HttpResponse<String> in = rig.send(rig.request("/a").header("Authorization", "Bearer x"));
      assertThat(in.body()).isEqualTo("in");
      assertThat(in.headers().firstValue("x-seen")).contains("yes");
    }
  }

  @Test
  void files_and_large_answers_arrive_whole(@TempDir Path folder) throws Exception {
    byte[] content = new byte[300_000];
    new Random(7).nextBytes(content);
    Path file = Files.write(folder.resolve("a.bin"), content);
    List<Route> routes =
        List.of(
            Route.get("/file", _ -> Response.file(200, "image/png", file)),
            Route.get("/bytes", _ -> Response.bytes(200, "image/png", content)),
            Route.get(
                "/unknown",
                _ ->
                    Response.stream(
                        200, "image/png", -1, () -> new ByteArrayInputStream(content))));
    try (HttpRig rig = new HttpRig(routes.toArray(Route[]::new))) {
      for (String path : List.of("/file", "/bytes", "/unknown")) {
        assertThat(rig.open(rig.request(path)).body().readAllBytes()).isEqualTo(content);
      }
      assertThat(rig.get("/file").headers().firstValueAsLong("content-length")).hasValue(300_000);
      HttpResponse<String> head = rig.send(rig.request("/file").HEAD());
      assertThat(head.headers().firstValueAsLong("content-length")).hasValue(300_000);
    }
  }

  @Test
  void content_that_fails_is_a_500_before_the_first_byte_and_a_broken_connection_after()
      throws Exception {
    Route missing =
        Route.get(
            "/missing",
            _ ->
                Response.stream(
                    200,
                    "image/png",
                    5,
                    () -> {
                      throw new FileNotFoundException("/secret/place");
                    }));
    Route truncated =
        Route.get(
            "/short",
            _ ->
                Response.stream(
                    200, "image/png", 99_999, () -> new ByteArrayInputStream(new byte[80_000])));
    try (LogCapture log = new LogCapture();
        HttpRig rig = new HttpRig(missing, truncated)) {
      HttpResponse<String> response = rig.get("/missing");
      assertThat(response.statusCode()).isEqualTo(500);
      assertThat(response.body()).contains("Incident").doesNotContain("secret");
      assertThatThrownBy(() -> rig.get("/short")).isInstanceOf(IOException.class);
      assertThat(log.events()).hasSize(2);
    }
  }

  @Test
  void closing_lets_a_running_request_finish_and_accepts_no_other() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Route route =
        Route.get(
            "/slow",
            _ -> {
              running.countDown();
              release.await();
              return Response.text(200, "finished");
            });
    try (HttpRig rig = new HttpRig(route)) {
      CompletableFuture<HttpResponse<String>> answer = Background.call(() -> rig.get("/slow"));
      assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();
      CompletableFuture<Void> closed = Background.run(rig.server::close);
      awaitRefusal(rig);
      assertThat(closed).isNotDone();

      release.countDown();

      assertThat(answer.get(20, TimeUnit.SECONDS).body()).isEqualTo("finished");
      assertThat(answer.join().headers().firstValue("connection")).contains("close");
      closed.get(20, TimeUnit.SECONDS);
    }
  }

  private static void awaitRefusal(HttpRig rig) throws IOException {
    while (true) {
      try {
        rig.socket().close();
        Thread.onSpinWait();
      } catch (ConnectException e) {
        return;
      } catch (SocketException e) {
        // The port was closed in the midst of this connect, so only the next is refused.
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void closing_cuts_idle_connections_at_once() throws Exception {
    try (HttpRig rig = new HttpRig(Route.get("/a", _ -> Response.text(200, "answer")));
        Socket idle = rig.socket()) {
      HttpRig.send(idle, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
      HttpRig.awaitText(idle.getInputStream(), "answer");

      rig.server.close();

      assertThat(idle.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void a_request_that_outlives_the_grace_is_interrupted() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    Route route =
        Route.get(
            "/forever",
            _ -> {
              running.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
              }
              return Response.empty(204);
            });
    HttpSettings.Times patient = HttpRig.settings().times();
    HttpSettings hasty =
        HttpRig.settings()
            .withTimes(
                new HttpSettings.Times(
                    patient.header(),
                    patient.body(),
                    patient.write(),
                    patient.idle(),
                    java.time.Duration.ofMillis(50)));
    try (HttpRig rig = new HttpRig(hasty, route)) {
      CompletableFuture<HttpResponse<String>> answer = Background.call(() -> rig.get("/forever"));
      assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();

      rig.server.close();

      assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(answer.handle((_, failure) -> failure).get(20, TimeUnit.SECONDS)).isNotNull();
    }
  }

  @Test
  void a_port_that_is_taken_is_a_clear_failure() {
    try (HttpRig rig = new HttpRig()) {
      HttpSettings taken = HttpSettings.on("127.0.0.1", rig.server.port());

      assertThatThrownBy(() -> new HttpServer(taken, List.of()).start())
          .isInstanceOf(IllegalStateException.class);
    }
  }
}
