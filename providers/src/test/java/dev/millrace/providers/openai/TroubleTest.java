package dev.millrace.providers.openai;

import static dev.millrace.testkit.openai.OpenAiDouble.CHAT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.providers.fetch.FetchClient;
import dev.millrace.providers.fetch.FetchPolicy;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Outcome.BadAnswer;
import dev.millrace.spi.provider.Outcome.Failed;
import dev.millrace.spi.provider.Outcome.Rejected;
import dev.millrace.spi.provider.Outcome.Throttled;
import dev.millrace.spi.provider.Outcome.Unavailable;
import dev.millrace.spi.provider.Outcome.Uncertain;
import dev.millrace.testkit.attempt.TestWork;
import dev.millrace.testkit.openai.OpenAiDouble;
import dev.millrace.testkit.openai.Replies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way in which a service fails has its outcome, and none tells the key. */
@Timeout(30)
class TroubleTest {

  private static final String KEY = "sk-test-canary-123";

  private final OpenAiDouble service = new OpenAiDouble(KEY);
  private final List<Outcome> outcomes = new ArrayList<>();

  @AfterEach
  void close() {
    service.close();
    assertThat(outcomes.toString()).doesNotContain("sk-").doesNotContain(KEY);
  }

  @Test
  void too_many_requests_are_throttled_with_the_pause_that_was_asked_for() {
    assertThat(after(Replies.error(429, "rate_limit_exceeded", "17")))
        .isEqualTo(new Throttled(Optional.of(Duration.ofSeconds(17))));
    assertThat(after(Replies.error(429, "rate_limit_exceeded")))
        .isEqualTo(new Throttled(Optional.empty()));
    assertThat(
            after(call -> {
              call.header("Retry-After-Ms", "250");
              call.answer(429, "application/json", new byte[0]);
            }))
        .isEqualTo(new Throttled(Optional.of(Duration.ofMillis(250))));
    assertThat(after(Replies.error(429, "insufficient_quota")))
        .isEqualTo(new Unavailable("The provider's account is used up.", Optional.empty()));
  }

  @ParameterizedTest
  @ValueSource(ints = {302, 408, 409, 425, 499, 500, 502, 503, 504, 520, 524, 529})
  void an_error_that_is_not_in_the_services_own_words_is_uncertain(int status) {
    assertThat(after(Replies.body(status, "text/html", "<h1>Bad gateway</h1>")))
        .isEqualTo(new Uncertain("The provider answered " + status + "."));
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 409, 500, 502, 503, 504, 529})
  void a_breakdown_is_uncertain_in_whatever_words_it_is_told(int status) {
    assertThat(after(Replies.error(status, "overloaded", "3")))
        .isEqualTo(
            new Uncertain(
                "The provider answered " + status + ".", Optional.of(Duration.ofSeconds(3))));
  }

  @Test
  void a_pause_that_a_gateway_asks_for_is_kept_as_a_hint() {
    assertThat(
            after(call -> {
              call.header("Retry-After", "40");
              call.answer(503, "text/html", new byte[0]);
            }))
        .isEqualTo(
            new Uncertain("The provider answered 503.", Optional.of(Duration.ofSeconds(40))));
  }

  @Test
  void a_model_that_this_account_may_not_use_is_no_trouble_of_the_service() {
    assertThat(after(Replies.error(403, "model_not_found"))).isInstanceOf(Failed.class);
    assertThat(after(Replies.error(403, "unsupported_country"))).isInstanceOf(Unavailable.class);
  }

  @Test
  void a_request_that_is_refused_fails_for_good_with_single_words_at_most() {
    assertThat(after(Replies.error(400, "context_length_exceeded")))
        .isEqualTo(new Failed("The provider refused the request (context_length_exceeded)."));
    assertThat(after(Replies.error(422, "Contains sk-test-canary-123 and more")))
        .isEqualTo(new Failed("The provider refused the request."));
    assertThat(after(Replies.body(400, "text/plain", "no")))
        .isEqualTo(new Failed("The provider refused the request."));
    assertThat(after(Replies.body(404, "application/json", "{\"error\":\"model not found\"}")))
        .isEqualTo(new Failed("The provider does not know this model or service."));
  }

  @Test
  void a_key_that_is_not_accepted_is_the_operators_trouble() {
    assertThat(after(Replies.error(401, "invalid_api_key")))
        .isEqualTo(
            new Unavailable("The provider does not accept this server's key.", Optional.empty()));
  }

  @Test
  void a_safety_systems_error_is_a_rejection_whatever_its_status() {
    for (String code :
        List.of("content_policy_violation", "moderation_blocked", "content_filter")) {
      assertThat(after(Replies.error(400, code))).isEqualTo(new Rejected(code));
      assertThat(after(Replies.events(Replies.errorBody(code)))).isEqualTo(new Rejected(code));
    }
    assertThat(
            after(
                Replies.body(
                    400,
                    "application/json",
                    "{\"error\":{\"innererror\":{\"code\":\"ResponsibleAIPolicyViolation\"}}}")))
        .isInstanceOf(Rejected.class);
  }

  @Test
  void a_stream_that_breaks_off_is_uncertain() {
    Uncertain brokenOff = new Uncertain("The provider's answer broke off.");

    assertThat(after(Replies.truncated("Once upon"))).isEqualTo(brokenOff);
    assertThat(after(Replies.events(Replies.delta(0, "Once upon")))).isEqualTo(brokenOff);
    assertThat(after(Replies.events(Replies.delta(0, "Once upon"), "[DONE]"))).isEqualTo(brokenOff);
    assertThat(after(Replies.events())).isEqualTo(brokenOff);
  }

  @Test
  void an_error_in_an_answer_that_had_begun_is_uncertain_since_a_part_may_have_been_billed() {
    Uncertain brokeDown = new Uncertain("The provider broke down (server_error).");

    assertThat(after(Replies.events(Replies.delta(0, "x"), Replies.errorBody("server_error"))))
        .isEqualTo(brokeDown);
    assertThat(after(Replies.events(Replies.errorBody("server_error")))).isEqualTo(brokeDown);
    assertThat(after(Replies.json(Replies.errorBody("server_error")))).isEqualTo(brokeDown);
  }

  @Test
  void garbage_is_uncertain_since_it_may_have_been_billed() {
    for (OpenAiDouble.Reply reply :
        List.of(
            Replies.json("not json"),
            Replies.json("[]"),
            Replies.json("{}"),
            Replies.json("{\"choices\":[{}]}"),
            Replies.json("{\"choices\":" + "[".repeat(10_000)),
            Replies.body(200, "text/html", "<html>"),
            Replies.body(200, "application/json", ""),
            Replies.events("{not json}"),
            Replies.events("{\"choices\":[{\"index\":-1}]}"),
            Replies.events("{\"choices\":[{\"index\":99999999}]}"),
            Replies.events("{\"something\":\"else\"}"),
            Replies.events("x".repeat(5 << 20)))) {
      assertThat(after(reply)).isInstanceOf(Uncertain.class);
    }
  }

  @Test
  void an_answer_of_no_use_says_nothing_against_the_service() {
    assertThat(after(Replies.streamed(" ", "\n")))
        .isEqualTo(new BadAnswer("The model answered nothing."));
  }

  @Test
  void an_answer_without_end_is_cut_and_fails() {
    String piece = "x".repeat(1 << 20);

    assertThat(after(Replies.endless(piece)))
        .isEqualTo(new Failed("The model's answer is longer than can be taken."));
  }

  @Test
  void silence_before_and_after_the_headers_ends_in_time() {
    Uncertain slow = Uncertain.blameless("The provider took too long.");
    Duration moment = Duration.ofMillis(400);

    assertThat(after(Replies.silence(), moment)).isEqualTo(slow);
    // Which of two equal limits ends first, that of one pause or that of all, nobody knows.
    assertThat(after(Replies.silenceAfter("Once"), moment))
        .isInstanceOfAny(Uncertain.class, Failed.class);
  }

  @Test
  void a_text_that_takes_too_long_says_nothing_against_the_service() {
    assertThat(after(Replies.endless("drip"), Duration.ofMillis(400)))
        .isEqualTo(new Failed("The model's answer takes longer than can be waited for."));
  }

  @Test
  void a_service_that_is_gone_may_come_back() {
    OpenAiProvider provider = provider(Duration.ofSeconds(5));
    service.close();

    assertThat(provider.execute(work()))
        .isEqualTo(new Unavailable("The provider can't be reached.", Optional.empty()));
  }

  @Test
  void settings_print_without_the_key() {
    assertThat(settings(Duration.ofSeconds(1)).toString()).doesNotContain(KEY);
  }

  private Outcome after(OpenAiDouble.Reply reply) {
    return after(reply, Duration.ofSeconds(20));
  }

  private Outcome after(OpenAiDouble.Reply reply, Duration timeout) {
    service.on(CHAT, reply);
    Outcome outcome = provider(timeout).execute(work());
    outcomes.add(outcome);
    return outcome;
  }

  private OpenAiSettings settings(Duration timeout) {
    return new OpenAiSettings(service.url(), KEY, OpenAiSettings.Models.USUAL, timeout);
  }

  private OpenAiProvider provider(Duration timeout) {
    return new OpenAiProvider(settings(timeout), new FetchClient(FetchPolicy.PUBLIC_WEB));
  }

  private static TestWork work() {
    return new TestWork().with("prompt", "Sell a shoe.");
  }
}
