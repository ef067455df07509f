package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is sent, the answer is a problem with a stable code, and nothing is stored. */
class ProblemsApiPgTest {

  /** Values that are wrong nearly everywhere: wrong types, and what databases choke on. */
  private static final List<String> NASTY =
      List.of(
          "true",
          "[]",
          "{}",
          "[[]]",
          "\"\"",
          "\"   \"",
          "1.5",
          "-1e400",
          "1e19",
          "1e999999999",
          "1e-999999999",
          "9223372036854775808",
          "123456789012345678901234567890",
          "\"\\u0000\"",
          "\"a\\u0000b\"",
          "\"\\ud800\"",
          "\"\\udc00x\"",
          "\"" + "x".repeat(5_000) + "\"");

  @TempDir static Path folder;

  private static ServerRig rig;
  private static Client client;
  private List<String> before = List.of();

  @BeforeAll
  static void start() {
    rig = ServerRig.start(folder, "EXECUTOR_SLOTS=0", "HTTP_MAX_BODY_BYTES=20000");
    client = rig.admin();
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  @BeforeEach
  void count() {
    before = rig.traces();
  }

  @AfterEach
  void nothingWasStoredOrCharged() {
    assertThat(rig.traces()).isEqualTo(before);
  }

  @Test
  void what_is_not_there_is_404() {
    client.get("/api/nothing").problem(404, "not_found");
    client.get("/api/jobs/" + UUID.randomUUID()).problem(404, "not_found");
    client.get("/api/jobs/1").problem(404, "not_found");
    client.get("/api/jobs/1-1-1-1-1").problem(404, "not_found");
    client.get("/api/effects/no/such/effect").problem(404, "not_found");
    client.get("/api/files/" + UUID.randomUUID()).problem(404, "not_found");
    client.delete("/api/admin/keys/" + UUID.randomUUID()).problem(404, "not_found");
    client.post("/api/jobs/" + UUID.randomUUID() + "/cancel", "").problem(404, "not_found");
  }

  @Test
  void a_wrong_method_is_told_the_right_ones() {
    assertThat(client.delete("/api/jobs").problem(405, "method_not_allowed").header("allow"))
        .contains("GET, HEAD, OPTIONS, POST");
    assertThat(
            client
                .get("/api/admin/catalogue/reload")
                .problem(405, "method_not_allowed")
                .header("allow"))
        .contains("OPTIONS, POST");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "{", "nonsense", "{\"effect\":}", "{\"effect\":NaN}",
            "{\"effect\":\"a\",\"effect\":\"b\"}",
        "{} {}", "{'effect':'x'}", "{\"priority\":01}", "{\"priority\":Infinity}", "// {}\n{}",
            "{\"a\":1,}"
      })
  void what_is_not_json_is_malformed(String body) {
    client.post("/api/jobs", body).problem(400, "malformed_json");
    client.post("/api/admin/keys", body).problem(400, "malformed_json");
    client.post("/api/admin/wallets/credit", body).problem(400, "malformed_json");
  }

  @Test
  void json_that_is_too_deep_or_not_utf_8_is_malformed() {
    client
        .post("/api/jobs", "{\"input\":" + "[".repeat(5_000) + "]".repeat(5_000) + "}")
        .problem(400, "malformed_json");
    client.post("/api/jobs", "[".repeat(9_999)).problem(400, "malformed_json");
    byte[] latin1 = "{\"effect\":\"\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1);
    client
        .send(
            "POST",
            "/api/jobs",
            BodyPublishers.ofByteArray(latin1),
            "Content-Type",
            "application/json")
        .problem(400, "malformed_json");
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "[]", "\"text\"", "1", "true"})
  void a_body_that_is_no_object_is_invalid(String body) {
    for (String path : List.of("/api/jobs", "/api/admin/keys", "/api/admin/wallets/credit")) {
      assertThat(client.post(path, body).problem(422, "invalid_request").wrongPaths())
          .containsExactly("");
    }
  }

  @Test
  void a_body_that_is_too_large_is_refused_with_its_length_told_or_not() {
    String body = Client.draft().replace("fox", "fox".repeat(20_000));

    client.post("/api/jobs", body).problem(413, "payload_too_large");
    client
        .send(
            "POST",
            "/api/jobs",
            BodyPublishers.ofInputStream(
                () -> new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8))),
            "Content-Type",
            "application/json")
        .problem(413, "payload_too_large");
  }

  @Test
  void another_media_type_is_not_read() {
    for (String type :
        List.of("text/plain", "application/x-www-form-urlencoded", "application/xml")) {
      client
          .send("POST", "/api/jobs", BodyPublishers.ofString(Client.draft()), "Content-Type", type)
          .problem(415, "unsupported_media_type");
    }
    client
        .send("POST", "/api/jobs", BodyPublishers.ofString(Client.draft()))
        .problem(415, "unsupported_media_type");
  }

  @Test
  void everything_that_is_wrong_is_told_at_once() {
    Answer answer =
        client.post(
            "/api/jobs",
            """
            {"effect":"sketch/draft","user":"a\\u0007b","priority":101,"run_at":"tomorrow",
             "idempotency_key":7,"pirority":1,"in/put":{},
             "input":{"prompt":"","seed":-1,"width":512,"colour":"red"}}
            """);

    assertThat(answer.problem(422, "invalid_request").wrongPaths())
        .containsExactlyInAnyOrder(
            "/user",
            "/priority",
            "/run_at",
            "/idempotency_key",
            "/pirority",
            "/in~1put",
            "/input/prompt",
            "/input/seed",
            "/input/width",
            "/input/colour");
    assertThat(client.post("/api/jobs", "{}").problem(422, "invalid_request").wrongPaths())
        .containsExactly("/effect");
    assertThat(
            client
                .post("/api/jobs", "{\"effect\":\"no/such\"}")
                .problem(422, "invalid_request")
                .wrongPaths())
        .containsExactly("/effect");
  }

  @Test
  void everything_that_is_wrong_for_an_admin_is_told_at_once_too() {
    assertThat(
            client
                .post(
                    "/api/admin/wallets/credit",
                    "{\"user\":\"\",\"amount\":0,\"idempotency_key\":[],\"x\":1}")
                .problem(422, "invalid_request")
                .wrongPaths())
        .containsExactlyInAnyOrder("/user", "/amount", "/idempotency_key", "/x");
    assertThat(
            client
                .post("/api/admin/keys", "{\"role\":\"king\",\"user\":\"a\\u0001\"}")
                .problem(422, "invalid_request")
                .wrongPaths())
        .containsExactlyInAnyOrder("/name", "/role", "/user");
  }

  @Test
  void nasty_values_in_any_field_of_a_submit_are_4xx() {
    for (String field :
        List.of("effect", "input", "user", "idempotency_key", "priority", "run_at", "\\u0000")) {
      for (String value : NASTY) {
        boolean harmless = field.equals("input") && value.equals("{}");
        String effect = field.equals("effect") ? "" : ",\"effect\":\"sketch/draft\"";
        Answer answer = client.post("/api/jobs", "{\"" + field + "\":" + value + effect + "}");
        refused(answer, field + " = " + value);
        assertThat(harmless || answer.text().contains(field) || field.startsWith("\\"))
            .as(answer::text)
            .isTrue();
      }
    }
  }

  @Test
  void nasty_values_in_any_input_are_4xx() {
    for (String field : List.of("prompt", "style", "seed", "delay_seconds", "fail", "nothing")) {
      for (String value : NASTY) {
        if (field.equals("prompt") && value.equals("\"   \"")) {
          continue; // A blank prompt is a prompt.
        }
        String prompt = field.equals("prompt") ? "" : ",\"prompt\":\"fox\"";
        String body =
            """
            {"effect":"sketch/draft","input":{"%s":%s%s}}
            """
                .formatted(field, value, prompt);
        Answer answer = client.post("/api/jobs", body);
        refused(answer, field + " = " + value);
      }
    }
  }

  @Test
  void nasty_values_in_admin_requests_are_4xx() {
    for (String value : NASTY) {
      for (String field : List.of("user", "amount", "idempotency_key", "note")) {
        String body = "{\"user\":\"u\",\"amount\":1,\"idempotency_key\":\"k\",\"note\":\"n\"}";
        refused(
            client.post(
                "/api/admin/wallets/credit",
                body.replaceFirst("\"" + field + "\":[^,}]+", quoted(field, value))),
            field + " = " + value);
      }
      for (String field : List.of("name", "role", "user")) {
        String body = "{\"name\":\"n\",\"role\":\"user\",\"user\":\"u\"}";
        refused(
            client.post(
                "/api/admin/keys",
                body.replaceFirst("\"" + field + "\":[^,}]+", quoted(field, value))),
            field + " = " + value);
      }
    }
    for (String amount : List.of("0", "-1", "1.0", "1000000000001", "null", "\"1\"")) {
      client
          .post(
              "/api/admin/wallets/credit",
              "{\"user\":\"u\",\"idempotency_key\":\"k\",\"amount\":" + amount + "}")
          .problem(422, "invalid_request");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/jobs?limit=0",
        "/api/jobs?limit=501",
        "/api/jobs?limit=x",
        "/api/jobs?state=sleeping",
        "/api/jobs?state=",
        "/api/jobs?cursor=1",
        "/api/jobs?user=",
        "/api/files?cursor=x",
        "/api/wallet?user=%07",
        "/api/wallet/ledger?cursor=x",
        "/api/wallet/ledger?cursor=9223372036854775808",
        "/api/wallet/ledger?limit=-1"
      })
  void a_parameter_that_cannot_be_meant_is_invalid(String path) {
    Answer answer = client.get(path).problem(422, "invalid_request");
    assertThat(answer.wrongPaths()).hasSize(1);
    assertThat(path).contains("?" + answer.wrongPaths().getFirst() + "=");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/jobs?limit=1&limit=2",
        "/api/jobs?effect=%00",
        "/api/jobs?effect=%ff",
        "/api/jobs/%zz"
      })
  void a_target_that_is_not_encoded_properly_is_a_bad_request(String path) throws Exception {
    // A proper client refuses to send some of these, so they go out by hand.
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), client.server().getPort())) {
      socket
          .getOutputStream()
          .write(
              ("GET "
                      + path
                      + " HTTP/1.1\r\n"
                      + "Host: localhost\r\n"
                      + "Connection: close\r\n"
                      + "Authorization: Bearer "
                      + client.key()
                      + "\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 400").contains("\"code\":\"bad_request\"");
    }
  }

  private static String quoted(String field, String value) {
    return java.util.regex.Matcher.quoteReplacement("\"" + field + "\":" + value);
  }

  private static void refused(Answer answer, String what) {
    assertThat(answer.status()).as(what + ": " + answer.text()).isIn(400, 422);
    assertThat(answer.at("/code")).as(what).isIn("malformed_json", "invalid_request");
  }
}
