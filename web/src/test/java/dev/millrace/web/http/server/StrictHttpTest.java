package dev.millrace.web.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.net.Socket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a proxy before us could understand differently than we do is no request. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StrictHttpTest {

  private HttpRig rig;

  @BeforeAll
  void start() {
    rig =
        new HttpRig(
            Route.get("/here", _ -> Response.text(200, "here")),
            Route.post("/echo", request -> Response.json(200, request.json())));
  }

  @AfterAll
  void stop() {
    rig.close();
  }

  private static String chunked(String body) {
    return "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        + "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
        + body;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2\r\n{}XX0\r\n\r\n",
        "2\r\n{}\r0\r\n\r\n",
        "2\r\n{}\n\r0\r\n\r\n",
        "1\r\n{XX1\r\n}\r\n0\r\n\r\n",
        "2\n{}\r\n0\r\n\r\n",
        "-2\r\n{}\r\n0\r\n\r\n",
        "+2\r\n{}\r\n0\r\n\r\n",
        "2;a=b\r\n{}\r\n0\r\n\r\n",
        "0x2\r\n{}\r\n0\r\n\r\n",
        " 2\r\n{}\r\n0\r\n\r\n",
        "\r\n{}\r\n0\r\n\r\n",
        "2\r\n{}\r\n0\r\nXX\r\n",
        "2\r\n{}\r\n0\r\nTrailer: x\r\n\r\n",
        "000000000000000000000000000000000000000000000000000000000000000000000000000002\r\n{}\r\n0\r\n\r\n"
      })
  void a_chunk_that_is_not_framed_as_it_must_be_is_refused(String body) throws Exception {
    assertThat(rig.exchange(chunked(body))).startsWith("HTTP/1.1 400 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2\r\n{}\r\n0\r\n\r\n",
        "1\r\n{\r\n1\r\n}\r\n0\r\n\r\n",
        "002\r\n{}\r\n0\r\n\r\n",
        "9\r\n{\"a\":1\r\n}\r\n0\r\n\r\n"
      })
  void proper_chunks_are_read(String body) throws Exception {
    assertThat(rig.exchange(chunked(body))).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void a_chunk_that_arrives_byte_by_byte_is_read_too() throws Exception {
    try (Socket socket = rig.socket()) {
      socket.setTcpNoDelay(true);
      for (char each : chunked("2\r\n{}\r\n0\r\n\r\n").toCharArray()) {
        HttpRig.send(socket, String.valueOf(each));
      }
      HttpRig.awaitText(socket.getInputStream(), "HTTP/1.1 200 ");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ": x",
        " : x",
        "A : x",
        " A: x",
        "A: x\r\n folded",
        "A: x\r\n\tfolded",
        "Host: x",
        "host: y",
        "Authorization: Bearer a\r\nAuthorization: Bearer a",
        "Authorization: Bearer a\r\nauthorization: Bearer b",
        "Content-Length: 0\r\nContent-Length: 0",
        "Content-Length: 0\r\nContent-Length: 1",
        "Content-Length: 0, 0",
        "Content-Type: a/b\r\nContent-Type: c/d",
        "Content-Length: 2\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked, chunked",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding:",
        "Idempotency-Key: a\r\nIdempotency-Key: b",
        "A\u0000: x",
        "A: x\u0000y",
        "A: x\ry"
      })
  void a_head_that_can_be_understood_in_two_ways_is_refused(String header) throws Exception {
    String answer =
        rig.exchange(
            "GET /here HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + header + "\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 400 ").contains("application/problem+json");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/here#",
        "/here#x",
        "/here?a=b#x",
        "/here##",
        "/here?#",
        "#",
        "/%23/../here#here"
      })
  void a_target_with_a_fragment_is_refused(String target) throws Exception {
    assertThat(get(target, "Host: x")).startsWith("HTTP/1.1 400 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host:",
        "Host: ",
        "Host: x:y",
        "Host: x:",
        "Host: x y",
        "Host: a/b",
        "Host: [::1",
        "Host: x@y",
        "No-Host: x",
        "Host: x:999999"
      })
  void a_host_that_is_none_is_refused(String host) throws Exception {
    assertThat(get("/here", host)).startsWith("HTTP/1.1 400 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host: x",
        "Host: x:1",
        "Host: 127.0.0.1:80",
        "Host: [::1]",
        "Host: [::1]:80",
        "Host: a_b.c"
      })
  void a_proper_host_is_taken(String host) throws Exception {
    assertThat(get("/here", host)).startsWith("HTTP/1.1 200 ");
  }

  private String get(String target, String header) throws Exception {
    return rig.exchange(
        "GET " + target + " HTTP/1.1\r\n" + header + "\r\nConnection: close\r\n\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /here HTTP/1.0\r\n\r\n",
        "HEAD /here HTTP/1.0\r\n\r\n",
        "GET /here HTTP/1.0\r\nHost: x\r\n\r\n",
        "GET /here HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n"
      })
  void an_old_client_that_reads_is_answered_and_let_go(String raw) throws Exception {
    // The answer is read until the server closes the connection.
    assertThat(rig.exchange(raw))
        .startsWith("HTTP/1.1 200 ")
        .containsIgnoringCase("Connection: close")
        .containsIgnoringCase("Content-Length: 4")
        .doesNotContainIgnoringCase("Transfer-Encoding");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /echo HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}",
        "GET /here HTTP/0.9\r\n\r\n",
        "GET /here HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n",
        "GET /here HTTP/1.1\r\n\r\n"
      })
  void nothing_else_is_forgiven_to_old_clients(String raw) throws Exception {
    assertThat(rig.exchange(raw)).matches("(?s)HTTP/1.1 (400|505) .*");
  }
}
