package dev.millrace.service.guard;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.service.access.Secret;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A moderation service over real HTTP, well behaved and otherwise. */
class ModerationTest {

  private static final String KEY = "sk-canary-key";
  private static final String PROMPT = "canary prompt";
  private static final String CLEAR = "{\"results\": [{\"flagged\": false, \"categories\": {}}]}";
  private static final Duration USUAL = Duration.ofSeconds(5);

  private final List<String> questions = new CopyOnWriteArrayList<>();
  private final List<String> keys = new CopyOnWriteArrayList<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final Logger root = (Logger) LoggerFactory.getLogger("dev.millrace.service.guard");
  private HttpHandler behaviour = exchange -> reply(exchange, 200, CLEAR);

  /** Long enough for any answer that is to come, on a machine however busy. */
  private Duration patience = Duration.ofSeconds(30);

  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(
        "/v1/moderations",
        exchange -> {
          questions.add(
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
          behaviour.handle(exchange);
        });
    server.start();
    log.start();
    root.addAppender(log);
  }

  @AfterEach
  void stop() {
    over.countDown();
    server.stop(0);
    threads.close();
    root.detachAppender(log);
    assertThat(log.list)
        .allSatisfy(event -> {
          assertThat(event.getFormattedMessage()).doesNotContain("canary");
          assertThat(event.getThrowableProxy()).isNull();
        });
  }

  @Test
  void what_is_not_flagged_passes_and_the_question_is_as_openai_wants_it() throws Exception {
    behaviour =
        exchange ->
            reply(exchange, 200, "{\"results\": [{\"flagged\": false}, {\"flagged\": false}]}");

    assertThat(closed(Rules.json("{\"a\": \"one\", \"b\": [{\"c\": 2}]}"))).isEqualTo(Verdict.PASS);
    JsonNode question = JsonMapper.shared().readTree(questions.getFirst());
    assertThat(question.path("model").asString()).isEqualTo("some-model");
    assertThat(question.path("input").toString()).isEqualTo("[\"one\",\"c\"]");
    assertThat(keys).containsExactly("Bearer " + KEY);
  }

  @Test
  void what_is_flagged_is_denied_with_a_public_category() throws Exception {
    flag("{\"harassment\": false, \"sexual/minors\": true, \"violence\": true}");
    assertThat(closed(Rules.prompt(PROMPT)))
        .isEqualTo(
            new Verdict.Denied(
                "sexual_minors",
                "The input is not allowed here (sexual_minors). Change it and try again."));
    assertThat(open(Rules.prompt(PROMPT))).isInstanceOf(Verdict.Denied.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "null", "[]", "{\"\": true}", "{\"<b>\": true}", "{\"x\": 1}"})
  void a_flag_without_a_fit_name_is_still_a_denial(String categories) throws Exception {
    flag(categories);

    assertThat(closed(Rules.prompt(PROMPT)))
        .isInstanceOfSatisfying(
            Verdict.Denied.class, denied -> assertThat(denied.category()).isEqualTo("moderation"));
  }

  @Test
  void an_input_without_texts_is_not_asked_about() throws Exception {
    assertThat(closed(Rules.json("{\"steps\": 3, \"blank\": \" \"}"))).isEqualTo(Verdict.PASS);
    assertThat(questions).isEmpty();
  }

  @Test
  void many_texts_are_asked_about_in_one_question_without_losing_any() throws Exception {
    String result = "{\"flagged\": false},".repeat(32);
    behaviour =
        exchange ->
            reply(
                exchange, 200, "{\"results\": [" + result.substring(0, result.length() - 1) + "]}");
    StringBuilder texts = new StringBuilder("\"t0\"");
    for (int i = 1; i < 100; i++) {
      texts.append(",\"t").append(i).append('"');
    }

    assertThat(closed(Rules.json("{\"list\": [" + texts + "]}"))).isEqualTo(Verdict.PASS);
    JsonNode input = JsonMapper.shared().readTree(questions.getFirst()).path("input");
    assertThat(input.size()).isEqualTo(32);
    assertThat(input.get(31).asString()).startsWith("t31\nt32\n").endsWith("\nt99");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "canary",
        "[]",
        "{}",
        "{\"results\": []}",
        "{\"results\": {\"flagged\": false}}",
        "{\"results\": [{}]}",
        "{\"results\": [{\"flagged\": \"false\"}]}",
        "{\"results\": [{\"flagged\": false}, {\"flagged\": false}]}",
        "{\"results\": [{\"flagged\": false}",
      })
  void garbage_is_no_answer(String garbage) throws Exception {
    behaviour = exchange -> reply(exchange, 200, garbage);

    assertNoAnswer(USUAL);
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 302, 400, 401, 404, 500, 503})
  void another_status_is_no_answer(int status) throws Exception {
    behaviour =
        exchange -> {
          exchange.getResponseHeaders().set("Location", "/v1/moderations");
          reply(exchange, status, status == 204 ? "" : CLEAR);
        };

    assertNoAnswer(USUAL);
    assertThat(questions).as("nothing is asked twice and no redirect followed").hasSize(2);
  }

  @Test
  void being_throttled_says_when_to_come_back_within_reason() throws Exception {
    behaviour = exchange -> throttle(exchange, "17");
    assertNoAnswer(Duration.ofSeconds(17));
    behaviour = exchange -> throttle(exchange, "999999999");
    assertNoAnswer(Duration.ofMinutes(5));
    behaviour = exchange -> throttle(exchange, "0");
    assertNoAnswer(Duration.ofSeconds(1));
    behaviour = exchange -> throttle(exchange, "Wed, 21 Oct 2026 07:28:00 GMT");
    assertNoAnswer(USUAL);
  }

  @Test
  void a_huge_answer_is_no_answer() throws Exception {
    behaviour = exchange -> reply(exchange, 200, CLEAR + " ".repeat(2 * 1024 * 1024));

    assertNoAnswer(USUAL);
  }

  @Test
  void a_slow_answer_is_no_answer() throws Exception {
    patience = Duration.ofSeconds(1);
    behaviour = _ -> awaitEnd();
    assertNoAnswer(USUAL);

    behaviour =
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          OutputStream body = exchange.getResponseBody();
          body.write("{\"results\": ".getBytes(StandardCharsets.UTF_8));
          body.flush();
          awaitEnd();
        };
    assertNoAnswer(USUAL);
  }

  @Test
  void nobody_there_is_no_answer() throws Exception {
    server.stop(0);

    assertNoAnswer(USUAL);
  }

  @Test
  void without_a_key_none_is_sent() throws Exception {
    try (OpenAiModeration moderation = moderation(null)) {
      assertThat(moderation.classify(List.of(PROMPT))).isEqualTo(new Moderation.Answer.Clear());
    }
    assertThat(keys).containsExactly("null");
  }

  private void assertNoAnswer(Duration retryAfter) throws InterruptedException {
    log.list.clear();
    assertThat(closed(Rules.prompt(PROMPT))).isEqualTo(new Verdict.Unavailable(retryAfter));
    assertThat(open(Rules.prompt(PROMPT))).isEqualTo(Verdict.PASS);
    assertThat(log.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .satisfiesExactly(
            line -> assertThat(line).startsWith("A job was refused for now, because moderation "),
            line -> assertThat(line).startsWith("A job passed unjudged, because moderation "));
  }

  private Verdict closed(GateRequest request) throws InterruptedException {
    return check(request, ModerationFailure.CLOSED);
  }

  private Verdict open(GateRequest request) throws InterruptedException {
    return check(request, ModerationFailure.OPEN);
  }

  private Verdict check(GateRequest request, ModerationFailure failure)
      throws InterruptedException {
    try (OpenAiModeration moderation = moderation(new Secret(KEY))) {
      return new ModerationGate(moderation, failure).check(request);
    }
  }

  private OpenAiModeration moderation(@Nullable Secret key) {
    URI base = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v1");
    return new OpenAiModeration(base, key, "some-model", patience);
  }

  private void flag(String categories) {
    behaviour =
        exchange ->
            reply(
                exchange,
                200,
                "{\"results\": [{\"flagged\": true, \"categories\": " + categories + "}]}");
  }

  private static void throttle(HttpExchange exchange, String retryAfter) throws IOException {
    exchange.getResponseHeaders().set("Retry-After", retryAfter);
    reply(exchange, 429, "{\"error\": {\"message\": \"canary\"}}");
  }

  private static void reply(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    try (exchange) {
      exchange.getResponseBody().write(bytes);
    }
  }

  private void awaitEnd() {
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
