package dev.millrace.postgres.doctor;

import static dev.millrace.postgres.EngineRig.complete;
import static dev.millrace.postgres.doctor.DoctorPgTest.law;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.postgres.Crowd;
import dev.millrace.postgres.EngineRig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The doctor sees a busy system as it is at one moment, and is in nobody's way. */
@Timeout(120)
class DoctorAtWorkPgTest {

  private static final int CLIENTS = 16;
  private static final int WORKERS = 8;
  private static final int EXAMINATIONS = 15;
  private static final CheckLimits SHORT =
      CheckLimits.of(Duration.ofMillis(200), Duration.ofMillis(200));

  private final EngineRig rig = EngineRig.open();
  private final AtomicInteger idle = new AtomicInteger(CLIENTS + WORKERS);
  private volatile boolean over;

  @AfterEach
  void the_doctor_finds_nothing() {
    rig.close();
  }

  @Test
  void under_load_no_law_is_broken_and_writers_go_on() throws Exception {
    rig.pay(rig.user("ada"), 1_000_000);
    List<Callable<Integer>> people = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      people.add(this::submitUntilOver);
    }
    for (int i = 0; i < WORKERS; i++) {
      int number = i;
      people.add(() -> workUntilOver(number));
    }
    people.add(() -> {
      try {
        return examineManyTimes();
      } finally {
        over = true;
      }
    });
    List<Integer> done = Crowd.of(people.size(), people::get);

    assertThat(done).allSatisfy(count -> assertThat(count).isPositive());
    assertThat(done.getLast()).isGreaterThanOrEqualTo(EXAMINATIONS);
  }

  /** And a few times more if somebody had no turn until then. */
  private int examineManyTimes() {
    Doctor doctor = rig.database().doctor();
    int examined = 0;
    while (examined < EXAMINATIONS || (idle.get() > 0 && examined < 20 * EXAMINATIONS)) {
      assertThat(doctor.examine()).isNotEmpty().allMatch(LawFinding::holds);
      examined++;
    }
    return examined;
  }

  private int submitUntilOver() throws InterruptedException {
    int submitted = 0;
    while (!over) {
      rig.submit(rig.order());
      worked(++submitted);
    }
    return submitted;
  }

  private int workUntilOver(int number) throws InterruptedException {
    int done = 0;
    while (!over) {
      for (Leased leased : rig.engine().lease(rig.asking("worker-" + number, 4))) {
        rig.report(complete(leased, 3));
        worked(++done);
      }
    }
    return done;
  }

  private void worked(int times) {
    if (times == 1) {
      idle.decrementAndGet();
    }
  }

  @Test
  void writers_do_not_wait_for_an_examination_that_is_under_way() throws Exception {
    rig.pay(rig.user("ada"), 10);
    String slow = "select count(*) from job cross join wallet cross join pg_sleep(600)";
    CheckLimits patient =
        new CheckLimits(Duration.ofMinutes(1), SHORT.lock(), Duration.ofMinutes(2));
    List<String> outcomes =
        Crowd.of(2, i -> i == 0 ? () -> examine(patient, slow) : this::workDuringTheExamination);

    assertThat(outcomes).containsExactly("it took longer than 60000 ms", "worked");
  }

  private String workDuringTheExamination() throws InterruptedException {
    String asleep =
        "select count(*) from pg_stat_activity"
            + " where datname = current_database() and wait_event = 'PgSleep'";
    Awaitility.await().until(() -> "1".equals(rig.place().ask(asleep)));
    rig.submit(rig.order());
    rig.report(complete(rig.lease(), 5));
    assertThat(rig.place().ask(asleep)).isEqualTo("1");
    // Sooner than its time would run out, and with the same error.
    rig.place().execute(asleep.replace("count(*)", "pg_cancel_backend(pid)"));
    return "worked";
  }

  @Test
  void rows_that_somebody_holds_for_long_do_not_keep_the_doctor() throws Exception {
    rig.running();
    CheckLimits noLocks = CheckLimits.of(Duration.ofSeconds(20), SHORT.lock());
    try (var _ = rig.block("select 1 from job, wallet, dispatch, ledger for update")) {
      assertThat(rig.database().doctor(noLocks).examine()).isNotEmpty().allMatch(LawFinding::holds);
    }
  }

  @Test
  void a_law_that_takes_too_long_is_not_checked_and_the_others_are() {
    CheckLimits patience = CheckLimits.of(Duration.ofSeconds(2), SHORT.lock());
    List<LawFinding> findings =
        rig.database()
            .doctor(patience)
            .examine(
                List.of(
                    law("slow", "select 1 as n from pg_sleep(60)"),
                    law("broken", "select 7 as n"),
                    law("good", "select 7 as n where false")));

    assertThat(findings)
        .extracting(LawFinding::status)
        .containsExactly(
            LawFinding.Status.NOT_CHECKED, LawFinding.Status.VIOLATED, LawFinding.Status.HOLDS);
    assertThat(findings.getFirst().notChecked()).isEqualTo("it took longer than 2000 ms");
  }

  @Test
  void a_table_that_a_migration_holds_is_not_waited_for() throws Exception {
    try (var _ = rig.block("lock table job_input in access exclusive mode")) {
      CheckLimits patience = CheckLimits.of(Duration.ofSeconds(10), Duration.ofMillis(50));
      List<LawFinding> findings = rig.database().doctor(patience).examine();

      assertThat(findings)
          .filteredOn(finding -> finding.status() == LawFinding.Status.NOT_CHECKED)
          .singleElement()
          .satisfies(finding -> {
            assertThat(finding.name()).isEqualTo("children");
            assertThat(finding.notChecked()).contains("locked for more than 50 ms");
          });
    }
  }

  @Test
  void a_run_that_takes_too_long_leaves_the_rest_unchecked() {
    CheckLimits whole =
        new CheckLimits(Duration.ofMinutes(1), SHORT.lock(), Duration.ofMillis(100));
    List<LawFinding> findings =
        rig.database()
            .doctor(whole)
            .examine(
                List.of(law("slow", "select 1 as n from pg_sleep(60)"), law("next", "select 1")));

    assertThat(findings).extracting(LawFinding::status).containsOnly(LawFinding.Status.NOT_CHECKED);
    assertThat(findings.getLast().notChecked()).startsWith("the laws before it took all");
  }

  @Test
  void a_law_cannot_write_and_all_see_the_same_moment() {
    CheckLimits patience = CheckLimits.of(Duration.ofSeconds(10), SHORT.lock());
    assertThat(
            examine(
                patience,
                "select 1 where current_setting('transaction_read_only') <> 'on'"
                    + " or current_setting('transaction_isolation') <> 'repeatable read'"
                    + " or current_setting('statement_timeout') <> '10s'"))
        .isEqualTo("holds");
    assertThatThrownBy(() -> examine(patience, "select nextval('ledger_id_seq')"))
        .hasStackTraceContaining("read-only");
    // What was set for the doctor does not stay with the connection.
    rig.pay(rig.user("ada"), 1);
  }

  private String examine(CheckLimits patience, String sql) {
    LawFinding finding =
        rig.database().doctor(patience).examine(List.of(law("test", sql))).getFirst();
    return finding.notChecked() == null ? finding.status().label() : finding.notChecked();
  }
}
