package dev.millrace.web.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.web.http.ClientGoneException;
import dev.millrace.web.http.HttpSettings;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class LimitsTest {
  private static final Route LENGTH =
      Route.post("/length", request -> Response.text(200, "" + request.bytes().length));
  private static final Route UPLOAD =
      Route.put("/upload", request -> Response.text(200, "" + count(request.bodyStream())))
          .accepting(100_000, Duration.ofSeconds(30));
  private static final Route IGNORE = Route.post("/ignore", _ -> Response.text(200, "ignored"));

  private static long count(InputStream in) throws Exception {
    try (in) {
      return in.transferTo(java.io.OutputStream.nullOutputStream());
    }
  }

  private static HttpResponse<String> chunked(HttpRig rig, String path, String method, int bytes)
      throws Exception {
    return rig.send(
        rig.request(path)
            .method(
                method,
                BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[bytes]))));
  }

  @Test
  void a_body_may_be_as_large_as_the_limit_and_no_larger() throws Exception {
    try (HttpRig rig = new HttpRig(LENGTH)) {
      assertThat(rig.post("/length", "a/b", new byte[1000]).body()).isEqualTo("1000");
      assertThat(chunked(rig, "/length", "POST", 1000).body()).isEqualTo("1000");

      HttpResponse<String> declared = rig.post("/length", "a/b", new byte[1001]);
      assertThat(declared.statusCode()).isEqualTo(413);
      assertThat(HttpRig.json(declared).get("code").stringValue()).isEqualTo("payload_too_large");
      assertThat(chunked(rig, "/length", "POST", 1001).statusCode()).isEqualTo(413);
    }
  }

  @Test
  void a_much_too_large_body_still_gets_its_answer() throws Exception {
    try (HttpRig rig = new HttpRig(LENGTH)) {
      assertThat(rig.post("/length", "a/b", new byte[5 << 20]).statusCode()).isEqualTo(413);
      assertThat(chunked(rig, "/length", "POST", 5 << 20).statusCode()).isEqualTo(413);
      assertThat(rig.post("/nope", "a/b", new byte[5 << 20]).statusCode()).isEqualTo(404);
      // This client listens only after it has sent everything, which a reset would not let it do.
      String body = "x".repeat(5 << 20);
      String length = "Content-Length: " + body.length();
      assertThat(rig.exchange(HttpRig.raw("POST /length HTTP/1.1", "Host: x", length, "", body)))
          .startsWith("HTTP/1.1 413 ");
    }
  }

  @Test
  void a_huge_declared_body_or_chunk_is_refused_without_being_read() throws Exception {
    try (HttpRig rig = new HttpRig(LENGTH)) {
      assertThat(
              rig.exchange(
                  "POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000000\r\n\r\n"))
          .startsWith("HTTP/1.1 413 ")
          .contains("payload_too_large");
      assertThat(
              rig.exchange(
                  HttpRig.raw(
                      "POST /length HTTP/1.1",
                      "Host: x",
                      "Transfer-Encoding: chunked",
                      "",
                      "7fffffff",
                      "ab")))
          .startsWith("HTTP/1.1 413 ")
          .contains("payload_too_large");
    }
  }

  @Test
  void a_huge_chunk_is_refused_without_being_read_also_where_files_are_taken() throws Exception {
    Route files =
        Route.put("/files", request -> Response.text(200, "" + count(request.bodyStream())))
            .accepting(1L << 40, Duration.ofSeconds(30));
    try (HttpRig rig = new HttpRig(LENGTH, files)) {
      for (String line : new String[] {"POST /length HTTP/1.1", "PUT /files HTTP/1.1"}) {
        assertThat(
                rig.exchange(
                    HttpRig.raw(
                        line, "Host: x", "Transfer-Encoding: chunked", "", "1000001", "ab")))
            .startsWith("HTTP/1.1 413 ")
            .contains("payload_too_large");
      }
      assertThat(chunked(rig, "/files", "PUT", 5 << 20).body()).isEqualTo("" + (5 << 20));
    }
  }

  @Test
  void an_upload_has_its_own_limit_and_is_read_as_a_stream() throws Exception {
    try (HttpRig rig = new HttpRig(UPLOAD)) {
      assertThat(chunked(rig, "/upload", "PUT", 100_000).body()).isEqualTo("100000");
      assertThat(chunked(rig, "/upload", "PUT", 100_001).statusCode()).isEqualTo(413);
    }
  }

  @Test
  void a_client_that_asks_first_is_refused_before_it_sends() throws Exception {
    try (HttpRig rig = new HttpRig(LENGTH)) {
      String answer =
          rig.exchange(
              HttpRig.raw(
                  "POST /length HTTP/1.1",
                  "Host: x",
                  "Expect: 100-continue",
                  "Content-Length: 1001",
                  "",
                  ""));

      assertThat(answer).startsWith("HTTP/1.1 413 ").doesNotContain("100 Continue");
    }
  }

  @Test
  void a_body_that_nobody_read_is_never_taken_for_the_next_request() throws Exception {
    try (HttpRig rig = new HttpRig(IGNORE)) {
      String smuggled = "POST /ignore HTTP/1.1\r\nHost: x\r\n\r\n";
      String answer =
          rig.exchange(
              HttpRig.raw(
                  "POST /ignore HTTP/1.1",
                  "Host: x",
                  "Content-Length: " + smuggled.length(),
                  "",
                  smuggled));

      assertThat(answer).containsOnlyOnce("HTTP/1.1 200 ").contains("Connection: close");
    }
  }

  @Test
  void a_read_body_leaves_the_connection_open_for_the_next_request() throws Exception {
    try (HttpRig rig = new HttpRig(LENGTH)) {
      String answers =
          rig.exchange(
              HttpRig.raw(
                  "POST /length HTTP/1.1",
                  "Host: x",
                  "Content-Length: 2",
                  "",
                  "abPOST /length HTTP/1.1",
                  "Host: x",
                  "Connection: close",
                  "Content-Length: 3",
                  "",
                  "abc"));

      assertThat(answers.split("HTTP/1.1 200 OK", -1)).hasSize(3);
    }
  }

  @Test
  void headers_beyond_the_limit_are_a_431() throws Exception {
    try (HttpRig rig = new HttpRig(LENGTH)) {
      HttpResponse<String> response = rig.send(rig.request("/x").header("A", "x".repeat(5000)));

      assertThat(response.statusCode()).isEqualTo(431);
      assertThat(HttpRig.json(response).get("code").stringValue()).isEqualTo("headers_too_large");
      assertThat(rig.get("/" + "x".repeat(5000)).statusCode()).isEqualTo(414);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u0000\u0001\u0002\r\n\r\n",
        "GARBAGE\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "POST / HTTP/1.0\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n",
        "GET /<script> HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST /length HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"
      })
  void what_is_not_http_gets_a_problem_that_quotes_nothing(String raw) throws Exception {
    try (HttpRig rig = new HttpRig(LENGTH)) {
      String answer = rig.exchange(raw);

      assertThat(answer)
          .matches("(?s)HTTP/1.1 (400|505) .*")
          .contains("application/problem+json", "X-Request-Id: ", "nosniff")
          .doesNotContain("script>", "helidon", "Exception", "no colon");
      assertThat(rig.post("/length", "a/b", new byte[1]).body()).isEqualTo("1");
    }
  }

  @Test
  void a_connection_that_never_asks_is_cut() throws Exception {
    HttpSettings impatient =
        HttpRig.settings().withTimes(HttpRig.times(60_000, 60_000, 60_000, 50));
    try (HttpRig rig = new HttpRig(impatient, LENGTH);
        Socket silent = rig.socket();
        Socket started = rig.socket()) {
      HttpRig.send(started, "POST /len");

      assertThat(isCut(silent)).isTrue();
      assertThat(isCut(started)).isTrue();
    }
  }

  /** A connection ends with a reset if there was something that the server hadn't read yet. */
  private static boolean isCut(Socket socket) throws Exception {
    try {
      return socket.getInputStream().read() == -1;
    } catch (java.net.SocketException e) {
      return true;
    }
  }

  @Test
  void a_client_that_trickles_its_headers_is_cut() throws Exception {
    HttpSettings impatient =
        HttpRig.settings().withTimes(HttpRig.times(200, 60_000, 60_000, 60_000));
    try (HttpRig rig = new HttpRig(impatient, LENGTH);
        Socket socket = rig.socket()) {
      HttpRig.send(socket, "POST /length HTTP/1.1\r\nHost: x\r\nA");

      assertThat(trickleUntilCut(socket)).isTrue();
    }
  }

  @Test
  void a_client_that_trickles_its_body_is_cut() throws Exception {
    HttpSettings impatient =
        HttpRig.settings().withTimes(HttpRig.times(60_000, 200, 60_000, 60_000));
    CountDownLatch ended = new CountDownLatch(1);
    AtomicReference<Throwable> seen = new AtomicReference<>();
    Route route =
        Route.post(
            "/slow",
            request -> {
              try {
                return Response.text(200, "" + request.bytes().length);
              } catch (RuntimeException e) {
                seen.set(e);
                throw e;
              } finally {
                ended.countDown();
              }
            });
    try (HttpRig rig = new HttpRig(impatient, route);
        Socket socket = rig.socket()) {
      HttpRig.send(socket, "POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n");

      assertThat(trickleUntilCut(socket)).isTrue();
      assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(seen.get()).isInstanceOf(ClientGoneException.class);
    }
  }

  /** Sends a byte whenever the server has been silent for a moment, until it hangs up. */
  private static boolean trickleUntilCut(Socket socket) throws Exception {
    socket.setSoTimeout(20);
    for (int i = 0; i < 500; i++) {
      try {
        return socket.getInputStream().read() == -1;
      } catch (java.net.SocketTimeoutException e) {
        try {
          HttpRig.send(socket, "x");
        } catch (java.io.IOException cut) {
          return true;
        }
      } catch (java.net.SocketException e) {
        return true;
      }
    }
    return false;
  }

  @Test
  void a_client_that_never_reads_does_not_hold_its_thread() throws Exception {
    HttpSettings impatient =
        HttpRig.settings().withTimes(HttpRig.times(60_000, 60_000, 200, 60_000));
    CountDownLatch ended = new CountDownLatch(1);
    Route endless =
        Route.get(
            "/endless",
            _ ->
                Response.sse(sink -> {
                  try {
                    while (true) {
                      sink.event(null, null, "x".repeat(100_000));
                    }
                  } finally {
                    ended.countDown();
                  }
                }));
    try (HttpRig rig = new HttpRig(impatient, endless);
        Socket socket = rig.socket()) {
      HttpRig.send(socket, "GET /endless HTTP/1.1\r\nHost: x\r\n\r\n");

      assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void a_client_that_hangs_up_in_its_body_is_not_an_incident() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    Route route =
        Route.post(
            "/cut",
            request -> {
              try {
                return Response.text(200, new String(request.bytes(), StandardCharsets.UTF_8));
              } finally {
                ended.countDown();
              }
            });
    try (LogCapture log = new LogCapture();
        HttpRig rig = new HttpRig(route)) {
      try (Socket socket = rig.socket()) {
        HttpRig.send(socket, "POST /cut HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc");
      }
      assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
      rig.server.close();
      assertThat(log.lines()).isEmpty();
    }
  }
}
