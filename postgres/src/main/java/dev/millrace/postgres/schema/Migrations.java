package dev.millrace.postgres.schema;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.MigrationVersion;

/** Brings a database to the schema of this program. */
public final class Migrations {

  private static final String PLACE = "classpath:dev/millrace/postgres/schema";

  /** By itself Flyway gives up on another node's migration after less than a minute. */
  private static final int AS_LONG_AS_IT_TAKES = -1;

  private Migrations() {}

  /** The database can't be used by this program; the message says what to do. */
  public static final class Refused extends RuntimeException {
    Refused(String message) {
      super(message);
    }

    Refused(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** Safe to run from several nodes at once: one migrates, the others wait and find it done. */
  public static void run(DataSource database) {
    Flyway flyway = flyway(database);
    try {
      refuseTheFuture(flyway);
      flyway.migrate();
    } catch (FlywayException e) {
      throw new Refused("The database could not be migrated: " + e.getMessage(), e);
    }
  }

  static Flyway flyway(DataSource database) {
    return Flyway.configure()
        .dataSource(database)
        .locations(PLACE)
        .lockRetryCount(AS_LONG_AS_IT_TAKES)
        .load();
  }

  private static void refuseTheFuture(Flyway flyway) {
    MigrationVersion newest = MigrationVersion.EMPTY;
    MigrationVersion known = MigrationVersion.EMPTY;
    for (MigrationInfo info : flyway.info().all()) {
      MigrationVersion version = info.getVersion();
      if (version == null) {
        continue;
      }
      boolean future =
          info.getState() == MigrationState.FUTURE_SUCCESS
              || info.getState() == MigrationState.FUTURE_FAILED;
      if (future && version.compareTo(newest) > 0) {
        newest = version;
      }
      if (!future && version.compareTo(known) > 0) {
        known = version;
      }
    }
    if (newest.compareTo(known) > 0) {
      throw new Refused(
          "The database has schema version %s, and this program knows up to %s. Run a newer Millrace, or use another database."
              .formatted(newest, known));
    }
  }
}
