package dev.millrace.postgres.history;

import static dev.millrace.postgres.EngineRig.complete;
import static dev.millrace.postgres.EngineRig.fail;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.Report.Fail.Kind;
import dev.millrace.engine.job.Job;
import dev.millrace.postgres.Crowd;
import dev.millrace.postgres.EngineRig;
import dev.millrace.postgres.history.History.Archived;
import dev.millrace.postgres.history.History.Disposal;
import java.time.YearMonth;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Old months leave, and nothing about the money becomes a matter of belief. */
class HistoryPgTest {

  private final EngineRig rig = EngineRig.open();
  private final History history = rig.database().history();
  private final YearMonth next = history.month().plusMonths(1);

  @AfterEach
  void the_doctor_finds_nothing() {
    rig.close();
  }

  @Test
  void an_archived_month_is_gone_and_every_balance_is_still_proven() throws Exception {
    Job job = spend(next);
    Job later = spend(next.plusMonths(1));

    List<Archived> archived = history.archive(next.plusMonths(1), Disposal.KEEP);

    assertThat(archived)
        .containsExactly(
            new Archived(next.minusMonths(1), 0, 0), new Archived(next, 3, job.events()));
    assertThat(eventsOf(job)).isEmpty();
    assertThat(rig.database().events().archived(job.id().uuid())).isTrue();
    assertThat(rig.database().wallets().linesOfJob(rig.acme(), job.id().uuid())).isEmpty();
    assertThat(eventsOf(later)).hasSize(later.events());
    assertThat(rig.database().events().archived(later.id().uuid())).isFalse();
    assertThat(rig.place().ask("select archived from wallet where user_id = 'ada'"))
        .isEqualTo("-4");
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(12);
    assertThat(rig.place().ask("select count(*) from archive." + name("ledger", next)))
        .isEqualTo("3");
    assertThat(rig.place().ask("select count(*) from archive." + name("job_event", next)))
        .isEqualTo(String.valueOf(job.events()));
    assertThat(history.archive(next.plusMonths(1), Disposal.KEEP)).isEmpty();
  }

  @Test
  void lines_between_archived_ones_do_not_disturb_the_proof() throws Exception {
    rig.pay(rig.user("ada"), 10);
    rig.submit(rig.order().in(next));
    rig.pay(rig.user("ada"), 3);
    rig.submit(rig.order().in(next.plusMonths(1)));
    rig.report(fail(rig.lease(), Kind.PERMANENT));
    rig.report(complete(rig.lease(), 2));
    assertThat(history.archive(next.plusMonths(1), Disposal.KEEP)).hasSize(2);
    rig.assertHealthy();
    spend(next.plusMonths(1));
  }

  @Test
  void a_live_job_keeps_its_month_and_those_after_it() throws Exception {
    rig.pay(rig.user("ada"), 5);
    rig.submit(rig.order().in(next));
    Leased running = rig.lease();
    spend(next.plusMonths(1));
    YearMonth all = next.plusMonths(2);

    assertThat(history.archive(all, Disposal.KEEP)).extracting(Archived::month).hasSize(1);
    rig.assertHealthy();
    rig.report(complete(running, 5));
    assertThat(history.archive(all, Disposal.KEEP))
        .extracting(Archived::month)
        .containsExactly(next, next.plusMonths(1));
  }

  @Test
  void nodes_that_archive_at_once_archive_once() throws Exception {
    spend(next);
    List<List<Archived>> done =
        Crowd.of(4, _ -> () -> history.archive(next.plusMonths(1), Disposal.KEEP));
    assertThat(done.stream().flatMap(List::stream).map(Archived::month))
        .containsExactly(next.minusMonths(1), next);
    assertThat(rig.place().ask("select sum(archived) from wallet")).isEqualTo("-4");
  }

  @Test
  void what_is_not_kept_is_dropped() throws Exception {
    spend(next);
    assertThat(history.archive(next.plusMonths(1), Disposal.DROP)).hasSize(2);
    assertThat(tables(name("%", next))).isEqualTo("0");
    assertThat(tables("job_event_first")).isEqualTo("0");
    assertThat(rig.place().ask("select lines from archive order by month desc")).isEqualTo("3");
  }

  @Test
  void who_reads_the_ledger_delays_the_archive_and_not_the_jobs() throws Exception {
    spend(next);
    try (EngineRig.Blocker _ = rig.block("select count(*) from ledger")) {
      assertThat(history.archive(next.plusMonths(1), Disposal.KEEP)).hasSize(1);
      spend(next);
    }
    assertThat(rig.place().ask("select sum(archived) from wallet")).isEqualTo("0");
    assertThat(history.archive(next.plusMonths(1), Disposal.KEEP))
        .singleElement()
        .satisfies(archived -> assertThat(archived.lines()).isEqualTo(6));
  }

  @Test
  void a_job_retried_in_place_after_its_month_was_archived_goes_on() throws Exception {
    rig.pay(rig.user("ada"), 5);
    rig.submit(rig.order().in(next));
    Job failed = rig.report(fail(rig.lease(), Kind.PERMANENT));
    assertThat(history.archive(next.plusMonths(1), Disposal.KEEP)).hasSize(2);

    rig.report(new Report.RetryInPlace(failed.id(), "root", failed.terms().workflowId(), 1, 1));
    rig.assertHealthy();
    Job done = rig.report(complete(rig.lease(), 5));

    assertThat(eventsOf(done)).hasSize(done.events() - failed.events());
    assertThat(rig.balance(rig.user("ada"))).isZero();
  }

  /** A job of ada's at 4 credits, which held 5. */
  private Job spend(YearMonth month) throws InterruptedException {
    rig.pay(rig.user("ada"), 10);
    rig.submit(rig.order().in(month));
    return rig.report(complete(rig.lease(), 4));
  }

  private List<EventView> eventsOf(Job job) {
    UUID id = job.id().uuid();
    return rig.database().events().after(rig.acme(), id, 0, 100);
  }

  private String tables(String like) {
    return String.valueOf(
        rig.place().ask("select count(*) from pg_class where relname like '" + like + "'"));
  }

  private static String name(String table, YearMonth month) {
    return ComingMonths.name(table, month);
  }
}
