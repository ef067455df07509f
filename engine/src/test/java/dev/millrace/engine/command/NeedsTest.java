package dev.millrace.engine.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.port.Callback;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Row;
import dev.millrace.engine.port.Share;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a command says that it needs is what its decision locks, so that others can go first. */
class NeedsTest {

  private static final JobId JOB = new JobId(1, new UUID(1, 1));
  private static final UUID TOKEN = new UUID(4, 1);
  private static final Callback.Id CALL = new Callback.Id("fal", "e1");
  private static final Row OF_JOB = new Row.OfJob(JOB);
  private static final Row OF_PAYER = new Row.OfPayer(JOB);

  private static Row share(int workflow) {
    return new Row.OfShare(new Share.Id(workflow, 1));
  }

  /** A report, and all that it locks. */
  record Case(Report report, Set<Row> needs) {}

  static List<Case> reports() {
    Report.FollowUp next =
        new Report.FollowUp(
            new UUID(2, 1),
            new Order().workflow(7).make(new UUID(3, 1)).terms(),
            "f",
            "{}",
            Changes.Labels.NONE);
    Report.Complete called =
        new Report.Complete(JOB, TOKEN, List.of(Bench.output()), Summary.EMPTY, CALL);
    return List.of(
        new Case(Bench.beat(JOB, TOKEN), Set.of(OF_JOB)),
        new Case(new Report.Accept(JOB, TOKEN, "r"), Set.of(OF_JOB)),
        new Case(Bench.complete(JOB, TOKEN), Set.of(OF_JOB, OF_PAYER)),
        new Case(called, Set.of(OF_JOB, OF_PAYER, new Row.OfCallback(CALL))),
        new Case(new Report.Decline(JOB, "rita", "no"), Set.of(OF_JOB, OF_PAYER)),
        new Case(
            new Report.RejectByPolicy(JOB, "rita", new Failure("a", "b")),
            Set.of(OF_JOB, OF_PAYER)),
        new Case(new Report.Promote(JOB, 5), Set.of(OF_JOB, share(5))),
        new Case(new Report.Reroute(JOB, 5, 6, 0, "m"), Set.of(OF_JOB, share(6))),
        new Case(new Report.RetryInPlace(JOB, "rita", 8, 1, 1), Set.of(OF_JOB, OF_PAYER, share(8))),
        new Case(new Report.Approve(JOB, "rita", null, null), Set.of(OF_JOB, OF_PAYER)),
        new Case(new Report.Approve(JOB, "rita", null, next), Set.of(OF_JOB, OF_PAYER, share(7))));
  }

  @ParameterizedTest
  @MethodSource("reports")
  void a_report_needs_its_job_and_whatever_it_may_move(Case one) {
    Timings timings =
        new Timings(
            Bench.LEASE,
            Bench.CALLBACK,
            Bench.REVIEW,
            Bench.GRACE,
            new Timings.Backoff(Duration.ofSeconds(2), Duration.ofMinutes(5)));
    assertThat(new ReportBatch(timings).needs(one.report())).isEqualTo(one.needs());
  }

  @Test
  void a_submit_needs_its_wallet_and_its_place_in_the_queue() {
    SubmitJob first = new Order().workflow(3).make(new UUID(3, 1));
    SubmitJob second = new Order().workflow(4).make(new UUID(3, 2));
    Row wallet = new Row.OfWallet(Bench.ADA);
    assertThat(new SubmitBatch().needs(first)).isEqualTo(Set.of(wallet, share(3)));
    assertThat(
            new SubmitMany.Booking()
                .needs(
                    new SubmitMany(
                        new UUID(2, 1), Bench.ADA, null, "f", true, List.of(first, second))))
        .isEqualTo(Set.of(wallet, share(3), share(4)));
    assertThat(new TopUp.Booking().needs(new TopUp(Bench.ADA, 1, "p", null)))
        .isEqualTo(Set.of(wallet));
  }

  @Test
  void a_lease_needs_its_turn_and_an_enrolled_worker_its_own_row() {
    LeaseBatch batch =
        new LeaseBatch(
            new Timings(
                Bench.LEASE,
                Bench.CALLBACK,
                Bench.REVIEW,
                Bench.GRACE,
                new Timings.Backoff(Duration.ofSeconds(2), Duration.ofMinutes(5))),
            UUID::randomUUID);
    assertThat(batch.needs(new LeaseJobs("w", List.of(1), 1))).isEqualTo(Set.of(new Row.OfCaps()));
    assertThat(batch.needs(new LeaseJobs("w", List.of(1), 1, true)))
        .isEqualTo(Set.of(new Row.OfCaps(), new Row.OfWorker("w")));
  }

  @Test
  void a_callback_needs_itself_and_the_job_that_it_may_be_late_for() {
    Row call = new Row.OfCallback(CALL);
    assertThat(new Callbacks().needs(new Callbacks.Receive(CALL, "r"))).isEqualTo(Set.of(call));
    assertThat(new Callbacks().needs(new Callbacks.JudgeLate(CALL, JOB, TOKEN)))
        .isEqualTo(Set.of(call, OF_JOB));
  }

  @Test
  void a_job_is_linked_to_what_it_repeats_and_to_what_it_follows() {
    UUID other = new UUID(1, 2);
    assertThat(Changes.Links.retryOf(other, null))
        .isEqualTo(new Changes.Links(other, null, null, Changes.Labels.NONE));
    assertThat(Changes.Links.follows(other))
        .isEqualTo(new Changes.Links(null, other, null, Changes.Labels.NONE));
  }
}
