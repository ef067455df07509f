package dev.millrace.postgres.store;

import static dev.millrace.postgres.Mill.complete;
import static dev.millrace.postgres.Mill.fail;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.Report.Fail.Kind;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.job.Facts;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.Price;
import dev.millrace.engine.money.Usage;
import dev.millrace.engine.money.Wallet;
import dev.millrace.postgres.Mill;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the engine wrote is what the store reads, in every state that a job can be in. */
class RoundTripPgTest {

  private final Mill mill = Mill.open();
  private final Meeting meeting = new Meeting(mill);

  @BeforeEach
  void fill_the_wallet() {
    mill.pay(mill.user("ada"), 100);
  }

  @AfterEach
  void the_doctor_finds_nothing() {
    meeting.close();
  }

  @ParameterizedTest
  @EnumSource(Price.Unit.class)
  void the_rules_and_the_price_of_a_job(Price.Unit unit) throws Exception {
    SubmitJob order =
        ruled(mill.order().build(), new Facts.Rules(true, true, true, new Price(unit, 3)));
    assertStored(Mill.accepted(mill.engine().submit(order)));
    SubmitJob plain = ruled(mill.order().build(), Facts.Rules.USUAL);
    assertStored(Mill.accepted(mill.engine().submit(plain)));
  }

  @Test
  void a_blocked_job_has_no_dispatch_and_no_hold() throws Exception {
    SubmitJob.Result result =
        mill.engine().submit(mill.order().key("k", "f").denied("violence").build());
    Job job = ((SubmitJob.Result.Blocked) result).job();
    assertStored(job);
    assertThat(dispatches(job.id())).isZero();
    mill.submit(mill.order().key("k", "f"));
  }

  @Test
  void an_attempt_that_was_handed_to_a_provider() throws Exception {
    Leased leased = mill.running();
    JobId id = leased.job().id();
    Job intending = mill.report(new Report.Intend(id, leased.token(), "faraway"));
    assertStored(intending);
    assertThat(attempt("provider || '|' || (intent_at is not null) || '|' || (reference is null)"))
        .isEqualTo("faraway|true|true");
    Job submitted = mill.report(new Report.Accept(id, leased.token(), "their-1"));
    assertStored(submitted);
    assertThat(submitted.state()).isEqualTo(State.SUBMITTED);
    assertThat(attempt("reference || '|' || (accepted_at >= intent_at) || '|' || number"))
        .isEqualTo("their-1|true|1");
    Job canceling = mill.report(new Report.Cancel(id));
    assertStored(canceling);
    assertThat(Objects.requireNonNull(canceling.lease()).provider()).isEqualTo("faraway");
    assertStored(mill.report(new Report.AcknowledgeCancel(id, leased.token())));
  }

  @Test
  void a_review_item_by_item_and_what_follows_it() throws Exception {
    mill.submit(mill.order().reviewed());
    Leased leased = mill.lease();
    JobId id = leased.job().id();
    Report.Complete result = complete(leased, 3);
    assertStored(mill.report(result));
    UUID kept = result.outputs().getFirst().id();
    SubmitJob next = mill.order().cost(7).input("{\"step\": 2}").build();
    Report.FollowUp followUp = new Report.FollowUp(next.id(), next.terms(), "f2", "{\"step\": 2}");
    Job approved = mill.report(new Report.Approve(id, "rita", Set.of(kept), followUp));
    assertStored(approved);
    assertThat(approved.hold().captured()).isEqualTo(1);
    assertThat(meeting.ask("select string_agg(id::text, '') from file where not withheld"))
        .isEqualTo(kept.toString());
    assertThat(mill.database().files().library(mill.acme(), "ada", null, null, 10))
        .singleElement()
        .satisfies(file -> assertThat(file.id()).isEqualTo(kept));
    Leased following = mill.lease();
    assertThat(following.job().id()).isEqualTo(next.jobId());
    assertThat(following.input()).isEqualTo("{\"step\": 2}");
    assertThat(meeting.ask("select follows from job where follows is not null"))
        .isEqualTo(id.uuid().toString());
    assertThat(mill.balance(mill.user("ada"))).isEqualTo(92);
  }

  @Test
  void a_declined_result_that_is_overturned_and_deleted() throws Exception {
    mill.submit(mill.order().reviewed().consumedWhenDeclined());
    Leased leased = mill.lease();
    JobId id = leased.job().id();
    mill.report(complete(leased, 4));
    Job declined = mill.report(new Report.Decline(id, "rita", "Blurred."));
    assertStored(declined);
    assertThat(mill.balance(mill.user("ada"))).isEqualTo(96);
    assertStored(mill.report(new Report.Overturn(id, "mona", "It is art.")));
    assertThat(mill.balance(mill.user("ada"))).isEqualTo(100);
    assertThat(meeting.ask("select amount || ' ' || note from ledger where type = 'adjustment'"))
        .isEqualTo("4 Rejection overturned");
    assertStored(mill.report(new Report.Delete(id, "ada")));
    assertThat(dispatches(id)).isZero();
    assertThat(mill.database().jobs().find(mill.acme(), null, id.uuid())).isEmpty();
    assertThat(mill.engine().report(new Report.Overturn(id, "mona", "Again.")))
        .isEqualTo(new Report.Result.Missing());
  }

  @Test
  void a_job_that_a_moderator_rejected() throws Exception {
    Job job = mill.submit(mill.order());
    Job rejected =
        mill.report(
            new Report.RejectByPolicy(job.id(), "mona", new Failure("violence", "Not here.")));
    assertStored(rejected);
    assertThat(dispatches(job.id())).isZero();
  }

  @Test
  void a_retry_in_place_has_a_dispatch_a_hold_and_higher_caps() throws Exception {
    Job failed = failed();
    JobId id = failed.id();
    assertThat(dispatches(id)).isZero();
    Job retried =
        mill.report(new Report.RetryInPlace(id, "root", failed.facts().workflowId(), 2, 4));
    assertStored(retried);
    assertThat(dispatches(id)).isEqualTo(1);
    assertThat(retried.hold().fundingSeq()).isEqualTo(2);
    assertThat(retried.tries().maxFailures()).isEqualTo(2);
    assertThat(mill.balance(mill.user("ada"))).isEqualTo(95);
    Leased again = mill.lease();
    assertStored(again.job());
    assertThat(again.job().tries().attempts()).isEqualTo(2);
    assertStored(mill.report(complete(again, 5)));
  }

  @Test
  void a_wallet_and_what_its_user_has_going_on() throws Exception {
    Wallet.Owner ada = mill.user("ada");
    mill.place().execute("update wallet set active_limit = 3, daily_limit = 9");
    mill.submit(mill.order());
    mill.submit(mill.order());
    mill.report(new Report.Cancel(mill.submit(mill.order()).id()));
    Wallet wallet = wallet(ada);
    assertThat(wallet.balance()).isEqualTo(90);
    assertThat(wallet.usage().active()).isEqualTo(2);
    assertThat(wallet.usage().today()).isEqualTo(3);
    assertThat(wallet.usage().limits()).isEqualTo(new Usage.Limits(3, 9));
    assertThat(wallet.usage().day())
        .isEqualTo(
            Long.parseLong(
                meeting.ask("select (extract(epoch from now())::bigint / 86400)::text")));
    mill.submit(mill.order());
    assertThat(mill.engine().submit(mill.order().limits(100, 100).build()))
        .isEqualTo(new SubmitJob.Result.TooManyActive(3));
    mill.pay(ada, 1);
    assertThat(wallet(ada).usage().limits()).isEqualTo(new Usage.Limits(3, 9));
  }

  @Test
  void a_used_up_day_is_over_at_midnight() throws Exception {
    mill.submit(mill.order().limits(0, 1));
    assertThat(mill.engine().submit(mill.order().limits(0, 1).build()))
        .isInstanceOf(SubmitJob.Result.QuotaUsedUp.class);
    mill.place().execute("update wallet set day = day - 1");
    mill.submit(mill.order().limits(0, 1));
    assertThat(wallet(mill.user("ada")).usage().today()).isEqualTo(1);
  }

  @Test
  void the_same_request_within_its_window_is_found_and_after_it_is_not() throws Exception {
    Duration window = Duration.ofMinutes(5);
    Job job = mill.submit(mill.order().onceWithin(window, "same"));
    assertThat(mill.engine().submit(mill.order().onceWithin(window, "same").build()))
        .isEqualTo(new SubmitJob.Result.Replayed(job.id()));
    mill.place().execute("update job set created_at = created_at - interval '5 minutes'");
    mill.submit(mill.order().onceWithin(window, "same"));
    mill.place().execute("update job set deleted_at = null");
    mill.report(fail(mill.lease(), Kind.PERMANENT));
    mill.report(fail(mill.lease(), Kind.PERMANENT));
    mill.submit(mill.order().onceWithin(window, "same"));
  }

  private Job failed() throws Exception {
    mill.submit(mill.order());
    return mill.report(fail(mill.lease(), Kind.PERMANENT));
  }

  private Wallet wallet(Wallet.Owner owner) {
    return mill.database()
        .store()
        .transact(tx -> Objects.requireNonNull(tx.lockWallets(Set.of(owner)).get(owner)));
  }

  private void assertStored(Job job) {
    assertThat(meeting.stored(job.id())).isEqualTo(job);
  }

  private String attempt(String columns) {
    return meeting.ask("select " + columns + " from attempt");
  }

  private int dispatches(JobId id) {
    return Integer.parseInt(
        meeting.ask("select count(*) from dispatch where job_id = '" + id.uuid() + "'"));
  }

  private static SubmitJob ruled(SubmitJob order, Facts.Rules rules) {
    SubmitJob.Terms terms = order.terms();
    return new SubmitJob(
        order.id(),
        order.owner(),
        new SubmitJob.Terms(
            terms.effectId(),
            terms.workflowId(),
            terms.cost(),
            terms.maxFailures(),
            terms.maxInterruptions(),
            terms.runSeconds(),
            terms.queueSeconds(),
            rules),
        order.priority(),
        order.identity(),
        order.runAt(),
        order.input(),
        order.links(),
        order.limits(),
        order.denial());
  }
}
