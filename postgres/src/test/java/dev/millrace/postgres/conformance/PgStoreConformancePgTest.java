package dev.millrace.postgres.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.conformance.Ground;
import dev.millrace.engine.conformance.TransactionConformanceTest;
import dev.millrace.postgres.doctor.LawFinding;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** PostgreSQL does what every store must do, and its rows are sound after that. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PgStoreConformancePgTest extends TransactionConformanceTest {

  private PgGround ground;

  @BeforeAll
  void open() throws SQLException {
    ground = new PgGround();
  }

  @Override
  protected Ground emptyGround() throws SQLException {
    ground.clear();
    return ground;
  }

  @AfterEach
  void the_doctor_finds_nothing() {
    assertThat(ground.examine()).isNotEmpty().allMatch(LawFinding::holds);
  }

  @AfterAll
  void close() throws SQLException {
    ground.close();
  }
}
