package dev.millrace.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.spi.provider.AsyncProvider;
import dev.millrace.spi.provider.Cancellation;
import dev.millrace.spi.provider.Order;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Standing;
import dev.millrace.spi.provider.Submission;
import dev.millrace.testkit.outside.OutsideService;
import dev.millrace.testkit.outside.Postbox;
import dev.millrace.testkit.outside.Trouble;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How work goes that an outside service takes: its progress, its ends, and questions about it. */
public abstract class AsyncConformance {

  protected static final String INTENT = "int_0123456789";
  protected static final Duration PATIENT = Duration.ofSeconds(20);
  protected static final Duration HASTY = Duration.ofSeconds(2);
  private static final int MANY = 5_000;

  protected final HandClock clock = new HandClock();
  protected final Postbox postbox = new Postbox();

  @SuppressWarnings("NullAway.Init")
  protected Rig rig;

  @SuppressWarnings("NullAway.Init")
  protected OutsideService service;

  @SuppressWarnings("NullAway.Init")
  protected AsyncProvider provider;

  /** Starts a double that goes by the clock, and says how to make a provider for it. */
  protected abstract Rig rig(HandClock clock);

  @BeforeEach
  void openTheService() {
    rig = rig(clock);
    service = rig.service();
    provider = rig.provider(PATIENT);
  }

  @AfterEach
  void closeTheService() {
    service.close();
    postbox.close();
  }

  protected Order order() {
    return order(INTENT);
  }

  protected Order order(String intent) {
    return new Order(
        intent,
        "job_test",
        1,
        rig.settings(),
        Map.of("prompt", "a cat", "steps", 4),
        Optional.of(postbox.address(intent)),
        clock.instant(),
        Optional.of(Duration.ofMinutes(30)));
  }

  /** Submits, and expects that it is taken. */
  protected String accepted(Order order) throws InterruptedException {
    return ((Submission.Accepted) provider.submit(order)).reference();
  }

  protected static Outcome outcome(Standing standing) {
    return ((Standing.Ended) standing).outcome();
  }

  @Test
  void the_settings_of_a_good_workflow_have_no_mistakes() {
    assertThat(provider.mistakes(rig.settings())).isEmpty();
  }

  @Test
  void accepted_work_has_a_reference_and_a_bounded_pause() throws InterruptedException {
    Submission submission = provider.submit(order());

    assertThat(submission).isInstanceOf(Submission.Accepted.class);
    Submission.Accepted accepted = (Submission.Accepted) submission;
    assertThat(service.references()).containsExactly(accepted.reference());
    assertThat(accepted.askAfter()).isBetween(Duration.ofSeconds(1), Duration.ofMinutes(5));
  }

  @Test
  void the_intent_travels_with_the_submit() throws InterruptedException {
    accepted(order());

    assertThat(service.asked()).singleElement().asString().contains(INTENT);
  }

  @Test
  void progress_is_told() throws InterruptedException {
    Order order = order();
    String reference = accepted(order);
    assertThat(provider.collect(order, reference)).isInstanceOf(Standing.Going.class);
    service.run(reference, 40);

    Standing.Going going = (Standing.Going) provider.collect(order, reference);

    assertThat(going.percent()).isEqualTo(OptionalInt.of(40));
    assertThat(going.askAfter()).isBetween(Duration.ofSeconds(1), Duration.ofMinutes(5));
  }

  @Test
  void success_gives_outputs_and_usage_as_often_as_it_is_collected() throws InterruptedException {
    Order order = order();
    String reference = accepted(order);
    service.succeed(reference);

    for (int i = 0; i < 2; i++) {
      Standing.Ended ended = (Standing.Ended) provider.collect(order, reference);
      Outcome.Succeeded succeeded = (Outcome.Succeeded) ended.outcome();
      assertThat(succeeded.outputs()).isNotEmpty();
      assertThat(ended.usage().computing()).contains(Duration.ofMillis(2_400));
    }
    assertThat(service.bill()).isOne();
  }

  @Test
  void a_safety_filter_rejects() throws InterruptedException {
    Order order = order();
    String reference = accepted(order);
    service.refuse(reference);

    assertThat(outcome(provider.collect(order, reference))).isInstanceOf(Outcome.Rejected.class);
  }

  @Test
  void a_failure_is_told_in_its_own_words() throws InterruptedException {
    Order order = order();
    String reference = accepted(order);
    service.fail(reference, "The width must be\0 a multiple of 8.\nTraceback");

    Outcome outcome = outcome(provider.collect(order, reference));

    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    assertThat(((Outcome.Failed) outcome).message())
        .contains("The width must be")
        .doesNotContain("\0", "\n");
  }

  @Test
  void what_a_service_says_about_its_machines_is_not_passed_on() throws InterruptedException {
    Order order = order();
    String reference = accepted(order);
    String said =
        "The width is odd: POST https://gpu7.internal:8188/run with Bearer r8_Abc123Def456 at"
            + " 10.0.0.7 failed in /srv/models/x.py\u202e token=abc";
    service.fail(reference, said);

    Outcome outcome = outcome(provider.collect(order, reference));
    String message = ((Outcome.Failed) outcome).message();

    assertThat(message).contains("The width is odd: POST [url] with Bearer [secret]");
    assertThat(message).doesNotContain("gpu7", "r8_", "10.0.0.7", "/srv", "\u202e", "abc");
  }

  @Test
  void more_outputs_than_anybody_takes_fail() throws Exception {
    Order order = order();
    String reference = accepted(order);
    service.succeed(
        reference, tools.jackson.databind.json.JsonMapper.shared().readTree(rig.manyOutputs(MANY)));

    assertThat(outcome(provider.collect(order, reference))).isInstanceOf(Outcome.Failed.class);
  }

  @Test
  void a_reply_of_endless_bytes_is_not_read_to_its_end() throws InterruptedException {
    Order order = order();
    String reference = accepted(order);
    service.onQuestion(Trouble.HUGE);

    assertThat(outcome(provider.collect(order, reference))).isInstanceOf(Outcome.Failed.class);
  }

  @ParameterizedTest
  @EnumSource(
      value = Trouble.class,
      names = {"CUT_BEFORE", "CUT_AFTER", "BROKEN", "BAD_GATEWAY", "GARBAGE", "UNAUTHORIZED"})
  void trouble_with_a_question_says_nothing_about_the_work(Trouble trouble)
      throws InterruptedException {
    Order order = order();
    String reference = accepted(order);
    service.run(reference, 40);
    for (int i = 0; i < 2; i++) {
      // A question may be asked twice, since it changes nothing.
      service.onQuestion(trouble);
    }

    assertThat(provider.collect(order, reference)).isInstanceOf(Standing.NoAnswer.class);
  }

  @Test
  void silence_on_a_question_ends_with_the_callers_patience() throws InterruptedException {
    Order order = order();
    String reference = accepted(order);
    service.onQuestion(Trouble.SILENT_BEFORE);

    assertThat(rig.provider(HASTY).collect(order, reference)).isInstanceOf(Standing.NoAnswer.class);
  }

  @Test
  void a_question_that_comes_too_often_waits_as_long_as_it_is_told() throws InterruptedException {
    Order order = order();
    String reference = accepted(order);
    service.onQuestion(Trouble.THROTTLED);

    Standing standing = provider.collect(order, reference);

    assertThat(standing).isInstanceOf(Standing.NoAnswer.class);
    assertThat(((Standing.NoAnswer) standing).askAfter()).isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void work_that_the_service_forgot_is_missing_after_a_while_and_has_not_ended()
      throws InterruptedException {
    Order order = order();
    String unknown = accepted(order).replaceFirst("...$", "zzz");

    assertThat(provider.collect(order, unknown)).isInstanceOf(Standing.NoAnswer.class);
    clock.advance(Duration.ofMinutes(10));
    assertThat(provider.collect(order, unknown)).isInstanceOf(Standing.Missing.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"../../accounts", "a/b", "a?b=c", "a%2Fb", "a b", "#"})
  void a_reference_can_not_change_what_is_asked_for(String hostile) throws InterruptedException {
    Order order = order();
    accepted(order);
    int before = service.asked().size();

    provider.collect(order, hostile);
    provider.cancel(order, hostile);

    assertThat(service.asked().subList(before, service.asked().size()))
        .allSatisfy(asked -> {
          assertThat(asked.path()).doesNotContain("/../", "/a/b", "/accounts");
          assertThat(asked.query()).doesNotContain("b=c");
        });
  }

  @Test
  void a_cancel_stops_running_work() throws InterruptedException {
    Order order = order();
    String reference = accepted(order);
    service.run(reference, 10);

    assertThat(provider.cancel(order, reference)).isIn(rig.cancels());
    assertThat(outcome(provider.collect(order, reference))).isEqualTo(new Outcome.Canceled());
  }

  @Test
  void a_cancel_of_finished_work_comes_too_late() throws InterruptedException {
    Order order = order();
    String reference = accepted(order);
    service.succeed(reference);

    assertThat(provider.cancel(order, reference)).isEqualTo(Cancellation.TOO_LATE);
    assertThat(outcome(provider.collect(order, reference))).isInstanceOf(Outcome.Succeeded.class);
  }

  @Test
  void a_cancel_of_unknown_work_says_so() throws InterruptedException {
    Order order = order();
    String unknown = accepted(order).replaceFirst("...$", "zzz");

    assertThat(provider.cancel(order, unknown)).isEqualTo(Cancellation.UNKNOWN);
  }

  @ParameterizedTest
  @EnumSource(
      value = Trouble.class,
      names = {"CUT_AFTER", "BROKEN", "BAD_GATEWAY", "THROTTLED"})
  void a_cancel_that_gets_no_answer_can_be_tried_again(Trouble trouble)
      throws InterruptedException {
    Order order = order();
    String reference = accepted(order);
    service.onQuestion(trouble);

    assertThat(provider.cancel(order, reference)).isEqualTo(Cancellation.NO_ANSWER);
  }
}
