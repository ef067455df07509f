package dev.millrace.web.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.web.http.server.HttpRig;
import dev.millrace.web.http.server.HttpServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoutingTest {
  private final AtomicReference<String> loggedId = new AtomicReference<>("");
  private HttpRig rig;

  @BeforeAll
  void start() {
    rig =
        new HttpRig(
            Route.get("/jobs/{id}", request -> text("job " + request.pathParameter("id"))),
            Route.get("/jobs/all", _ -> text("all jobs")),
            Route.post("/jobs/{id}/cancel", request -> text(request.pathParameter("id"))),
            Route.delete("/jobs/{id}", _ -> Response.empty(204)),
            Route.get("/effects/{slug*}", request -> text(request.pathParameter("slug"))),
            Route.get(
                "/effects/{slug*}/pause",
                request -> text("pause " + request.pathParameter("slug"))),
            Route.get("/query", RoutingTest::query),
            Route.get("/id", this::rememberId),
            Route.get("/cached", _ -> text("x").header("cache-control", "max-age=5")),
            Route.get("/gone", _ -> Response.redirect(303, "/jobs/all")),
            Route.get("/cookies", _ -> text("x").addHeader("A", "1").addHeader("A", "2")));
  }

  @AfterAll
  void stop() {
    rig.close();
  }

  private static Response text(String text) {
    return Response.text(200, text);
  }

  private static Response query(Request request) {
    return text(request.query("one").orElse("none") + request.queryAll("many"));
  }

  private Response rememberId(Request request) {
    loggedId.set(MDC.get("request_id"));
    return text(request.id() + " " + request.remoteAddress());
  }

  @ParameterizedTest
  @CsvSource({
    "/jobs/7, job 7",
    "/jobs/a%20b%C3%A9, job a bé",
    "/jobs/a%2Fb, job a/b",
    "/jobs/a+b;c, job a+b;c",
    "/jobs/all, all jobs",
    "/effects/sketch/poster, sketch/poster",
    "/effects/sketch%2Fposter, sketch/poster",
    "/effects/one, one",
    "/effects/sketch/poster/pause, pause sketch/poster",
    "/effects/one/pause, pause one",
    "/effects/pause/pause, pause pause",
    "/effects/pause, pause",
    "/effects/one/pause/now, one/pause/now"
  })
  void a_path_finds_its_most_specific_route_and_decoded_parameters(String path, String body)
      throws Exception {
    assertThat(rig.get(path).body()).isEqualTo(body);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/nope", "/jobs", "/jobs/", "/jobs/1/", "/effects/", "/effects/a//b", "//"})
  void an_unknown_path_is_a_404_problem(String path) throws Exception {
    HttpResponse<String> response = rig.get(path);

    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(response.headers().firstValue("content-type")).contains("application/problem+json");
    assertThat(response.body())
        .isEqualTo(
            "{\"type\":\"urn:millrace:problem:not_found\",\"title\":\"Not found\",\"status\":404,"
                + "\"detail\":\"There is nothing here.\",\"code\":\"not_found\"}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/jobs/%zz", "/jobs/%4", "/jobs/%C3", "/jobs/%00", "/jobs/..", "/query?one=%C3"})
  void a_target_that_is_not_encoded_properly_is_a_400_problem(String target) throws Exception {
    String answer =
        rig.exchange("GET " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

    assertThat(answer).startsWith("HTTP/1.1 400 ").contains("\"code\":\"bad_request\"");
  }

  @Test
  void a_wrong_method_is_a_405_that_names_the_right_ones() throws Exception {
    HttpResponse<String> response =
        rig.send(rig.request("/jobs/7").PUT(BodyPublishers.ofString("x")));

    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(response.headers().firstValue("allow")).contains("DELETE, GET, HEAD, OPTIONS");
    assertThat(HttpRig.json(response).get("code").stringValue()).isEqualTo("method_not_allowed");
  }

  @Test
  void options_answers_with_the_allowed_methods() throws Exception {
    HttpResponse<String> response =
        rig.send(rig.request("/jobs/7/cancel").method("OPTIONS", BodyPublishers.noBody()));

    assertThat(response.statusCode()).isEqualTo(204);
    assertThat(response.headers().firstValue("allow")).contains("OPTIONS, POST");
  }

  @Test
  void head_is_get_without_the_body() throws Exception {
    String answers =
        rig.exchange(
            HttpRig.raw(
                "HEAD /jobs/7 HTTP/1.1",
                "Host: x",
                "",
                "HEAD /nope HTTP/1.1",
                "Host: x",
                "Connection: close",
                "",
                ""));

    assertThat(answers).contains("HTTP/1.1 200 OK", "Content-Length: 5", "HTTP/1.1 404 Not Found");
    assertThat(answers).doesNotContain("job 7", "not_found");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/query|none[]",
        "/query?one=a%26b&many=1&many=+2|a&b[1,  2]",
        "/query?one&many=|[]",
        "/query?one=%C3%A9|é[]"
      })
  void query_parameters_are_decoded(String target, String body) throws Exception {
    assertThat(rig.get(target).body()).isEqualTo(body);
  }

  @Test
  void a_single_parameter_that_comes_twice_is_refused() throws Exception {
    assertThat(rig.get("/query?one=1&one=2").statusCode()).isEqualTo(400);
  }

  @Test
  void a_request_id_is_echoed_and_reaches_the_log_context() throws Exception {
    HttpResponse<String> response = rig.send(rig.request("/id").header("X-Request-Id", "abc-1.2"));

    assertThat(response.headers().firstValue("x-request-id")).contains("abc-1.2");
    assertThat(response.body()).isEqualTo("abc-1.2 127.0.0.1");
    assertThat(loggedId).hasValue("abc-1.2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a b",
        "a\"b",
        "0123456789012345678901234567890123456789012345678901234567890123x"
      })
  void a_request_id_that_could_harm_a_log_is_replaced(String offered) throws Exception {
    HttpResponse<String> response = rig.send(rig.request("/id").header("X-Request-Id", offered));

    assertThat(response.headers().firstValue("x-request-id").orElseThrow())
        .matches("[0-9a-f-]{36}");
  }

  @Test
  void every_answer_carries_the_safe_headers_and_no_server_name() throws Exception {
    for (String path : List.of("/jobs/7", "/nope")) {
      var headers = rig.get(path).headers();
      assertThat(headers.firstValue("x-content-type-options")).contains("nosniff");
      assertThat(headers.allValues("cache-control")).containsExactly("no-store");
      assertThat(headers.firstValue("server")).isEmpty();
    }
    assertThat(rig.get("/cached").headers().allValues("cache-control"))
        .containsExactly("max-age=5");
  }

  @Test
  void headers_can_repeat_and_redirects_have_a_location() throws Exception {
    assertThat(rig.get("/cookies").headers().allValues("a")).containsExactly("1", "2");
    assertThat(rig.get("/gone").headers().firstValue("location")).contains("/jobs/all");
  }

  @Test
  void routes_that_match_the_same_requests_are_a_mistake() {
    RouteHandler handler = _ -> Response.empty(204);
    List<Route> routes = List.of(Route.get("/a/{x}", handler), Route.get("/a/{y}", handler));

    assertThatThrownBy(() -> new HttpServer(HttpRig.settings(), routes))
        .isInstanceOf(IllegalArgumentException.class);
    for (String template : List.of("a", "/{x*}/{y}", "/{x*}/{y*}", "/{x}/{x}", "/a{x}")) {
      assertThatThrownBy(() -> PathTemplate.of(template))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void a_header_value_cannot_smuggle_a_line() {
    assertThatThrownBy(() -> text("x").header("A", "1\r\nB: 2"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
