package dev.millrace.providers.openai;

import static dev.millrace.testkit.openai.OpenAiDouble.CHAT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.providers.fetch.FetchClient;
import dev.millrace.providers.fetch.FetchPolicy;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Outcome.Succeeded;
import dev.millrace.testkit.attempt.TestWork;
import dev.millrace.testkit.openai.OpenAiDouble;
import dev.millrace.testkit.openai.Replies;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** A prompt becomes a text, told while it is written. */
@Timeout(30)
class ChatTest {

  private static final String KEY = "sk-test-canary-123";

  private final OpenAiDouble service = new OpenAiDouble(KEY);
  private final OpenAiProvider provider = provider(Duration.ofSeconds(20));

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void the_pieces_of_a_stream_are_joined_and_its_usage_is_kept() {
    service.on(CHAT, Replies.streamed("Grüße", " aus", " Köln 🎉"));

    Succeeded succeeded = (Succeeded) run(work());

    assertThat(text(succeeded, 0)).isEqualTo("Grüße aus Köln 🎉");
    assertThat(succeeded.outputs().getFirst().mediaType()).isEqualTo("text/plain");
    assertThat(succeeded.summary())
        .containsEntry(
            "usage", Map.of("prompt_tokens", 11L, "completion_tokens", 7L, "total_tokens", 18L))
        .containsEntry("finish", List.of("stop"));
  }

  @Test
  void the_question_asks_for_a_stream_with_usage_and_shows_the_key_in_one_place() {
    run(
        work()
            .with("system", "Be brief.")
            .with("temperature", 0.5)
            .with("max_tokens", 50)
            .with("variants", 2));

    OpenAiDouble.Asked asked = service.asked().getFirst();
    JsonNode body = Answers.JSON.readTree(asked.body());
    assertThat(asked.authorization()).isEqualTo("Bearer " + KEY);
    assertThat(asked.body()).doesNotContain(KEY);
    assertThat(body.path("model").asString()).isEqualTo("gpt-4o-mini");
    assertThat(body.path("stream").asBoolean()).isTrue();
    assertThat(body.path("stream_options").path("include_usage").asBoolean()).isTrue();
    assertThat(body.path("n").asInt()).isEqualTo(2);
    assertThat(body.path("max_tokens").asInt()).isEqualTo(50);
    assertThat(body.path("messages").path(0).path("role").asString()).isEqualTo("system");
    assertThat(body.path("messages").path(1).path("content").asString()).isEqualTo("Sell a shoe.");
  }

  @Test
  void progress_grows_and_shows_the_text_only_if_it_may() {
    String[] pieces = {"a".repeat(50), "b".repeat(50), "c".repeat(50)};
    service.on(CHAT, Replies.streamed(pieces));

    TestWork silent = work();
    run(silent);
    TestWork open = work().with("preview", true);
    run(open);

    assertThat(silent.reports())
        .extracting(TestWork.Report::message)
        .containsExactly(
            "Asking the model",
            "50 characters so far",
            "100 characters so far",
            "150 characters so far");
    assertThat(silent.reports()).extracting(TestWork.Report::percent).isSorted();
    assertThat(open.reports().getLast().message()).endsWith("c".repeat(50));
  }

  @Test
  void several_texts_are_several_outputs() {
    service.on(
        CHAT,
        Replies.events(
            Replies.delta(1, "two"),
            Replies.delta(0, "one"),
            Replies.finish(0, "stop"),
            Replies.finish(1, "length"),
            "[DONE]"));

    Succeeded succeeded = (Succeeded) run(work().with("variants", 2));

    assertThat(text(succeeded, 0)).isEqualTo("one");
    assertThat(text(succeeded, 1)).isEqualTo("two");
    assertThat(succeeded.summary()).containsEntry("finish", List.of("stop", "length"));
  }

  @Test
  void a_service_that_does_not_stream_or_does_not_say_done_is_understood() {
    service.on(CHAT, Replies.whole("All \"at\" once"));
    assertThat(text((Succeeded) run(work()), 0)).isEqualTo("All \"at\" once");

    service.on(CHAT, Replies.events(Replies.delta(0, "x"), Replies.finish(0, "stop")));
    assertThat(text((Succeeded) run(work()), 0)).isEqualTo("x");
  }

  @Test
  void json_is_delivered_only_if_it_is_json() {
    service.on(CHAT, Replies.streamed("{\"headline\":", " \"Run\"}"));
    Succeeded succeeded = (Succeeded) run(work().with("format", "json"));
    assertThat(succeeded.outputs().getFirst().mediaType()).isEqualTo("application/json");

    service.on(CHAT, Replies.streamed("Sure! Here is your JSON"));
    assertThat(run(work().with("format", "json")))
        .isEqualTo(new Outcome.BadAnswer("The model did not answer in JSON."));
  }

  @Test
  void nul_in_a_text_is_replaced() {
    service.on(CHAT, Replies.streamed("a\0b"));

    assertThat(text((Succeeded) run(work()), 0)).isEqualTo("a\ufffdb");
  }

  @Test
  void a_filter_or_a_refusal_is_a_safety_rejection() {
    service.on(CHAT, Replies.finished("content_filter", "How to"));
    assertThat(run(work())).isEqualTo(new Outcome.Rejected("content_filter"));

    service.on(
        CHAT,
        Replies.events(
            "{\"choices\":[{\"index\":0,\"delta\":{\"refusal\":\"I can't help\"}}]}",
            Replies.finish(0, "stop"),
            "[DONE]"));
    assertThat(run(work())).isEqualTo(new Outcome.Rejected("refusal"));
  }

  @Test
  void what_a_filter_lets_pass_of_several_is_delivered() {
    service.on(
        CHAT,
        Replies.events(
            Replies.delta(0, "fine"),
            Replies.delta(1, "foul"),
            Replies.finish(0, "stop"),
            Replies.finish(1, "content_filter"),
            "[DONE]"));

    Succeeded succeeded = (Succeeded) run(work().with("variants", 2));

    assertThat(succeeded.outputs()).hasSize(1);
    assertThat(succeeded.summary()).containsEntry("blocked", 1).containsEntry("delivered", 1);
  }

  @Test
  void a_cancel_closes_the_connection_within_a_second() {
    service.on(CHAT, Replies.endless("and on "));
    TestWork work = work().canceledAfterReports(3);

    long start = System.nanoTime();
    assertThat(run(work)).isEqualTo(new Outcome.Canceled());

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
    await().until(() -> service.hungUp() == 1);
  }

  @Test
  void bad_inputs_fail_with_a_sentence_and_ask_nobody() {
    for (Map.Entry<String, Object> bad :
        Map.<String, Object>of(
                "temperature",
                3,
                "max_tokens",
                0,
                "variants",
                9,
                "format",
                "xml",
                "task",
                "video",
                "preview",
                "yes",
                "messages",
                List.of(Map.of("role", "user", "content", List.of())))
            .entrySet()) {
      assertThat(run(work().with(bad.getKey(), bad.getValue())))
          .as(bad.getKey())
          .isInstanceOf(Outcome.Failed.class);
    }
    assertThat(run(new TestWork())).isInstanceOf(Outcome.Failed.class);
    assertThat(service.asked()).isEmpty();
  }

  private OpenAiProvider provider(Duration timeout) {
    return new OpenAiProvider(
        new OpenAiSettings(service.url(), KEY, OpenAiSettings.Models.USUAL, timeout),
        new FetchClient(FetchPolicy.PUBLIC_WEB));
  }

  private static TestWork work() {
    return new TestWork().with("prompt", "Sell a shoe.");
  }

  private Outcome run(TestWork work) {
    return provider.execute(work);
  }

  private static String text(Succeeded succeeded, int number) {
    return new String(TestWork.bytes(succeeded.outputs().get(number)), UTF_8);
  }
}
