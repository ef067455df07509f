package dev.millrace.cli.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.e2e.Program.Result;
import dev.millrace.testkit.TestDatabase;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database that the operator runs, today and after a newer Millrace has used it. */
class OutsideDatabaseEndToEndTest {

  @TempDir Path folder;

  @Test
  void an_outside_database_is_used_until_it_is_newer_than_the_program() throws Exception {
    try (TestDatabase database = TestDatabase.create();
        Installation installation = new Installation(folder)) {
      installation.set("DATABASE_URL", url(database));
      RunningServer server = installation.start();
      installation.cli("run", "sketch/draft", "-i", "prompt=a", "--wait").exits(0);
      server.client().requireHealth();
      assertThat(server.out()).contains("PostgreSQL at ").doesNotContain(":postgres@");
      assertThat(installation.postgres()).as("no other one was started").isEmpty();
      server.sigterm();

      database.execute(
          """
          insert into flyway_schema_history
            (installed_rank, version, description, type, script, installed_by, execution_time, success)
          values (1000, '999', 'the future', 'SQL', 'V999__the_future.sql', 'somebody', 1, true)
          """);
      Result refused = installation.cli("start").exits(1);
      assertThat(refused.out()).isEmpty();
      assertThat(refused.err())
          .contains("millrace: The database has schema version 999, and this program knows up to ")
          .contains("Run a newer Millrace");
    }
  }

  private static String url(TestDatabase database) {
    return "%s?user=%s&password=%s"
        .formatted(database.jdbcUrl(), database.user(), database.password());
  }
}
