package dev.millrace.postgres.store;

import static dev.millrace.postgres.EngineRig.complete;
import static dev.millrace.postgres.EngineRig.fail;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.Report.Fail.Kind;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.JobTerms;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.Price;
import dev.millrace.engine.money.QuotaUse;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import dev.millrace.postgres.EngineRig;
import dev.millrace.postgres.tenants.Visibility;
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

  private final EngineRig rig = EngineRig.open();
  private final Meeting meeting = new Meeting(rig);

  @BeforeEach
  void fill_the_wallet() {
    rig.pay(rig.user("ada"), 100);
  }

  @AfterEach
  void the_doctor_finds_nothing() {
    meeting.close();
  }

  @ParameterizedTest
  @EnumSource(Price.Unit.class)
  void the_rules_and_the_price_of_a_job(Price.Unit unit) throws Exception {
    SubmitJob order =
        ruled(rig.order().build(), new JobTerms.Rules(true, true, true, new Price(unit, 3)));
    assertStored(EngineRig.accepted(rig.engine().submit(order)));
    SubmitJob plain = ruled(rig.order().build(), JobTerms.Rules.USUAL);
    assertStored(EngineRig.accepted(rig.engine().submit(plain)));
  }

  @Test
  void a_blocked_job_has_no_dispatch_and_no_hold() throws Exception {
    SubmitJob.Result result =
        rig.engine().submit(rig.order().key("k", "f").denied("violence").build());
    Job job = ((SubmitJob.Result.Blocked) result).job();
    assertStored(job);
    assertThat(dispatches(job.id())).isZero();
    rig.submit(rig.order().key("k", "f"));
  }

  @Test
  void an_attempt_that_was_handed_to_a_provider() throws Exception {
    Leased leased = rig.running();
    JobId id = leased.job().id();
    Job intending = rig.report(new Report.Intend(id, leased.token(), "faraway"));
    assertStored(intending);
    assertThat(attempt("provider || '|' || (intent_at is not null) || '|' || (reference is null)"))
        .isEqualTo("faraway|true|true");
    Job submitted = rig.report(new Report.Accept(id, leased.token(), "their-1"));
    assertStored(submitted);
    assertThat(submitted.state()).isEqualTo(State.SUBMITTED);
    assertThat(attempt("reference || '|' || (accepted_at >= intent_at) || '|' || number"))
        .isEqualTo("their-1|true|1");
    Job canceling = rig.report(new Report.Cancel(id));
    assertStored(canceling);
    assertThat(Objects.requireNonNull(canceling.lease()).provider()).isEqualTo("faraway");
    assertStored(rig.report(new Report.AcknowledgeCancel(id, leased.token())));
  }

  @Test
  void a_review_item_by_item_and_what_follows_it() throws Exception {
    rig.submit(rig.order().reviewed());
    Leased leased = rig.lease();
    JobId id = leased.job().id();
    Report.Complete result = complete(leased, 3);
    assertStored(rig.report(result));
    UUID kept = result.outputs().getFirst().id();
    SubmitJob next = rig.order().cost(7).input("{\"step\": 2}").build();
    Report.FollowUp followUp =
        new Report.FollowUp(next.id(), next.terms(), "f2", "{\"step\": 2}", Changes.Labels.NONE);
    Job approved = rig.report(new Report.Approve(id, "rita", Set.of(kept), followUp));
    assertStored(approved);
    assertThat(approved.hold().captured()).isEqualTo(1);
    assertThat(meeting.ask("select string_agg(id::text, '') from file where not withheld"))
        .isEqualTo(kept.toString());
    assertThat(rig.database().files().library(Visibility.of(rig.acme(), "ada"), null, null, 10))
        .singleElement()
        .satisfies(file -> assertThat(file.id()).isEqualTo(kept));
    Leased following = rig.lease();
    assertThat(following.job().id()).isEqualTo(next.jobId());
    assertThat(following.input()).isEqualTo("{\"step\": 2}");
    assertThat(meeting.ask("select follows from job where follows is not null"))
        .isEqualTo(id.uuid().toString());
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(92);
  }

  @Test
  void a_declined_result_that_is_overturned_and_deleted() throws Exception {
    rig.submit(rig.order().reviewed().consumedWhenDeclined());
    Leased leased = rig.lease();
    JobId id = leased.job().id();
    rig.report(complete(leased, 4));
    Job declined = rig.report(new Report.Decline(id, "rita", "Blurred."));
    assertStored(declined);
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(96);
    assertStored(rig.report(new Report.Overturn(id, "mona", "It is art.")));
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(100);
    assertThat(meeting.ask("select amount || ' ' || note from ledger where type = 'adjustment'"))
        .isEqualTo("4 Rejection overturned");
    assertStored(rig.report(new Report.Delete(id, "ada")));
    assertThat(dispatches(id)).isZero();
    assertThat(rig.database().jobs().find(Visibility.of(rig.acme()), id.uuid())).isEmpty();
    assertThat(rig.engine().report(new Report.Overturn(id, "mona", "Again.")))
        .isEqualTo(new Report.Result.Missing());
  }

  @Test
  void a_job_that_a_moderator_rejected() throws Exception {
    Job job = rig.submit(rig.order());
    Job rejected =
        rig.report(
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
        rig.report(new Report.RetryInPlace(id, "root", failed.terms().workflowId(), 2, 4));
    assertStored(retried);
    assertThat(dispatches(id)).isEqualTo(1);
    assertThat(retried.hold().fundingSeq()).isEqualTo(2);
    assertThat(retried.tries().maxFailures()).isEqualTo(2);
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(95);
    Leased again = rig.lease();
    assertStored(again.job());
    assertThat(again.job().tries().attempts()).isEqualTo(2);
    assertStored(rig.report(complete(again, 5)));
  }

  @Test
  void a_wallet_and_what_its_user_has_going_on() throws Exception {
    Wallet.Owner ada = rig.user("ada");
    rig.place().execute("update wallet set active_limit = 3, daily_limit = 9");
    rig.submit(rig.order());
    rig.submit(rig.order());
    rig.report(new Report.Cancel(rig.submit(rig.order()).id()));
    Wallet wallet = wallet(ada);
    assertThat(wallet.balance()).isEqualTo(90);
    assertThat(wallet.usage().active()).isEqualTo(2);
    assertThat(wallet.usage().today()).isEqualTo(3);
    assertThat(wallet.usage().limits()).isEqualTo(new QuotaUse.Limits(3, 9));
    assertThat(wallet.usage().day())
        .isEqualTo(
            Long.parseLong(
                meeting.ask("select (extract(epoch from now())::bigint / 86400)::text")));
    rig.submit(rig.order());
    assertThat(rig.engine().submit(rig.order().limits(100, 100).build()))
        .isEqualTo(new SubmitJob.Result.TooManyActive(3));
    rig.pay(ada, 1);
    assertThat(wallet(ada).usage().limits()).isEqualTo(new QuotaUse.Limits(3, 9));
  }

  @Test
  void a_used_up_day_is_over_at_midnight() throws Exception {
    rig.submit(rig.order().limits(0, 1));
    assertThat(rig.engine().submit(rig.order().limits(0, 1).build()))
        .isInstanceOf(SubmitJob.Result.QuotaUsedUp.class);
    rig.place().execute("update wallet set day = day - 1");
    rig.submit(rig.order().limits(0, 1));
    assertThat(wallet(rig.user("ada")).usage().today()).isEqualTo(1);
  }

  @Test
  void the_same_request_within_its_window_is_found_and_after_it_is_not() throws Exception {
    Duration window = Duration.ofMinutes(5);
    Job job = rig.submit(rig.order().onceWithin(window, "same"));
    assertThat(rig.engine().submit(rig.order().onceWithin(window, "same").build()))
        .isEqualTo(new SubmitJob.Result.Replayed(job.id()));
    rig.place().execute("update job set created_at = created_at - interval '5 minutes'");
    rig.submit(rig.order().onceWithin(window, "same"));
    rig.place().execute("update job set deleted_at = null");
    rig.report(fail(rig.lease(), Kind.PERMANENT));
    rig.report(fail(rig.lease(), Kind.PERMANENT));
    rig.submit(rig.order().onceWithin(window, "same"));
  }

  private Job failed() throws Exception {
    rig.submit(rig.order());
    return rig.report(fail(rig.lease(), Kind.PERMANENT));
  }

  private Wallet wallet(Wallet.Owner owner) {
    return rig.database()
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

  private static SubmitJob ruled(SubmitJob order, JobTerms.Rules rules) {
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
        order.identity(),
        new SubmitJob.Request(order.input(), order.priority(), order.runAt(), order.links()),
        order.limits(),
        order.denial());
  }
}
