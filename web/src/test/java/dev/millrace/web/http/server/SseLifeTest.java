package dev.millrace.web.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.web.http.HttpSettings;
import dev.millrace.web.http.RequestIds;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import dev.millrace.web.http.SseSource;
import java.io.EOFException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of a connection that is a stream, from its request to its end. */
@Timeout(60)
class SseLifeTest {
  private static final String ASK = "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n";

  private static Route stream(SseSource source) {
    return Route.get("/stream", _ -> Response.sse(source));
  }

  private static HttpSettings with(Duration idle, Duration grace) {
    HttpSettings.Times patient = HttpRig.settings().times();
    return HttpRig.settings()
        .withTimes(
            new HttpSettings.Times(patient.header(), patient.body(), patient.write(), idle, grace));
  }

  @Test
  void a_stream_that_waits_keeps_nothing_of_its_request() throws Exception {
    AtomicReference<WeakReference<Object>> seen = new AtomicReference<>();
    CountDownLatch end = new CountDownLatch(1);
    Route route =
        Route.get(
            "/stream",
            request -> {
              seen.set(new WeakReference<>(request.headers()));
              return Response.sse(_ -> end.await());
            });
    try (HttpRig rig = new HttpRig(route);
        Socket socket = rig.socket()) {
      HttpRig.send(socket, ASK);
      HttpRig.awaitText(socket.getInputStream(), ": open\n\n");

      try {
        // A thread may still hold what it is just done with, so no number of collections is enough.
        await()
            .until(() -> {
              System.gc();
              return seen.get().get() == null;
            });
      } finally {
        end.countDown();
      }
    }
  }

  @Test
  void a_stream_is_chunked_and_its_last_chunk_says_that_it_is_complete() throws Exception {
    Route route =
        stream(sink -> {
          sink.event(null, null, "é");
          sink.comment("x".repeat(20));
        });
    try (HttpRig rig = new HttpRig(route);
        Socket socket = rig.socket()) {
      HttpRig.send(socket, ASK);
      InputStream in = socket.getInputStream();
      HttpRig.awaitText(in, "\r\n\r\n");

      List<String> chunks =
          List.of(
              "8\r\n: open\n\n",
              "a\r\ndata: é\n\n",
              "18\r\n: xxxxxxxxxxxxxxxxxxxx\n\n",
              "0\r\n",
              "");
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo(String.join("\r\n", chunks));
    }
  }

  @Test
  void a_stream_that_broke_has_no_last_chunk() throws Exception {
    Route route =
        stream(_ -> {
          throw new IllegalStateException("a bug");
        });
    try (LogCapture log = new LogCapture();
        HttpRig rig = new HttpRig(route)) {
      assertThat(rig.exchange(ASK)).endsWith(": open\n\n\r\n");
      assertThat(log.events().getFirst().getMDCPropertyMap()).containsKey(RequestIds.MDC_KEY);
    }
  }

  @Test
  void a_quiet_stream_outlives_the_idle_time_of_a_connection() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    Route quiet =
        stream(sink -> {
          end.await();
          sink.comment("bye");
        });
    try (HttpRig rig =
            new HttpRig(
                with(Duration.ofSeconds(2), Duration.ofMinutes(2)),
                quiet,
                Route.get("/a", _ -> Response.text(200, "answer")));
        Socket socket = asked(rig, ASK, ": open\n\n");
        Socket idle = asked(rig, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n", "answer")) {
      // It was silent for a shorter time than the stream, and is cut.
      assertThat(idle.getInputStream().read()).isEqualTo(-1);

      end.countDown();

      HttpRig.awaitText(socket.getInputStream(), ": bye\n\n\r\n0\r\n\r\n");
    }
  }

  /** A connection that got this answer; one that is cut before it has asked is not taken. */
  private static Socket asked(HttpRig rig, String question, String answer) throws Exception {
    while (true) {
      Socket socket = rig.socket();
      try {
        HttpRig.send(socket, question);
        HttpRig.awaitText(socket.getInputStream(), answer);
        return socket;
      } catch (EOFException | SocketException _) {
        socket.close();
      }
    }
  }

  @Test
  void a_source_that_does_not_hear_of_the_shutdown_is_interrupted_after_the_grace()
      throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    Route deaf =
        stream(_ -> {
          begun.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
          }
        });
    try (LogCapture log = new LogCapture();
        HttpRig rig = new HttpRig(with(Duration.ofMinutes(1), Duration.ofMillis(50)), deaf);
        Socket socket = rig.socket()) {
      HttpRig.send(socket, ASK);
      assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();

      rig.server.close();

      assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(log.events()).isEmpty();
    }
  }
}
