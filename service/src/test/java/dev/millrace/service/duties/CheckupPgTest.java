package dev.millrace.service.duties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.postgres.Database;
import dev.millrace.postgres.doctor.Checkups;
import dev.millrace.testkit.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The laws are checked without anybody asking, by one node, and a broken one is remembered. */
class CheckupPgTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private TestDatabase place;
  private Database database;

  @BeforeEach
  void open() {
    place = TestDatabase.create();
    database =
        Database.open(new Database.Access(place.jdbcUrl(), place.user(), place.password(), 4));
  }

  @AfterEach
  void close() {
    database.close();
    place.close();
  }

  private void due() {
    place.execute("update checkup set began_at = began_at - interval '1 day'");
  }

  private Checkup every(Duration pause) {
    return Checkup.of(pause, database, registry);
  }

  private double gauge() {
    return Objects.requireNonNull(registry.find("millrace.doctor.violated").gauge()).value();
  }

  @Test
  void nothing_is_checked_before_it_is_time_or_if_it_is_switched_off() {
    every(Duration.ofHours(1)).run();
    assertThat(database.checkups().last()).isEmpty();
    due();
    every(Duration.ZERO).run();
    assertThat(database.checkups().last()).isEmpty();
  }

  @Test
  void when_it_is_time_one_node_does_it_for_all() {
    due();
    assertThat(database.checkups().begin(Duration.ofHours(1))).isTrue();
    assertThat(database.checkups().begin(Duration.ofHours(1))).isFalse();
  }

  @Test
  void a_broken_law_is_remembered_and_counted_until_it_holds_again() {
    due();
    Checkup checkup = every(Duration.ofHours(1));
    checkup.run();
    Checkups.View good = database.checkups().last().orElseThrow();
    assertThat(good.violated()).isEmpty();
    assertThat(good.laws()).isGreaterThan(20);
    assertThat(gauge()).isZero();

    // Credits that no ledger line tells of.
    int tenant = database.tenants().ensure("acme");
    place.execute(
        "insert into wallet (tenant_id, user_id, balance) values (" + tenant + ", 'eve', 5)");
    // A law that a busy database can't answer quickly is left unchecked until the next time.
    await()
        .untilAsserted(() -> {
          due();
          checkup.run();
          assertThat(database.checkups().last().orElseThrow().violated()).isNotEmpty();
        });
    assertThat(gauge()).isPositive();

    place.execute("delete from wallet where user_id = 'eve'");
    due();
    checkup.run();
    assertThat(database.checkups().last().orElseThrow().violated()).isEmpty();
    assertThat(gauge()).isZero();
  }
}
