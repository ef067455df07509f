package dev.millrace.engine.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.WorkingSet.Target;
import dev.millrace.engine.job.Facts;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.job.Times;
import dev.millrace.engine.job.Tries;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.money.Hold;
import dev.millrace.engine.port.Changes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/**
 * A job that was brought into a certain state on the way that jobs take.
 *
 * @param token of its newest lease, or one that was never given out
 */
record Subject(JobId id, UUID token) {

  private static final UUID NOBODYS = new UUID(0xdead, 0xdead);

  /** Brings a job there; the queue must be empty before. */
  static Subject in(State state, Bench bench, Order order) {
    return switch (state) {
      case PENDING -> waiting(bench.submit(order.runAt(bench.now().plusSeconds(60))));
      case QUEUED -> waiting(bench.submit(order));
      case RUNNING -> of(bench.running(order));
      case SUBMITTED -> accepted(bench, bench.running(order));
      case WAITING_REVIEW -> completed(bench, bench.running(order.review(true)));
      case CANCELING -> after(bench, of(bench.running(order)), s -> new Report.Cancel(s.id));
      case COMPLETED -> completed(bench, bench.running(order.review(false)));
      case FAILED ->
          after(
              bench,
              of(bench.running(order)),
              s -> Bench.fail(s.id, s.token, Report.Fail.Kind.PERMANENT));
      case DEAD_LETTER -> exhausted(bench, bench.running(order));
      case REJECTED ->
          after(
              bench,
              of(bench.running(order)),
              s -> Bench.fail(s.id, s.token, Report.Fail.Kind.SAFETY));
      case CANCELED -> after(bench, waiting(bench.submit(order)), s -> new Report.Cancel(s.id));
      case EXPIRED -> {
        Subject subject = waiting(bench.submit(order));
        bench.advance(Duration.ofSeconds(Order.QUEUE_SECONDS));
        yield after(bench, subject, s -> new Report.MissDeadline(s.id));
      }
      case BLOCKED -> blocked(bench);
    };
  }

  private static Subject of(Leased leased) {
    return new Subject(leased.job().id(), leased.token());
  }

  private static Subject waiting(Job job) {
    return new Subject(job.id(), NOBODYS);
  }

  private static Subject after(Bench bench, Subject subject, Function<Subject, Report> report) {
    bench.done(report.apply(subject));
    return subject;
  }

  private static Subject completed(Bench bench, Leased leased) {
    return after(bench, of(leased), s -> Bench.complete(s.id, s.token));
  }

  private static Subject exhausted(Bench bench, Leased first) {
    Leased leased = first;
    while (bench.done(new Report.Requeue(leased.job().id(), leased.token(), "spot")).state()
        == State.QUEUED) {
      leased = bench.lease();
    }
    return of(leased);
  }

  /** No command tells yet that a provider accepted, so the step is taken by hand. */
  private static Subject accepted(Bench bench, Leased leased) {
    WorkingSet set = new WorkingSet(bench.now());
    Job job = leased.job();
    Target target = new Target(State.SUBMITTED, job.times(), job.lease(), 0);
    assertThat(set.move(job, Trigger.PROVIDER_ACCEPTED, target)).isPresent();
    bench.store.write(set.changes());
    return of(leased);
  }

  /** No command makes a blocked job yet. */
  private static Subject blocked(Bench bench) {
    Instant now = bench.now();
    Job job =
        new Job(
            new JobId(Bench.ADA.tenant(), new UUID(0xb10c, 0)),
            new Facts(1, 1, 1, 0, Order.RUN_SECONDS, Order.QUEUE_SECONDS, false, false),
            State.BLOCKED,
            1,
            Progress.NONE,
            Summary.EMPTY,
            Tries.none(3, 10),
            Hold.NONE,
            new Times(now, now, null, now, null, now),
            null,
            null);
    bench.store.write(
        new Changes(
            now,
            List.of(new Changes.NewJob(job, 0, "{}", null, "f", null)),
            List.of(),
            List.of(JobEvent.of(job, Trigger.SUBMIT, null)),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            Map.of()));
    return waiting(job);
  }
}
