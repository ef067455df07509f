package dev.millrace.engine.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report.Result;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.JobTerms;
import dev.millrace.engine.job.OutputFile;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.money.Hold;
import dev.millrace.engine.money.Price;
import dev.millrace.engine.port.AuditLine;
import dev.millrace.engine.port.Changes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A result of three outputs at 3 credits each waits for its reviewer. The hold is 10 credits. */
class ReviewTest {

  private static final UUID ONE = new UUID(1, 1);
  private static final UUID TWO = new UUID(1, 2);
  private static final UUID THREE = new UUID(1, 3);
  private static final UUID NEXT = new UUID(2, 1);

  private final Bench bench = Bench.withCredits(100);

  @Test
  void an_approved_result_is_completed_and_paid_by_the_output() {
    JobId id = waiting(new Order());
    assertThat(bench.job(id).summary())
        .isEqualTo(Bench.summary(Map.of("items", "3", "remaining", "3")));
    Job job = bench.done(approve(id, null, null));
    assertThat(job.state()).isEqualTo(State.COMPLETED);
    assertThat(job.hold()).isEqualTo(new Hold(1, 10, false, 9));
    assertThat(job.progress()).isEqualTo(new Progress(100, "done", "Approved"));
    assertThat(job.summary()).isEqualTo(counts(3, 3, 0));
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(91);
    assertThat(bench.tables.withheld).isEmpty();
  }

  @Test
  void item_by_item_only_what_is_let_through_is_paid_and_the_rest_is_withheld() {
    JobId id = waiting(new Order());
    Job job = bench.done(approve(id, Set.of(TWO), null));
    assertThat(job.hold().captured()).isEqualTo(3);
    assertThat(job.delivered()).isEqualTo(1);
    assertThat(job.summary()).isEqualTo(counts(3, 1, 2));
    assertThat(bench.tables.withheld)
        .containsExactlyInAnyOrder(new Changes.Withheld(id, ONE), new Changes.Withheld(id, THREE));
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(97);
  }

  @Test
  void a_price_for_the_job_is_due_whatever_is_let_through() {
    JobId id = waiting(new Order().price(Price.Unit.JOB, 0));
    bench.done(approve(id, Set.of(ONE), null));
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(90);
  }

  @Test
  void the_seconds_are_those_of_the_attempt_and_not_those_of_the_review() {
    Leased leased = bench.running(new Order().review(true).price(Price.Unit.SECOND, 1));
    bench.advance(Duration.ofSeconds(4));
    bench.done(three(leased));
    bench.advance(Duration.ofMinutes(50));
    assertThat(bench.done(approve(leased.job().id(), Set.of(ONE), null)).hold().captured())
        .isEqualTo(4);
  }

  @Test
  void items_that_are_none_or_not_the_jobs_are_refused_and_nothing_changes() {
    JobId id = waiting(new Order());
    Job before = bench.job(id);
    UUID stranger = new UUID(9, 9);
    assertThat(bench.report(approve(id, Set.of(), null)))
        .isEqualTo(new Result.NoSuchItems(Set.of()));
    assertThat(bench.report(approve(id, Set.of(ONE, stranger), null)))
        .isEqualTo(new Result.NoSuchItems(Set.of(stranger)));
    assertThat(bench.last().isEmpty()).isTrue();
    assertThat(bench.job(id)).isEqualTo(before);
  }

  @Test
  void outputs_of_an_earlier_life_are_not_up_for_approval() {
    JobId id = waiting(new Order());
    bench.advance(Bench.REVIEW);
    bench.done(new Report.MissDeadline(id));
    bench.done(new Report.RetryInPlace(id, "root", 1, 1, 1));
    Leased again = bench.lease();
    bench.done(
        new Report.Complete(id, again.token(), List.of(output(new UUID(5, 5))), Summary.EMPTY));
    assertThat(bench.report(approve(id, Set.of(ONE), null)))
        .isEqualTo(new Result.NoSuchItems(Set.of(ONE)));
    assertThat(bench.done(approve(id, null, null)).summary()).isEqualTo(counts(1, 1, 0));
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(97);
  }

  @Test
  void what_follows_up_starts_in_the_same_transaction_and_from_the_same_wallet() {
    JobId id = waiting(new Order().priority(4));
    bench.done(approve(id, null, followUp(40)));
    Job next = bench.job(new JobId(1, NEXT));
    assertThat(next.state()).isEqualTo(State.QUEUED);
    assertThat(next.terms().priority()).isEqualTo(4);
    assertThat(next.hold()).isEqualTo(new Hold(1, 40, true, 0));
    Changes.NewJob made = bench.tables.made.get(next.id());
    assertThat(made).isNotNull();
    assertThat(made.links()).isEqualTo(Changes.Links.follows(id.uuid()));
    assertThat(made.input()).isEqualTo("{\"apply\":true}");
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(51);
    assertThat(bench.lease().job().id()).isEqualTo(next.id());
  }

  @Test
  void a_follow_up_counts_what_the_approval_itself_gives_back() {
    JobId id = waiting(new Order());
    assertThat(bench.report(approve(id, null, followUp(92))))
        .isEqualTo(new Result.InsufficientCredits(92, 91));
    assertThat(bench.last().isEmpty()).isTrue();
    assertThat(bench.job(id).state()).isEqualTo(State.WAITING_REVIEW);
    bench.done(approve(id, Set.of(ONE), followUp(97)));
    assertThat(bench.store.balance(Bench.ADA)).isZero();
  }

  @Test
  void of_two_approvals_in_one_batch_one_counts_and_one_job_follows() {
    JobId id = waiting(new Order());
    List<Result> results =
        bench.reportAll(approve(id, null, followUp(5)), approve(id, Set.of(ONE), followUp(5)));
    assertThat(results.get(0)).isInstanceOf(Result.Done.class);
    assertThat(results.get(1)).isEqualTo(new Result.Denied(State.COMPLETED, Trigger.APPROVE));
    assertThat(bench.tables.jobs).hasSize(2);
    assertThat(bench.tables.withheld).isEmpty();
  }

  @Test
  void items_are_decided_some_now_and_others_later_and_the_last_one_ends_the_review() {
    JobId id = waiting(new Order());
    Job waiting = bench.done(review(id, Set.of(ONE), Set.of()));
    assertThat(waiting.state()).isEqualTo(State.WAITING_REVIEW);
    assertThat(waiting.summary().values())
        .containsEntry("approved", "1")
        .containsEntry("declined", "0")
        .containsEntry("remaining", "2");
    bench.done(review(id, Set.of(), Set.of(TWO)));
    assertThat(bench.report(review(id, Set.of(), Set.of(THREE))))
        .as("who decides about the last one ends it")
        .isEqualTo(new Result.ItemsDecided());
    Job job = bench.done(approve(id, Set.of(ONE), null));
    assertThat(job.state()).isEqualTo(State.COMPLETED);
    assertThat(job.hold().captured()).isEqualTo(3);
    assertThat(job.summary()).isEqualTo(counts(3, 1, 2));
    assertThat(bench.tables.withheld)
        .containsExactlyInAnyOrder(new Changes.Withheld(id, TWO), new Changes.Withheld(id, THREE));
  }

  @Test
  void what_was_decided_about_an_item_stays_decided() {
    JobId id = waiting(new Order());
    bench.reportAll(review(id, Set.of(ONE), Set.of()), review(id, Set.of(), Set.of(TWO)));
    Job before = bench.job(id);
    assertThat(
            bench.reportAll(
                review(id, Set.of(TWO), Set.of()),
                review(id, Set.of(), Set.of(ONE)),
                approve(id, Set.of(TWO, ONE), null),
                approve(id, Set.of(THREE), null),
                new Report.Decline(id, "rita", "All of it.")))
        .containsOnly(new Result.ItemsDecided());
    assertThat(bench.job(id)).isEqualTo(before);
    assertThat(bench.done(approve(id, null, null)).summary()).isEqualTo(counts(3, 2, 1));
  }

  @Test
  void delivered_is_what_was_let_through_whatever_the_price() {
    JobId id = waiting(new Order().price(Price.Unit.JOB, 0));
    assertThat(bench.done(approve(id, Set.of(ONE), null)).delivered()).isEqualTo(1);
    JobId declined = waiting(new Order());
    assertThat(bench.done(new Report.Decline(declined, "rita", "Blurred.")).delivered()).isZero();
  }

  @Test
  void a_declined_result_is_rejected_with_the_reason_and_nothing_remains_to_review() {
    JobId id = waiting(new Order());
    Job job = bench.done(new Report.Decline(id, "rita", "Blurred."));
    assertThat(job.state()).isEqualTo(State.REJECTED);
    assertThat(job.failure()).isEqualTo(new Failure("declined", "Blurred."));
    assertThat(job.progress().message()).isEqualTo("Declined: Blurred.");
    assertThat(job.summary()).isEqualTo(counts(3, 0, 3));
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(100);
    assertThat(bench.report(approve(id, null, null)))
        .isEqualTo(new Result.Denied(State.REJECTED, Trigger.APPROVE));
  }

  @Test
  void a_decline_that_consumes_takes_the_price_of_what_was_made_and_delivers_nothing() {
    JobId id = waiting(new Order().declineConsumes());
    Job declined = bench.done(new Report.Decline(id, "rita", "Blurred."));
    assertThat(declined.hold().captured()).isEqualTo(9);
    assertThat(declined.delivered()).isZero();
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(91);
  }

  @Test
  void a_moderator_rejects_only_what_has_not_begun_and_pays_it_back() {
    Job job = bench.submit(new Order());
    Failure why = new Failure("violence", "Not allowed here.");
    Job rejected = bench.done(new Report.RejectByPolicy(job.id(), "mona", why));
    assertThat(rejected.failure()).isEqualTo(why);
    assertThat(rejected.progress().message()).isEqualTo("Not allowed here.");
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(100);
    assertThat(bench.leaseAll(new LeaseJobs("w", List.of(1), 1)).getFirst()).isEmpty();
  }

  @Test
  void each_reason_for_holding_something_back_is_kept_once_and_only_for_this_result() {
    JobId id = waiting(new Order());
    Report first = new Report.ReviewItems(id, "rita", Set.of(), Set.of(ONE), "blurry");
    assertThat(bench.done(first).progress().message())
        .isEqualTo("Waiting for review: 2 to go. Declined: blurry");
    assertThat(reasons(bench.done(first))).isEqualTo("[\"blurry\"]");
    Job ended = bench.done(new Report.Approve(id, "rita", Set.of(TWO), null, "a \"tail\"\n\\"));
    assertThat(reasons(ended)).isEqualTo("[\"blurry\",\"a \\\"tail\\\"\\u000a\\\\\"]");
    assertThat(ended.progress().message()).startsWith("Approved 1 of 3. Declined: a");
  }

  @Test
  void a_reason_belongs_to_what_is_left_open_and_not_to_what_was_declined_before() {
    JobId open = waiting(new Order());
    Job first = bench.done(new Report.Approve(open, "rita", Set.of(ONE, TWO), null, "dark"));
    assertThat(reasons(first)).isEqualTo("[\"dark\"]");
    JobId declined = waiting(new Order());
    bench.done(review(declined, Set.of(), Set.of(THREE)));
    Job second = bench.done(new Report.Approve(declined, "rita", Set.of(ONE, TWO), null, "dark"));
    assertThat(reasons(second)).isNull();
  }

  @Test
  void a_reason_without_anything_declined_is_none() {
    JobId id = waiting(new Order());
    Job job = bench.done(new Report.Approve(id, "rita", null, null, "why"));
    assertThat(job.summary()).isEqualTo(counts(3, 3, 0));
    assertThat(job.progress().message()).isEqualTo("Approved");
  }

  private static @Nullable String reasons(Job job) {
    return job.summary().values().get("declined_reasons");
  }

  private JobId waiting(Order order) {
    Leased leased = bench.running(priced(order).review(true));
    bench.done(three(leased));
    return leased.job().id();
  }

  /** At 3 credits an output, unless the test said otherwise before. */
  private static Order priced(Order order) {
    return order.make(NEXT).terms().rules().price().unit() == Price.Unit.JOB
        ? order
        : order.price(Price.Unit.OUTPUT, 3);
  }

  private static Report three(Leased leased) {
    List<OutputFile> files = new ArrayList<>();
    List.of(ONE, TWO, THREE).forEach(id -> files.add(output(id)));
    return new Report.Complete(leased.job().id(), leased.token(), files, Summary.EMPTY);
  }

  private static OutputFile output(UUID id) {
    return new OutputFile(
        id,
        "k" + id,
        "a.png",
        new OutputFile.Content("image/png", 3, "ab".repeat(32)),
        OutputFile.Picture.NONE,
        null);
  }

  private static Report.Approve approve(
      JobId id, @Nullable Set<UUID> items, Report.@Nullable FollowUp next) {
    return new Report.Approve(id, "rita", items, next);
  }

  private static Report.ReviewItems review(JobId id, Set<UUID> approved, Set<UUID> declined) {
    return new Report.ReviewItems(id, "rita", approved, declined);
  }

  private static Report.FollowUp followUp(long cost) {
    return new Report.FollowUp(
        NEXT,
        new SubmitJob.Terms(2, 1, cost, 3, 10, 60, 60, JobTerms.Rules.USUAL),
        "next",
        "{\"apply\":true}",
        Changes.Labels.NONE);
  }

  private static Summary counts(int items, int approved, int declined) {
    return Bench.summary(
        Map.of(
            "items", "" + items,
            "approved", "" + approved,
            "declined", "" + declined,
            "remaining", "0"));
  }

  @Test
  void items_are_decided_only_while_the_job_waits_for_it() {
    JobId id = Subject.in(State.RUNNING, bench, new Order()).id();
    assertThat(bench.report(review(id, Set.of(ONE), Set.of())))
        .isEqualTo(new Result.Denied(State.RUNNING, Trigger.APPROVE));
  }

  @Test
  void nobody_decides_about_an_item_both_ways_or_about_a_strangers() {
    JobId id = waiting(new Order());
    UUID stranger = new UUID(9, 9);
    assertThat(bench.report(review(id, Set.of(ONE), Set.of(ONE))))
        .isEqualTo(new Result.NoSuchItems(Set.of()));
    assertThat(bench.report(review(id, Set.of(ONE), Set.of(stranger))))
        .isEqualTo(new Result.NoSuchItems(Set.of(stranger)));
    bench.done(review(id, Set.of(ONE), Set.of(TWO)));
  }

  @Test
  void who_decided_about_items_is_told_by_the_audit() {
    JobId id = waiting(new Order());
    bench.done(review(id, Set.of(ONE), Set.of(TWO)));
    assertThat(bench.tables.audits)
        .containsExactly(
            new AuditLine(
                1,
                "rita",
                "job.review",
                id.uuid().toString(),
                Map.of("approved", "1", "declined", "1")));
  }

  @Test
  void the_time_of_a_declined_result_counts_only_if_it_is_paid_for() {
    Order seconds = new Order().review(true).price(Price.Unit.SECOND, 1);
    Leased free = bench.running(seconds);
    bench.advance(Duration.ofSeconds(4));
    bench.done(three(free));
    assertThat(bench.done(new Report.Decline(free.job().id(), "rita", "no")).delivered()).isZero();
    Leased paid = bench.running(seconds.declineConsumes());
    bench.advance(Duration.ofSeconds(4));
    bench.done(three(paid));
    assertThat(bench.done(new Report.Decline(paid.job().id(), "rita", "no")).delivered())
        .isEqualTo(4);
  }
}
