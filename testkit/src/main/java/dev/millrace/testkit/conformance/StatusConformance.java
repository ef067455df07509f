package dev.millrace.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.spi.provider.Finding;
import dev.millrace.spi.provider.Order;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Submission;
import dev.millrace.testkit.outside.Answered;
import dev.millrace.testkit.outside.Trouble;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which answers to a submit say that it was not taken, and when "not there" says so. */
public abstract class StatusConformance extends SubmitConformance {

  private static Answered page(int status) {
    return new Answered(status, Map.of("Location", "/elsewhere"), "<h1>" + status + "</h1>");
  }

  private Outcome submitted() throws InterruptedException {
    return ((Submission.Declined) provider.submit(order())).outcome();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        300, 301, 302, 303, 307, 308, 408, 409, 418, 423, 424, 425, 499, 500, 501, 502, 503, 504,
        507, 508, 520, 521, 522, 523, 524, 525, 529, 530, 599
      })
  void an_answer_that_is_no_clear_refusal_is_uncertain_whatever_was_done(int status)
      throws InterruptedException {
    service.takeNextSubmitAndAnswer(page(status));
    Outcome taken = submitted();
    service.refuseNextSubmit(page(status));
    Outcome refused = submitted();

    assertThat(taken).isInstanceOf(Outcome.Uncertain.class).isEqualTo(refused);
    assertThat(service.submitsOf(INTENT)).isEqualTo(2);
    assertThat(service.asked()).hasSize(2);
    assertThat(service.acceptedPerIntent()).isEqualTo(Map.of(INTENT, 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 402, 403, 404, 405, 410, 413, 415, 422, 429, 431, 451})
  void a_plain_refusal_is_not_uncertain(int status) throws InterruptedException {
    service.refuseNextSubmit(page(status));

    assertThat(submitted())
        .isInstanceOfAny(Outcome.Failed.class, Outcome.Unavailable.class, Outcome.Throttled.class);
    assertThat(service.submitsOf(INTENT)).isOne();
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 422, 429, 500, 502, 503})
  void an_answer_to_a_submit_tells_nothing_of_the_services_machines(int status)
      throws InterruptedException {
    String words = "see https://gpu7.internal/x, key r8_Abc123Def456, /srv/models/x.py, 10.0.0.7";
    service.refuseNextSubmit(
        Answered.json(status, "{\"detail\":\"" + words + "\",\"title\":\"" + words + "\"}"));

    assertThat(submitted().toString()).doesNotContain("gpu7", "r8_", "/srv", "10.0.0.7");
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 502, 503, 504})
  void work_that_was_taken_behind_an_error_is_found_or_nobody_can_say(int status)
      throws InterruptedException {
    service.takeNextSubmitAndAnswer(page(status));
    submitted();

    if (provider.canBeAsked()) {
      assertThat(provider.find(order()))
          .isEqualTo(new Finding.Found(service.references().getFirst()));
    } else {
      assertThat(provider.find(order())).isInstanceOf(Finding.Unknown.class);
    }
  }

  @Test
  void a_pause_that_an_error_asks_for_is_kept_as_a_hint() throws InterruptedException {
    service.refuseNextSubmit(new Answered(503, Map.of("Retry-After", "40"), ""));

    Outcome outcome = submitted();

    assertThat(outcome).isInstanceOf(Outcome.Uncertain.class);
    assertThat(((Outcome.Uncertain) outcome).retryAfter())
        .isEqualTo(Optional.of(Duration.ofSeconds(40)));
  }

  @Test
  void a_provider_says_whether_it_can_be_asked_and_how_long_work_may_be_missing() {
    assertThat(provider.canBeAsked()).isEqualTo(rig.canFind());
    assertThat(provider.settlingTime()).isBetween(Duration.ofSeconds(1), Duration.ofHours(1));
  }

  @Test
  void work_that_appears_late_is_not_absent_before_it_has_settled() throws InterruptedException {
    Order order = order();
    service.hideNewWork();
    service.onSubmit(Trouble.CUT_AFTER);
    submitted();

    assertThat(provider.find(order)).isInstanceOf(Finding.Unknown.class);
    clock.advance(provider.settlingTime().minusSeconds(1));
    assertThat(provider.find(order)).isInstanceOf(Finding.Unknown.class);
    service.listAll();
    assertThat(provider.find(order))
        .isInstanceOf(rig.canFind() ? Finding.Found.class : Finding.Unknown.class);
  }

  @Test
  void a_second_submit_begins_a_new_settling_time() throws InterruptedException {
    Order first = order();
    service.refuseNextSubmit(page(500));
    submitted();
    clock.advance(provider.settlingTime());
    Order again = first.lastSubmittedAt(clock.instant());
    service.listAfter(provider.settlingTime().minusSeconds(1));
    service.takeNextSubmitAndAnswer(page(504));
    assertThat(((Submission.Declined) provider.submit(again)).outcome())
        .isInstanceOf(Outcome.Uncertain.class);

    assertThat(provider.find(again)).isInstanceOf(Finding.Unknown.class);
    clock.advance(provider.settlingTime().minusSeconds(1));
    assertThat(provider.find(again))
        .isInstanceOf(rig.canFind() ? Finding.Found.class : Finding.Unknown.class);
    assertThat(service.acceptedPerIntent()).isEqualTo(Map.of(INTENT, 1));
  }
}
