package dev.millrace.engine.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report.Fail.Kind;
import dev.millrace.engine.command.Report.Result;
import dev.millrace.engine.job.Attempt;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.Lease;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.port.AuditLine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** An attempt is handed to an outside provider, once. */
class HandoverTest {

  private final Bench bench = Bench.withCredits(100);
  private final Leased leased = bench.running(new Order().caps(3, 2));
  private final JobId id = leased.job().id();

  @Test
  void the_intent_comes_first() {
    assertThat(bench.report(accept("their-1")))
        .isEqualTo(new Result.Denied(State.RUNNING, Trigger.PROVIDER_ACCEPTED));
    assertThat(bench.last().isEmpty()).isTrue();
    Job intending = bench.done(intend("faraway"));
    assertThat(intending.state()).isEqualTo(State.RUNNING);
    assertThat(intending.lease())
        .isEqualTo(Objects.requireNonNull(leased.job().lease()).intending("faraway"));
    assertThat(bench.tables.intended)
        .containsExactly(new Attempt.Intended(id, 1, "faraway", null, bench.now()));
    assertThat(bench.last().events()).isEmpty();
  }

  @Test
  void an_intent_said_twice_is_said_once_and_another_provider_is_refused() {
    bench.reportAll(intend("faraway"), intend("faraway"));
    assertThat(bench.tables.intended).hasSize(1);
    assertThat(bench.report(intend("elsewhere")))
        .isEqualTo(new Result.Denied(State.RUNNING, Trigger.PROVIDER_ACCEPTED));
    bench.done(intend("faraway"));
    assertThat(bench.last().isEmpty()).isTrue();
  }

  @Test
  void an_accepted_job_has_until_the_callbacks_deadline() {
    bench.done(intend("faraway"));
    bench.advance(Duration.ofSeconds(5));
    Job job = bench.done(accept("their-1"));
    assertThat(job.state()).isEqualTo(State.SUBMITTED);
    assertThat(job.times().deadlineAt()).isEqualTo(bench.now().plus(Bench.CALLBACK));
    assertThat(job.lease())
        .isEqualTo(new Lease(leased.token(), "w1", bench.now().plus(Bench.CALLBACK), "faraway"));
    assertThat(job.progress()).isEqualTo(new Progress(0, "submitted", "Accepted by the provider"));
    assertThat(bench.tables.accepted)
        .containsExactly(new Attempt.Accepted(id, 1, "faraway", "their-1", bench.now()));
  }

  @Test
  void it_is_accepted_once_and_the_first_reference_stays() {
    Job submitted = submitted();
    assertThat(bench.reportAll(accept("their-2"), accept("their-1")))
        .containsOnly(new Result.Done(submitted));
    assertThat(bench.tables.accepted)
        .extracting(Attempt.Accepted::reference)
        .containsExactly("their-1");
    assertThat(bench.last().events()).isEmpty();
  }

  @Test
  void what_may_be_at_the_provider_waits_as_if_it_were_until_somebody_knows() {
    bench.done(intend("faraway"));
    Job asking = bench.done(unconfirmed("faraway"));
    assertThat(asking.state()).isEqualTo(State.SUBMITTED);
    assertThat(asking.times().deadlineAt()).isEqualTo(bench.now().plus(Bench.CALLBACK));
    assertThat(asking.lease())
        .isEqualTo(new Lease(leased.token(), "w1", bench.now().plus(Bench.CALLBACK), "faraway"));
    assertThat(bench.tables.unconfirmed)
        .containsExactly(new Attempt.Unconfirmed(id, 1, bench.now()));
    bench.advance(Duration.ofMinutes(1));
    Job known = bench.done(accept("their-1"));
    assertThat(known.progress().message()).isEqualTo("Accepted by the provider");
    assertThat(known.times().deadlineAt()).isEqualTo(asking.times().deadlineAt());
    assertThat(bench.tables.accepted)
        .containsExactly(new Attempt.Accepted(id, 1, "faraway", "their-1", bench.now()));
  }

  @Test
  void what_the_provider_does_not_have_is_a_failure_with_its_backoff() {
    bench.reportAll(intend("faraway"), unconfirmed("faraway"));
    Job failed = bench.done(Bench.fail(id, leased.token(), Kind.RETRYABLE));
    assertThat(failed.state()).isEqualTo(State.PENDING);
    assertThat(failed.tries().failures()).isEqualTo(1);
  }

  @Test
  void an_attempt_that_sent_nothing_may_wait_for_word_of_an_earlier_one() {
    Job asking = bench.done(unconfirmed("faraway"));
    assertThat(asking.state()).isEqualTo(State.SUBMITTED);
    assertThat(bench.tables.intended).isEmpty();
    assertThat(Objects.requireNonNull(asking.lease()).provider()).isEqualTo("faraway");
  }

  @Test
  void an_unconfirmed_attempt_is_never_queued_again_by_its_worker() {
    bench.reportAll(intend("faraway"), unconfirmed("faraway"));
    assertThat(bench.report(new Report.Requeue(id, leased.token(), "spot")))
        .isEqualTo(new Result.Denied(State.SUBMITTED, Trigger.REQUEUE));
    assertThat(bench.done(new Report.LoseLease(id, leased.token(), true)).state())
        .isEqualTo(State.SUBMITTED);
  }

  @Test
  void a_safety_filter_is_quicker_than_a_cancel() {
    bench.done(new Report.Cancel(id));
    Job rejected = bench.done(Bench.fail(id, leased.token(), Kind.SAFETY));
    assertThat(rejected.state()).isEqualTo(State.REJECTED);
    assertThat(rejected.hold().captured()).isEqualTo(rejected.hold().amount());
    assertThat(bench.last().audits()).extracting(AuditLine::action).containsExactly("SAFE_BLOCK");
  }

  @Test
  void intent_and_acceptance_may_come_in_one_batch() {
    bench.reportAll(intend("faraway"), accept("their-1"));
    assertThat(bench.job(id).state()).isEqualTo(State.SUBMITTED);
  }

  @Test
  void a_job_that_is_being_canceled_stays_so_but_remembers_whom_to_cancel_it_with() {
    bench.reportAll(intend("faraway"), new Report.Cancel(id));
    Job canceling = bench.job(id);
    assertThat(bench.done(accept("their-1"))).isEqualTo(canceling);
    assertThat(canceling.state()).isEqualTo(State.CANCELING);
    assertThat(bench.tables.accepted)
        .containsExactly(new Attempt.Accepted(id, 1, "faraway", "their-1", bench.now()));
    assertThat(bench.last().events()).isEmpty();
    bench.done(new Report.AcknowledgeCancel(id, leased.token()));
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(100);
  }

  @Test
  void nothing_new_is_handed_over_while_it_is_being_canceled() {
    bench.done(new Report.Cancel(id));
    assertThat(bench.report(intend("faraway")))
        .isEqualTo(new Result.Denied(State.CANCELING, Trigger.PROVIDER_ACCEPTED));
    assertThat(bench.tables.intended).isEmpty();
  }

  @Test
  void a_heartbeat_never_shortens_what_the_callback_was_granted() {
    Job submitted = submitted();
    bench.advance(Duration.ofMinutes(10));
    Job alive = bench.done(Bench.beat(id, leased.token()));
    assertThat(alive.lease()).isEqualTo(submitted.lease());
    bench.advance(Bench.CALLBACK.minus(Duration.ofMinutes(10)).minusSeconds(5));
    assertThat(
            Objects.requireNonNull(bench.done(Bench.beat(id, leased.token())).lease()).expiresAt())
        .as("nor does it refuse to extend it")
        .isEqualTo(bench.now().plus(Bench.LEASE));
    assertThat(bench.job(id).times().deadlineAt()).isEqualTo(submitted.times().deadlineAt());
  }

  @Test
  void a_lease_lost_while_submitted_does_nothing_below_the_cap() {
    Job submitted = submitted();
    bench.advance(Bench.CALLBACK);
    assertThat(bench.done(new Report.LoseLease(id, leased.token(), false))).isEqualTo(submitted);
    assertThat(bench.last().isEmpty()).isTrue();
  }

  @Test
  void a_worker_that_is_gone_takes_nothing_back_from_the_provider_even_at_the_cap() {
    bench.done(new Report.Requeue(id, leased.token(), "spot"));
    Leased second = bench.lease();
    bench.done(new Report.Intend(id, second.token(), "faraway"));
    Job submitted = bench.done(new Report.Accept(id, second.token(), "their-1"));
    assertThat(bench.done(new Report.LoseLease(id, second.token(), true))).isEqualTo(submitted);
    bench.advance(Bench.CALLBACK);
    assertThat(bench.done(new Report.LoseLease(id, second.token(), false)).state())
        .isEqualTo(State.DEAD_LETTER);
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(100);
  }

  @Test
  void a_callback_that_does_not_come_expires_the_job_and_refunds_it() {
    submitted();
    bench.advance(Bench.CALLBACK.minusMillis(1));
    assertThat(bench.done(new Report.MissDeadline(id)).state()).isEqualTo(State.SUBMITTED);
    bench.advance(Duration.ofMillis(1));
    Job expired = bench.done(new Report.MissDeadline(id));
    assertThat(expired.state()).isEqualTo(State.EXPIRED);
    assertThat(expired.progress().message()).isEqualTo("Took too long while submitted");
    assertThat(bench.tables.endedOf(id))
        .extracting(Attempt.Ended::outcome)
        .containsExactly("expired");
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(100);
  }

  @Test
  void the_next_attempt_is_handed_over_anew() {
    submitted();
    Job failed = bench.done(Bench.fail(id, leased.token(), Kind.RETRYABLE));
    assertThat(failed.state()).isEqualTo(State.PENDING);
    bench.store.setNow(failed.times().dueAt());
    bench.done(new Report.Promote(id, 1));
    Leased second = bench.lease();
    assertThat(Objects.requireNonNull(second.job().lease()).provider()).isNull();
    bench.done(new Report.Intend(id, second.token(), "elsewhere"));
    bench.done(new Report.Accept(id, second.token(), "their-2"));
    assertThat(bench.tables.accepted)
        .extracting(Attempt.Accepted::number, Attempt.Accepted::reference)
        .containsExactly(tuple(1, "their-1"), tuple(2, "their-2"));
  }

  @Test
  void a_submitted_job_is_never_queued_again_by_its_worker() {
    Job submitted = submitted();
    assertThat(
            bench.reportAll(
                new Report.Requeue(id, leased.token(), "spot"),
                new Report.AcknowledgeCancel(id, leased.token())))
        .containsOnly(new Result.Denied(State.SUBMITTED, Trigger.REQUEUE));
    assertThat(bench.job(id)).isEqualTo(submitted);
    assertThat(bench.leaseAll(new LeaseJobs("w2", List.of(1), 1)).getFirst()).isEmpty();
  }

  @Test
  void a_submitted_job_that_is_canceled_ends_when_the_grace_does_although_its_lease_is_long() {
    submitted();
    bench.done(new Report.Cancel(id));
    bench.advance(Bench.GRACE);
    assertThat(bench.done(new Report.MissDeadline(id)).state()).isEqualTo(State.CANCELED);
  }

  @Test
  void work_that_is_made_is_fetched_beyond_the_callbacks_deadline_and_not_for_ever() {
    submitted();
    bench.advance(Bench.CALLBACK.minusMillis(1));
    Job made = bench.done(made());
    Instant patience = bench.now().plus(Timings.FETCHING);
    assertThat(made.state()).isEqualTo(State.SUBMITTED);
    assertThat(made.times().deadlineAt()).isEqualTo(patience);
    assertThat(Objects.requireNonNull(made.lease()).expiresAt()).isEqualTo(patience);
    assertThat(made.progress())
        .isEqualTo(
            new Progress(0, "fetching", "Done by the provider; its result is being fetched"));
    bench.advance(Duration.ofMinutes(1));
    assertThat(bench.done(made())).as("said again").isEqualTo(made);
    assertThat(bench.done(new Report.MissDeadline(id))).isEqualTo(made);
    bench.advance(Timings.FETCHING);
    Job expired = bench.done(new Report.MissDeadline(id));
    assertThat(expired.state()).isEqualTo(State.EXPIRED);
    assertThat(expired.progress().message()).isEqualTo("Its result could not be fetched in time");
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(100);
  }

  @Test
  void a_heartbeat_does_not_take_back_that_work_is_made() {
    submitted();
    Job made = bench.done(made());
    Job alive =
        bench.done(
            new Report.Heartbeat(
                id, leased.token(), new Progress(40, "drawing", "On it"), Summary.EMPTY));
    assertThat(alive.progress()).isEqualTo(made.progress());
    assertThat(alive.times().deadlineAt()).isEqualTo(made.times().deadlineAt());
  }

  private Report made() {
    return new Report.Made(id, leased.token());
  }

  private Job submitted() {
    bench.done(intend("faraway"));
    return bench.done(accept("their-1"));
  }

  private Report intend(String provider) {
    return new Report.Intend(id, leased.token(), provider);
  }

  private Report unconfirmed(String provider) {
    return new Report.Unconfirmed(id, leased.token(), provider);
  }

  private Report accept(String reference) {
    return new Report.Accept(id, leased.token(), reference);
  }
}
