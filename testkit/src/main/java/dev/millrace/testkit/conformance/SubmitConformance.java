package dev.millrace.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.spi.provider.Finding;
import dev.millrace.spi.provider.Order;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Submission;
import dev.millrace.testkit.outside.Trouble;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What trouble with a submit means, and that nothing is ever bought twice. */
public abstract class SubmitConformance extends AsyncConformance {

  private static final Duration SETTLED = Duration.ofMinutes(10);

  private Outcome declined(Trouble trouble) throws InterruptedException {
    int asked = service.asked().size();
    int bill = service.bill() + (trouble == Trouble.SILENT_AFTER ? 1 : 0);
    service.onSubmit(trouble);
    boolean silent = trouble == Trouble.SILENT_BEFORE || trouble == Trouble.SILENT_AFTER;
    Submission submission = (silent ? rig.provider(HASTY) : provider).submit(order());
    if (silent) {
      // Who is hasty may give up before a slow service has looked at what it was sent.
      await().until(() -> service.asked().size() > asked && service.bill() >= bill);
    }
    return ((Submission.Declined) submission).outcome();
  }

  @ParameterizedTest
  @EnumSource(
      value = Trouble.class,
      names = {"CUT_AFTER", "SILENT_AFTER", "GARBAGE", "HUGE"})
  void a_submit_whose_answer_is_lost_is_uncertain_and_was_sent_once(Trouble trouble)
      throws InterruptedException {
    assertThat(declined(trouble)).isInstanceOf(Outcome.Uncertain.class);
    assertThat(service.bill()).isOne();
    assertThat(service.asked()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = Trouble.class,
      names = {"CUT_BEFORE", "SILENT_BEFORE", "BAD_GATEWAY", "BROKEN"})
  void a_submit_that_may_have_arrived_is_uncertain(Trouble trouble) throws InterruptedException {
    assertThat(declined(trouble)).isInstanceOf(Outcome.Uncertain.class);
    assertThat(service.bill()).isZero();
    assertThat(service.asked()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = Trouble.class,
      names = {"CUT_AFTER", "SILENT_AFTER", "GARBAGE", "HUGE"})
  void uncertain_work_that_was_taken_is_found_or_nobody_can_say(Trouble trouble)
      throws InterruptedException {
    Order order = order();
    provider.submit(order("int_another_1"));
    declined(trouble);
    provider.submit(order("int_another_2"));

    Finding finding = provider.find(order);

    if (rig.canFind()) {
      assertThat(finding).isEqualTo(new Finding.Found(service.references().get(1)));
    } else {
      assertThat(finding).isInstanceOf(Finding.Unknown.class);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Trouble.class,
      names = {"CUT_BEFORE", "SILENT_BEFORE", "BAD_GATEWAY", "BROKEN"})
  void uncertain_work_that_was_not_taken_is_absent_once_that_is_sure(Trouble trouble)
      throws InterruptedException {
    Order order = order();
    provider.submit(order("int_another_1"));
    declined(trouble);

    assertThat(provider.find(order)).isInstanceOf(Finding.Unknown.class);
    clock.advance(SETTLED);
    // A service that can't be asked says so for ever, and never that nothing is there.
    assertThat(provider.find(order))
        .isInstanceOf(rig.canFind() ? Finding.Absent.class : Finding.Unknown.class);
  }

  @ParameterizedTest
  @EnumSource(
      value = Trouble.class,
      names = {"CUT_BEFORE", "BROKEN", "BAD_GATEWAY", "GARBAGE", "HUGE", "THROTTLED"})
  void trouble_while_searching_never_means_absent(Trouble trouble) throws InterruptedException {
    Order order = order();
    declined(Trouble.CUT_AFTER);
    clock.advance(SETTLED);
    for (int i = 0; i < 2; i++) {
      service.onQuestion(trouble);
    }

    assertThat(provider.find(order)).isInstanceOf(Finding.Unknown.class);
  }

  @Test
  void too_many_submits_are_throttled_for_as_long_as_the_service_says()
      throws InterruptedException {
    assertThat(declined(Trouble.THROTTLED))
        .isEqualTo(new Outcome.Throttled(Optional.of(Duration.ofSeconds(7))));
    assertThat(service.bill()).isZero();
  }

  @Test
  void a_refused_account_is_not_the_customers_fault() throws InterruptedException {
    assertThat(declined(Trouble.UNAUTHORIZED)).isInstanceOf(Outcome.Unavailable.class);
  }

  @Test
  void a_refused_input_fails_for_good_and_says_why() throws InterruptedException {
    Outcome outcome = declined(Trouble.INVALID);

    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    assertThat(((Outcome.Failed) outcome).message()).contains("input.prompt: required");
  }

  @Test
  void a_service_that_can_not_be_reached_is_unavailable_and_not_uncertain()
      throws InterruptedException {
    service.close();

    assertThat(((Submission.Declined) provider.submit(order())).outcome())
        .isInstanceOf(Outcome.Unavailable.class);
  }
}
