package dev.millrace.postgres.schema;

import dev.millrace.postgres.connection.SqlTrouble;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.MigrationVersion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings a database to the schema of this program. */
public final class Migrations {

  private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);

  private static final String PLACE = "classpath:dev/millrace/postgres/schema";

  /** Tries, one a second: by itself Flyway gives up on another node's migration after a minute. */
  private static final int AN_HOUR = 3_600;

  /** A table that others hold is asked for again; meanwhile they go on. */
  private static final int MOST_TRIES = 60;

  /** What version 1 was called while the schema still grew, migration upon migration. */
  private static final String FORMER_FIRST = "foundation";

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private Migrations() {}

  /** The database can't be used by this program; the message says what to do. */
  public static final class Refused extends RuntimeException {
    Refused(String message) {
      super(message);
    }

    public Refused(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Safe to run from several nodes at once: one migrates, the others wait and find it done. Whoever
   * waits can be interrupted.
   */
  public static void run(DataSource database) {
    for (int tries = 1; ; tries++) {
      Flyway flyway = flyway(database);
      try {
        refuseAnotherPast(flyway);
        refuseTheFuture(flyway);
        flyway.migrate();
        return;
      } catch (FlywayException e) {
        if (Thread.currentThread().isInterrupted() || !locked(e)) {
          throw new Refused("The database could not be migrated: " + e.getMessage(), e);
        }
        if (tries == MOST_TRIES) {
          throw new Refused(
              "The database could not be migrated, because others hold a table all the time: "
                  + e.getMessage(),
              e);
        }
        LOG.info("A table is in use, so the migration waits; everybody else goes on");
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  /** Each migration is one transaction, so nothing of it is there. */
  private static boolean locked(FlywayException e) {
    return SqlTrouble.in(e).filter(sql -> SqlTrouble.of(sql) == SqlTrouble.LOCKED).isPresent();
  }

  static Flyway flyway(DataSource database) {
    return Flyway.configure().dataSource(database).locations(PLACE).lockRetryCount(AN_HOUR).load();
  }

  /** Flyway would tell of checksums, and only once it had migrated what it could. */
  private static void refuseAnotherPast(Flyway flyway) {
    for (MigrationInfo info : flyway.info().applied()) {
      Integer here = info.getResolvedChecksum();
      Integer there = info.getAppliedChecksum();
      if (here == null || there == null || here.equals(there)) {
        continue;
      }
      if (info.getDescription().equals(FORMER_FIRST)) {
        throw new Refused(
            "The database was made by an unreleased version of Millrace, before the schema was written in one piece, and can't be brought to it. Use another data folder (MILLRACE_DATA_DIR) or another database.");
      }
      throw new Refused(
          "The database was made with another file of schema version %s (%s) than this program has. Run the Millrace that made it, or use another data folder (MILLRACE_DATA_DIR) or another database."
              .formatted(info.getVersion(), info.getDescription()));
    }
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
