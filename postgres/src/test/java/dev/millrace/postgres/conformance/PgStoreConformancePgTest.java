package dev.millrace.postgres.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.conformance.Ground;
import dev.millrace.engine.conformance.TransactionConformanceTest;
import dev.millrace.postgres.doctor.LawFinding;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** PostgreSQL does what every store must do, and its rows are sound after that. */
class PgStoreConformancePgTest extends TransactionConformanceTest {

  /** One for all tests of this JVM, also for those that are run one by one. */
  private static @Nullable PgGround shared;

  private static synchronized PgGround ground(boolean first) throws SQLException {
    PgGround ground = shared;
    if (ground == null) {
      ground = new PgGround();
      shared = ground;
    }
    if (first) {
      ground.clear();
    }
    return ground;
  }

  @Override
  protected Ground emptyGround() throws SQLException {
    return ground(true);
  }

  @AfterEach
  void the_doctor_finds_nothing() throws SQLException {
    assertThat(ground(false).examine()).isNotEmpty().allMatch(LawFinding::holds);
  }
}
