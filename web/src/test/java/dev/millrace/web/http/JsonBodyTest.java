package dev.millrace.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.web.http.server.HttpRig;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JsonBodyTest {
  private HttpRig rig;

  record Sample(String zuluTime, Instant createdAt, @Nullable Integer aCount, List<String> items) {}

  @BeforeAll
  void start() {
    rig =
        new HttpRig(
            Route.post("/echo", request -> Response.json(200, request.json())),
            Route.post("/object", request -> Response.json(200, request.jsonObject())),
            Route.get("/broken", _ -> Response.json(200, Map.of("text", "a\uD800b"))),
            Route.get(
                "/sample",
                _ -> Response.json(200, new Sample("z", Instant.EPOCH, null, List.of("x")))));
  }

  @AfterAll
  void stop() {
    rig.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"b\":1,\"a\":[true,null,\"é\"]}", "null", "\"\\uD83D\\uDE00\"", " 5 "})
  void proper_json_is_read(String body) throws Exception {
    HttpResponse<String> response = rig.postJson("/echo", body);

    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(JsonBytes.mapper().readTree(response.body()))
        .isEqualTo(JsonBytes.mapper().readTree(body));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "  ",
        "{",
        "{\"a\":1,\"a\":2}",
        "{} {}",
        "{}x",
        "[1,]",
        "{a:1}",
        "{'a':1}",
        "NaN",
        "01",
        "\"\u0001\"",
        "// c\n1",
        "\uFEFF{}",
        "{\"s3cret\\ud800\":1}",
        "{\"s3cret\":s3cret}"
      })
  void anything_else_is_malformed_and_is_not_quoted(String body) throws Exception {
    HttpResponse<String> response = rig.postJson("/echo", body);

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(HttpRig.json(response).get("code").stringValue()).isEqualTo("malformed_json");
    assertThat(response.body()).doesNotContain("s3cret", "jackson", "Source");
  }

  @Test
  void a_number_keeps_all_its_digits() throws Exception {
    assertThat(rig.postJson("/echo", "0.10000000000000000000000001").body())
        .isEqualTo("0.10000000000000000000000001");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e400", "-1e400", "1e-400", "0.1e-99999999", "1e999999999", "1e99999999999",
        "-1E+99999999999999999999", "1e-99999999999", "NaN", "-Infinity", "1e", "0x10"
      })
  void a_number_that_nothing_can_hold_is_refused_wherever_it_is(String number) throws Exception {
    for (String body : List.of(number, "[" + number + "]", "{\"a\":{\"b\":[" + number + "]}}")) {
      HttpResponse<String> response = rig.postJson("/echo", body);
      assertThat(response.statusCode()).as(body).isIn(400, 422);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"a\":[1,{\"b/c\":1e999999999}]}|/a/1/b~1c",
        "{\"d\":-1e-400}|/d",
        "{\"e\":0e999}|/e"
      })
  void such_a_number_is_told_with_its_path(String body, String path) throws Exception {
    JsonNode problem = HttpRig.json(rig.postJson("/echo", body));
    assertThat(problem.at("/errors/0/path").stringValue()).isEqualTo(path);
  }

  @Test
  void a_number_of_hundreds_of_digits_is_refused() throws Exception {
    String digits = "7".repeat(900);
    for (String number : List.of(digits, "0." + digits, digits + "e5", "1e" + digits)) {
      assertThat(rig.postJson("/echo", number).statusCode()).isEqualTo(400);
    }
  }

  @Test
  void the_place_of_the_mistake_is_named() throws Exception {
    assertThat(HttpRig.json(rig.postJson("/echo", "{\n \"a\": x}")).get("detail").stringValue())
        .isEqualTo("The body is not valid JSON (line 2, column 7).");
  }

  @Test
  void json_beyond_a_bound_is_refused() throws Exception {
    for (String body :
        List.of(
            "[".repeat(65) + "]".repeat(65), "1".repeat(101), "{\"" + "n".repeat(257) + "\":1}")) {
      HttpResponse<String> response = rig.postJson("/echo", body);
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(response.body()).contains("goes beyond the limits");
    }
    String deep = "[".repeat(64) + "]".repeat(64);
    assertThat(rig.postJson("/echo", deep).statusCode()).isEqualTo(200);
  }

  @Test
  void only_utf_8_is_read() throws Exception {
    byte[] latin = "\"é\"".getBytes(StandardCharsets.ISO_8859_1);
    byte[] wide = "{\"a\":1}".getBytes(StandardCharsets.UTF_16LE);

    assertThat(rig.post("/echo", "application/json", latin).statusCode()).isEqualTo(400);
    assertThat(rig.post("/echo", "application/json", wide).statusCode()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"a\":[1,{\"b/c~d\":\"x\\u0000\"}]}|/a/1/b~1c~0d",
        "{\"a\":\"\\ud800\"}|/a",
        "{\"a\":\"\\udc00\\ud800\"}|/a",
        "{\"k\\u0000\":1}|/k\uFFFD",
        "\"\\u0000\"|''"
      })
  void text_that_cannot_be_stored_is_refused_with_its_path(String body, String path)
      throws Exception {
    HttpResponse<String> response = rig.postJson("/echo", body);

    assertThat(response.statusCode()).isEqualTo(422);
    JsonNode problem = HttpRig.json(response);
    assertThat(problem.get("code").stringValue()).isEqualTo("invalid_request");
    assertThat(problem.at("/errors/0/path").stringValue()).isEqualTo(path);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json|200",
        "Application/JSON; charset=UTF-8|200",
        "application/merge-patch+json|200",
        "application/json; charset=latin1|415",
        "text/plain|415",
        "text/json|415",
        "application/x-www-form-urlencoded|415"
      })
  void only_json_types_are_taken_for_json(String type, int status) throws Exception {
    byte[] body = "{}".getBytes(StandardCharsets.UTF_8);

    assertThat(rig.post("/echo", type, body).statusCode()).isEqualTo(status);
  }

  @Test
  void a_body_without_a_type_is_a_415() throws Exception {
    String answer =
        rig.exchange(
            "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}");

    assertThat(answer).startsWith("HTTP/1.1 415 ").contains("\"code\":\"unsupported_media_type\"");
  }

  @Test
  void where_an_object_is_needed_another_value_is_a_422() throws Exception {
    assertThat(rig.postJson("/object", "[]").statusCode()).isEqualTo(422);
    assertThat(rig.postJson("/object", "{\"a\":1}").body()).isEqualTo("{\"a\":1}");
  }

  @Test
  void answers_are_snake_case_in_declared_order_with_iso_times_and_nulls() throws Exception {
    assertThat(rig.get("/sample").body())
        .isEqualTo(
            "{\"zulu_time\":\"z\",\"created_at\":\"1970-01-01T00:00:00Z\",\"a_count\":null,"
                + "\"items\":[\"x\"]}");
  }

  @Test
  void a_lone_surrogate_in_an_answer_does_not_fail_it() throws Exception {
    assertThat(rig.get("/broken").body()).isEqualTo("{\"text\":\"a?b\"}");
  }
}
