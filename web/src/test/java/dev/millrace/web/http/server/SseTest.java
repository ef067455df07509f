package dev.millrace.web.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.testkit.Background;
import dev.millrace.web.http.ClientGoneException;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import dev.millrace.web.http.SseFrame;
import dev.millrace.web.http.SseSource;
import dev.millrace.web.http.Watchdog;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SseTest {
  private static final String OPENING = ": open\n\n";

  private static Route stream(SseSource source) {
    return Route.get("/stream", _ -> Response.sse(source));
  }

  private static BufferedReader reader(HttpResponse<InputStream> response) {
    return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }

  @Test
  void frames_are_written_as_the_format_wants_them() throws Exception {
    Route route =
        stream(sink -> {
          sink.retry(200);
          sink.event("7", "job-event", "{\"a\":\"é\"}");
          sink.event(null, null, "one\ntwo\r\nthree\rfour\n");
          sink.comment("beat\ndata: not an event");
        });
    try (HttpRig rig = new HttpRig(route)) {
      assertThat(rig.get("/stream").body())
          .isEqualTo(
              OPENING
                  + "retry: 200\n\n"
                  + "id: 7\nevent: job-event\ndata: {\"a\":\"é\"}\n\n"
                  + "data: one\ndata: two\ndata: three\ndata: four\ndata: \n\n"
                  + ": beat\n: data: not an event\n\n");
    }
  }

  @Test
  void a_stream_has_the_headers_that_keep_it_flowing() throws Exception {
    try (HttpRig rig = new HttpRig(stream(_ -> {}))) {
      var headers = rig.get("/stream").headers();

      assertThat(headers.firstValue("content-type")).contains("text/event-stream");
      assertThat(headers.allValues("cache-control")).containsExactly("no-cache, no-transform");
      assertThat(headers.firstValue("x-accel-buffering")).contains("no");
      assertThat(headers.firstValue("content-encoding")).isEmpty();
    }
  }

  @Test
  void the_client_sees_the_opening_and_each_event_while_the_source_still_runs() throws Exception {
    CountDownLatch opened = new CountDownLatch(1);
    CountDownLatch seen = new CountDownLatch(1);
    Route route =
        stream(sink -> {
          opened.await();
          sink.event("1", null, "first");
          seen.await();
          sink.event("2", null, "second");
        });
    try (HttpRig rig = new HttpRig(route);
        BufferedReader lines = reader(rig.open(rig.request("/stream")))) {
      assertThat(lines.readLine()).isEqualTo(": open");
      opened.countDown();
      assertThat(lines.readLine()).isEmpty();
      assertThat(lines.readLine()).isEqualTo("id: 1");
      assertThat(lines.readLine()).isEqualTo("data: first");
      seen.countDown();
      assertThat(lines.lines()).containsExactly("", "id: 2", "data: second", "");
    }
  }

  @Test
  void a_client_resumes_with_the_last_id_it_saw() throws Exception {
    Route route =
        Route.get(
            "/stream",
            request -> {
              String last = request.header("Last-Event-ID").orElse("0");
              return Response.sse(sink -> sink.event(last + "1", null, "next"));
            });
    try (HttpRig rig = new HttpRig(route)) {
      HttpResponse<String> response =
          rig.send(rig.request("/stream").header("Last-Event-ID", "41"));

      assertThat(response.body()).isEqualTo(OPENING + "id: 411\ndata: next\n\n");
    }
  }

  @Test
  void an_id_that_would_come_back_mangled_or_break_the_frame_is_a_bug() {
    assertThatThrownBy(() -> SseFrame.event("é", null, "x"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SseFrame.event("1\ndata: y", null, "x"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SseFrame.event("1", "a\nb", "x"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SseFrame.event("", null, "x"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_client_that_leaves_ends_its_source_without_a_word_in_the_log() throws Exception {
    CountDownLatch left = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    AtomicReference<Throwable> seen = new AtomicReference<>();
    Route route =
        stream(sink -> {
          left.await();
          try {
            while (true) {
              sink.comment("beat");
            }
          } catch (RuntimeException e) {
            seen.set(e);
            throw new IllegalStateException("A source may wrap it", e);
          } finally {
            ended.countDown();
          }
        });
    try (LogCapture log = new LogCapture();
        HttpRig rig = new HttpRig(route)) {
      try (Socket socket = rig.socket()) {
        HttpRig.send(socket, "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
        // The source runs only once the opening is out, so the client must not leave before.
        HttpRig.awaitText(socket.getInputStream(), OPENING);
      }
      left.countDown();

      assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(seen.get()).isInstanceOf(ClientGoneException.class);
      rig.server.close();
      assertThat(log.lines()).isEmpty();
    }
  }

  @Test
  void a_source_that_fails_is_logged_and_breaks_its_stream() throws Exception {
    Route route =
        stream(sink -> {
          sink.event("1", null, "x");
          throw new IllegalStateException("a bug");
        });
    try (LogCapture log = new LogCapture();
        HttpRig rig = new HttpRig(route)) {
      assertThatThrownBy(() -> rig.get("/stream")).isInstanceOf(java.io.IOException.class);
      assertThat(log.events()).hasSize(1);
    }
  }

  @Test
  void closing_the_server_wakes_and_ends_an_idle_stream() throws Exception {
    CountDownLatch wake = new CountDownLatch(1);
    CompletableFuture<Boolean> closing = new CompletableFuture<>();
    Route route =
        stream(sink -> {
          sink.onClose(wake::countDown);
          sink.event("1", null, sink.closing() ? "closing" : "idle");
          wake.await();
          closing.complete(sink.closing());
          sink.comment("bye");
        });
    try (HttpRig rig = new HttpRig(route);
        BufferedReader lines = reader(rig.open(rig.request("/stream")))) {
      assertThat(lines.readLine()).isEqualTo(": open");
      assertThat(lines.readLine()).isEmpty();
      assertThat(lines.readLine()).isEqualTo("id: 1");
      assertThat(lines.readLine()).isEqualTo("data: idle");

      rig.server.close();

      assertThat(closing.get(20, TimeUnit.SECONDS)).isTrue();
      assertThat(lines.lines()).containsExactly("", ": bye", "");
    }
  }

  @Test
  void a_stream_that_comes_during_the_shutdown_is_a_200_that_ends_at_once() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    CountDownLatch woken = new CountDownLatch(1);
    AtomicReference<Boolean> ran = new AtomicReference<>(false);
    Route witness =
        stream(sink -> {
          CountDownLatch wake = new CountDownLatch(1);
          sink.onClose(wake::countDown);
          sink.comment("witness");
          wake.await();
          woken.countDown();
        });
    Route late =
        Route.get(
            "/late",
            _ -> {
              arrived.countDown();
              answer.await();
              return Response.sse(_ -> ran.set(true));
            });
    try (HttpRig rig = new HttpRig(witness, late);
        Socket socket = rig.socket();
        BufferedReader lines = reader(rig.open(rig.request("/stream")))) {
      assertThat(lines.readLine()).isEqualTo(": open");
      HttpRig.send(socket, "GET /late HTTP/1.1\r\nHost: x\r\n\r\n");
      assertThat(arrived.await(20, TimeUnit.SECONDS)).isTrue();
      CompletableFuture<Void> closed = Background.run(rig.server::close);
      assertThat(woken.await(20, TimeUnit.SECONDS)).isTrue();

      answer.countDown();

      String whole = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(whole).startsWith("HTTP/1.1 200 OK").contains("text/event-stream", ": open");
      assertThat(ran).hasValue(false);
      closed.get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void a_waker_that_comes_late_runs_at_once() {
    SseStream stream =
        new SseStream(java.io.OutputStream.nullOutputStream(), watchdogThatNeverBites());
    stream.close();
    CountDownLatch ran = new CountDownLatch(1);

    stream.onClose(ran::countDown);

    assertThat(ran.getCount()).isZero();
    assertThat(stream.closing()).isTrue();
  }

  private static Watchdog watchdogThatNeverBites() {
    var clock = Watchdog.clock();
    clock.shutdownNow();
    return Watchdog.of(clock, java.time.Duration.ofSeconds(1));
  }
}
