package dev.millrace.providers.openai;

import static dev.millrace.testkit.openai.OpenAiDouble.IMAGES;
import static dev.millrace.testkit.openai.OpenAiDouble.MODERATIONS;
import static dev.millrace.testkit.openai.OpenAiDouble.SPEECH;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.providers.fetch.FetchClient;
import dev.millrace.providers.fetch.FetchPolicy;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Outcome.Succeeded;
import dev.millrace.spi.provider.Outcome.Uncertain;
import dev.millrace.spi.provider.Output;
import dev.millrace.testkit.attempt.TestWork;
import dev.millrace.testkit.openai.OpenAiDouble;
import dev.millrace.testkit.openai.Replies;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Pictures, speech and judgements. */
@Timeout(30)
class OtherTasksTest {

  private final OpenAiDouble service = new OpenAiDouble("");

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void pictures_are_taken_from_the_answer_and_known_by_their_bytes() {
    service.on(IMAGES, Replies.pictures(2));

    Succeeded succeeded = (Succeeded) run(picture().with("variants", 2).with("size", "1024x1024"));

    assertThat(succeeded.outputs())
        .extracting(Output::mediaType)
        .containsExactly("image/png", "image/png");
    assertThat(TestWork.bytes(succeeded.outputs().getFirst()))
        .isEqualTo(Base64.getDecoder().decode(Replies.PNG));
    assertThat(succeeded.summary())
        .containsEntry(
            "usage", Map.of("input_tokens", 9L, "output_tokens", 272L, "total_tokens", 281L));
    JsonNode question = Answers.JSON.readTree(service.asked().getFirst().body());
    assertThat(question.path("n").asInt()).isEqualTo(2);
    assertThat(question.has("response_format")).isFalse();
    assertThat(service.asked().getFirst().authorization()).isEqualTo("null");
  }

  @Test
  void other_models_are_asked_for_pictures_in_the_answer() {
    run(picture().with("model", "dall-e-3"));

    assertThat(service.asked().getFirst().body()).contains("\"response_format\":\"b64_json\"");
  }

  @Test
  void a_picture_behind_a_url_is_fetched_where_that_is_allowed() {
    service.on("/picture.png", Replies.picture());
    service.on(IMAGES, Replies.picturesAt(service.url() + "/picture.png"));

    FetchPolicy allowing = FetchPolicy.PUBLIC_WEB.allowing(service.url());
    assertThat(provider(allowing).execute(picture())).isInstanceOf(Succeeded.class);
    assertThat(service.asked()).hasSize(2);

    assertThat(run(picture())).isInstanceOf(Uncertain.class);
    assertThat(service.asked()).hasSize(3);
  }

  @Test
  void what_is_not_a_picture_is_not_taken_for_one() {
    for (String body :
        new String[] {
          "{\"data\":[]}",
          "{\"data\":[{}]}",
          "{\"data\":[{\"b64_json\":\"aGVsbG8=\"}]}",
          "{\"data\":[{\"b64_json\":\"***\"}]}",
          "{\"data\":[{\"url\":\"file:///etc/passwd\"}]}",
          "{\"data\":7}"
        }) {
      service.on(IMAGES, Replies.json(body));

      assertThat(run(picture())).as(body).isInstanceOf(Uncertain.class);
    }
  }

  @Test
  void a_picture_that_is_not_allowed_is_a_safety_rejection() {
    service.on(IMAGES, Replies.error(400, "moderation_blocked"));

    assertThat(run(picture())).isEqualTo(new Outcome.Rejected("moderation_blocked"));
  }

  @Test
  void speech_is_a_recording() {
    Succeeded succeeded = (Succeeded) run(speech().with("voice", "nova").with("speed", 1.25));

    Output output = succeeded.outputs().getFirst();
    assertThat(output.mediaType()).isEqualTo("audio/mpeg");
    assertThat(output.name()).isEqualTo("speech.mp3");
    assertThat(succeeded.summary()).containsEntry("usage", Map.of("characters", 11L));
    assertThat(service.asked().getFirst().body())
        .contains("\"voice\":\"nova\"", "\"response_format\":\"mp3\"", "\"speed\":1.25");
  }

  @Test
  void what_is_not_a_recording_is_not_taken_for_one() {
    service.on(SPEECH, Replies.json("{\"error\":\"no\"}"));
    assertThat(run(speech())).isInstanceOf(Uncertain.class);

    service.on(SPEECH, Replies.picture());
    assertThat(run(speech())).isInstanceOf(Uncertain.class);

    service.on(SPEECH, Replies.error(429, "rate_limit_exceeded", "4"));
    assertThat(run(speech())).isEqualTo(new Outcome.Throttled(Optional.of(Duration.ofSeconds(4))));
  }

  @Test
  void a_judgement_costs_nothing_and_may_be_asked_for_again() {
    TestWork work = new TestWork().with("task", "moderation").with("text", "hm");
    for (OpenAiDouble.Reply reply :
        List.of(Replies.body(502, "text/html", "<h1>"), Replies.json("{}"), Replies.truncated())) {
      service.on(MODERATIONS, reply);

      assertThat(run(work)).isInstanceOf(Outcome.Unavailable.class);
    }
  }

  @Test
  void a_picture_that_was_made_is_fetched_again_and_not_ordered_again() {
    AtomicInteger tries = new AtomicInteger();
    service.on(
        "/picture.png",
        call -> {
          if (tries.incrementAndGet() < 3) {
            call.answer(503, "text/plain", new byte[0]);
          } else {
            Replies.picture().to(call);
          }
        });
    service.on(IMAGES, Replies.picturesAt(service.url() + "/picture.png"));

    FetchPolicy allowing = FetchPolicy.PUBLIC_WEB.allowing(service.url());
    assertThat(provider(allowing).execute(picture())).isInstanceOf(Succeeded.class);
    assertThat(service.asked()).hasSize(4);
    tries.set(-10);
    assertThat(provider(allowing).execute(picture()))
        .isEqualTo(Uncertain.blameless("A picture was made and could not be had."));
  }

  @Test
  void a_judgement_is_a_document() {
    service.on(MODERATIONS, Replies.judged(true));

    Succeeded succeeded =
        (Succeeded) run(new TestWork().with("task", "moderation").with("text", "hm"));

    JsonNode document = Answers.JSON.readTree(TestWork.bytes(succeeded.outputs().getFirst()));
    assertThat(document.path("flagged").asBoolean()).isTrue();
    assertThat(document.path("categories").path("violence").asBoolean()).isTrue();
    assertThat(document.path("scores").path("violence").asDouble()).isEqualTo(0.5);
    assertThat(succeeded.summary()).containsEntry("flagged", true);
  }

  private static TestWork picture() {
    return new TestWork().with("task", "image").with("prompt", "a shoe");
  }

  private static TestWork speech() {
    return new TestWork().with("task", "speech").with("text", "Hello there");
  }

  private Outcome run(TestWork work) {
    return provider(FetchPolicy.PUBLIC_WEB).execute(work);
  }

  private OpenAiProvider provider(FetchPolicy downloads) {
    return new OpenAiProvider(
        new OpenAiSettings(
            service.url(), null, OpenAiSettings.Models.USUAL, Duration.ofSeconds(20)),
        new FetchClient(downloads));
  }
}
