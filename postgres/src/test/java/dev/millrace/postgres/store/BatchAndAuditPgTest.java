package dev.millrace.postgres.store;

import static dev.millrace.postgres.EngineRig.complete;
import static dev.millrace.postgres.EngineRig.fail;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.Report.Fail.Kind;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.command.SubmitMany;
import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.EngineRig;
import dev.millrace.postgres.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Batches and their keys, and the lines that decisions leave. */
class BatchAndAuditPgTest {

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

  @Test
  void a_batch_is_stored_with_its_jobs_and_its_key_stands_for_it() {
    SubmitMany batch = many("k", "f", true, rig.order(), rig.order());
    assertThat(stored(rig.engine().submitMany(batch))).isTrue();
    assertThat(
            meeting.ask(
                """
                select concat_ws(' ', b.id, b.idempotency_key, b.fingerprint, b.atomic, b.size,
                    count(j.id))
                from batch b
                join job j on j.tenant_id = b.tenant_id and j.batch_id = b.id
                group by b.tenant_id, b.id
                """))
        .isEqualTo(batch.id() + " k f t 2 2");
    assertThat(rig.engine().submitMany(many("k", "f", true, rig.order())))
        .isEqualTo(new SubmitMany.Result.Replayed(batch.id()));
    assertThat(meeting.other().submitMany(many("k", "g", true, rig.order())))
        .isEqualTo(new SubmitMany.Result.KeyMismatch(batch.id()));
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(90);
  }

  @Test
  void an_atomic_batch_that_is_refused_leaves_no_trace() {
    SubmitMany batch = many("k", "f", true, rig.order().cost(60), rig.order().cost(60));
    assertThat(stored(rig.engine().submitMany(batch))).isFalse();
    assertThat(meeting.ask("select count(*) from job")).isEqualTo("0");
    assertThat(meeting.ask("select count(*) from batch")).isEqualTo("0");
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(100);
    assertThat(stored(rig.engine().submitMany(many("k", "f", true, rig.order())))).isTrue();
  }

  @Test
  void a_partial_batch_keeps_what_fits_and_what_was_denied() {
    SubmitMany batch =
        many(
            null,
            "f",
            false,
            rig.order().cost(60),
            rig.order().cost(60),
            rig.order().denied("violence"));
    assertThat(stored(rig.engine().submitMany(batch))).isTrue();
    assertThat(meeting.ask("select string_agg(state::text, ' ' order by state) from job"))
        .isEqualTo("queued blocked");
  }

  @Test
  void the_largest_batch_is_one_transaction() {
    Order[] orders = new Order[SubmitMany.MOST_JOBS];
    for (int i = 0; i < orders.length; i++) {
      orders[i] = rig.order().cost(0);
    }
    assertThat(stored(rig.engine().submitMany(many("k", "f", true, orders)))).isTrue();
    assertThat(meeting.ask("select count(*) from dispatch")).isEqualTo("1000");
  }

  @Test
  void every_decision_is_in_the_audit_with_its_detail_as_json() throws Exception {
    JobId reviewed = reviewed();
    rig.report(new Report.Approve(reviewed, "key:rita", null, null));
    rig.report(new Report.Delete(reviewed, "key:ada"));
    JobId declined = reviewed();
    String reason = "\"Blurred\", {said} they: m\u00fche\n";
    rig.report(new Report.Decline(declined, "key:rita", reason));
    rig.report(new Report.Overturn(declined, "key:mona", reason));
    rig.submit(rig.order());
    Leased unsafe = rig.lease();
    rig.report(fail(unsafe, Kind.SAFETY));
    assertThat(
            meeting.ask(
                """
                select string_agg(concat_ws(' ', actor, action, tenant_id = %d), ', ' order by id)
                from audit
                """
                    .formatted(rig.acme())))
        .isEqualTo(
            "key:rita job.approve t, key:ada job.delete t, key:rita job.decline t,"
                + " key:mona job.overturn t, system SAFE_BLOCK t");
    assertThat(detail("job.approve", "approved")).isEqualTo("2");
    assertThat(detail("job.approve", "declined")).isEqualTo("0");
    assertThat(detail("job.decline", "reason")).isEqualTo(reason);
    assertThat(detail("job.overturn", "credits")).isEqualTo("0");
    assertThat(detail("SAFE_BLOCK", "code")).isEqualTo("broken");
    assertThat(meeting.ask("select detail is null from audit where action = 'job.delete'"))
        .isEqualTo("t");
    assertThat(meeting.ask("select target from audit where action = 'SAFE_BLOCK'"))
        .isEqualTo(unsafe.job().id().uuid().toString());
  }

  private JobId reviewed() throws InterruptedException {
    rig.submit(rig.order().reviewed());
    Leased leased = rig.lease();
    return rig.report(complete(leased, 2)).id();
  }

  private String detail(String action, String key) {
    return meeting.ask(
        "select detail ->> '%s' from audit where action = '%s'".formatted(key, action));
  }

  private SubmitMany many(@Nullable String key, String print, boolean atomic, Order... orders) {
    List<SubmitJob> jobs = new ArrayList<>();
    for (Order order : orders) {
      jobs.add(order.build());
    }
    return new SubmitMany(UUID.randomUUID(), rig.user("ada"), key, print, atomic, jobs);
  }

  private static boolean stored(SubmitMany.Result result) {
    assertThat(result).isInstanceOf(SubmitMany.Result.Decided.class);
    return ((SubmitMany.Result.Decided) result).stored();
  }
}
