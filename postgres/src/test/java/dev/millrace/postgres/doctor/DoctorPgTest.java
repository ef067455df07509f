package dev.millrace.postgres.doctor;

import static dev.millrace.postgres.EngineRig.complete;
import static dev.millrace.postgres.EngineRig.fail;
import static dev.millrace.postgres.EngineRig.heartbeat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.Report.Fail.Kind;
import dev.millrace.engine.command.Timings;
import dev.millrace.engine.money.Wallet;
import dev.millrace.postgres.EngineRig;
import dev.millrace.postgres.Order;
import dev.millrace.postgres.history.History;
import dev.millrace.postgres.tenants.KeyView;
import dev.millrace.postgres.tenants.Keys;
import dev.millrace.testkit.TestDatabase;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.YearMonth;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each law is silent on a healthy database, and it alone speaks when it alone is broken. */
class DoctorPgTest {

  /** What is broken on purpose is looked at for minutes, and nothing else may break meanwhile. */
  private static final Timings LASTING =
      new Timings(
          Duration.ofHours(1),
          Duration.ofHours(2),
          Duration.ofDays(1),
          Duration.ofHours(1),
          EngineRig.TIMINGS.backoff());

  private static EngineRig rig;

  /** The same life, after a month that was archived. */
  private static TestDatabase aged;

  @BeforeAll
  static void live_a_little() throws InterruptedException {
    rig = EngineRig.open(LASTING);
    liveALittle(rig, UnaryOperator.identity());
    EngineRig old = EngineRig.open(LASTING);
    YearMonth next = old.database().history().month().plusMonths(1);
    archiveALittle(old, next);
    liveALittle(old, order -> order.in(next.plusMonths(1)));
    aged = old.place();
  }

  private static void archiveALittle(EngineRig rig, YearMonth month) throws InterruptedException {
    rig.pay(rig.user("ada"), 100);
    rig.pay(rig.user("bob"), 100);
    rig.submit(rig.order().in(month));
    rig.report(fail(rig.lease(), Kind.SAFETY));
    rig.submit(rig.order().in(month).by(rig.user("bob")));
    rig.pay(rig.user("bob"), 7);
    rig.report(fail(rig.lease(), Kind.PERMANENT));
    assertThat(rig.database().history().archive(month.plusMonths(1), History.Disposal.KEEP))
        .hasSize(2);
    rig.assertHealthy();
  }

  private static void liveALittle(EngineRig rig, UnaryOperator<Order> made)
      throws InterruptedException {
    rig.pay(rig.user("ada"), 100);
    rig.pay(rig.user("bob"), 100);
    rig.pay(new Wallet.Owner(rig.zenith(), "zoe"), 100);
    rig.submit(made.apply(rig.order()));
    Leased first = rig.lease();
    rig.report(heartbeat(first, 30));
    rig.report(complete(first, 4));
    rig.submit(made.apply(rig.order().by(rig.user("bob"))));
    Leased interrupted = rig.lease();
    rig.report(new Report.Requeue(interrupted.job().id(), interrupted.token(), "spot notice"));
    rig.report(fail(rig.lease(), Kind.PERMANENT));
    rig.submit(made.apply(rig.order()));
    rig.lease();
    rig.submit(made.apply(rig.order()));
    rig.submit(made.apply(rig.order().effect("video")));
    rig.database()
        .keys()
        .add(
            new Keys.NewKey(
                rig.acme(),
                UUID.randomUUID(),
                "k",
                "mr_abc",
                "0f".repeat(32),
                "user",
                KeyView.Bounds.NONE,
                null));
    rig.assertHealthy();
    // A copy is made of a database to which nobody is connected.
    rig.stop();
  }

  @AfterAll
  static void close() {
    rig.place().close();
    aged.close();
  }

  @ParameterizedTest
  @MethodSource("dev.millrace.postgres.doctor.Corruption#all")
  void a_broken_law_is_found_by_its_own_name_and_no_other(Corruption corruption)
      throws SQLException {
    assertThat(brokenBy(corruption, rig.place())).containsExactly(corruption.law());
  }

  @ParameterizedTest
  @MethodSource("dev.millrace.postgres.doctor.Corruption#all")
  void a_broken_law_is_found_also_where_an_older_month_was_archived(Corruption corruption)
      throws SQLException {
    assertThat(brokenBy(corruption, aged)).containsExactly(corruption.law());
  }

  @ParameterizedTest
  @MethodSource("dev.millrace.postgres.doctor.Corruption#ofTheArchive")
  void what_a_wallet_remembers_of_archived_lines_is_proven(Corruption corruption)
      throws SQLException {
    assertThat(brokenBy(corruption, aged)).contains(corruption.law());
  }

  @Test
  void what_was_broken_and_undone_left_nothing() throws SQLException {
    assertThat(brokenBy(Corruption.all().findFirst().orElseThrow(), aged)).isNotEmpty();
    assertThat(broken(rig.place())).isEmpty();
    assertThat(broken(aged)).isEmpty();
  }

  @Test
  void every_law_has_been_seen_to_fail() {
    List<String> laws = Doctor.invariants().stream().map(Invariant::name).toList();
    assertThat(laws).doesNotHaveDuplicates();
    assertThat(Corruption.all().map(Corruption::law).distinct())
        .containsExactlyInAnyOrderElementsOf(laws);
  }

  @Test
  void a_law_that_is_broken_everywhere_is_reported_in_a_few_lines() {
    try (TestDatabase sick = rig.place().copy()) {
      sick.execute(
          """
          insert into job_input
          select 1, gen_random_uuid(), '{}'
          from generate_series(1, 100)
          """);
      assertThat(examine(sick))
          .filteredOn(finding -> !finding.holds())
          .singleElement()
          .satisfies(finding -> {
            assertThat(finding.examples())
                .hasSize(20)
                .allSatisfy(
                    row -> assertThat(row).containsOnlyKeys("tenant_id", "job_id", "row_of"));
            assertThat(finding.violations()).isEqualTo(100);
            assertThat(finding.more()).isFalse();
          });
    }
  }

  @Test
  void more_than_anybody_would_count_is_a_lower_bound() {
    Invariant broken = law("many", "select n from generate_series(1, 20000) as many(n)\n");
    assertThat(doctor(rig.place()).examine(List.of(broken)))
        .singleElement()
        .satisfies(finding -> {
          assertThat(finding.examples()).hasSize(20);
          assertThat(finding.violations()).isEqualTo(10_000);
          assertThat(finding.more()).isTrue();
        });
  }

  @Test
  void every_law_says_what_a_violation_means_and_what_to_do() {
    assertThat(Doctor.invariants())
        .allSatisfy(law -> assertThat(law.explanation()).matches("[A-Z].{80,}[.]"));
  }

  static Invariant law(String name, String sql) {
    return new Invariant(0, name, "A law of this test.", "An explanation.", sql);
  }

  /** Breaks and looks in one transaction, which is undone: a copy of a database takes longer. */
  private static List<String> brokenBy(Corruption corruption, TestDatabase database)
      throws SQLException {
    return jdbi(database)
        .withHandle(handle -> {
          handle.begin();
          try {
            try (Statement statement = handle.getConnection().createStatement()) {
              statement.execute(corruption.sql());
            }
            return broken(doctor(database).examine(handle, Doctor.invariants()));
          } finally {
            handle.rollback();
          }
        });
  }

  private static List<String> broken(TestDatabase database) {
    return broken(examine(database));
  }

  private static List<String> broken(List<LawFinding> findings) {
    return findings.stream().filter(finding -> !finding.holds()).map(LawFinding::name).toList();
  }

  private static List<LawFinding> examine(TestDatabase database) {
    return doctor(database).examine();
  }

  private static Doctor doctor(TestDatabase database) {
    return new Doctor(jdbi(database), CheckLimits.DEFAULT);
  }

  private static Jdbi jdbi(TestDatabase database) {
    return Jdbi.create(database.jdbcUrl(), database.user(), database.password());
  }
}
