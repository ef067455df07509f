package dev.millrace.engine.command;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import java.time.Duration;
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

  private static Subject accepted(Bench bench, Leased leased) {
    JobId id = leased.job().id();
    bench.done(new Report.Intend(id, leased.token(), "faraway"));
    bench.done(new Report.Accept(id, leased.token(), "their-1"));
    return of(leased);
  }

  private static Subject blocked(Bench bench) {
    return waiting(bench.blocked(new Order().denied("violence")));
  }
}
