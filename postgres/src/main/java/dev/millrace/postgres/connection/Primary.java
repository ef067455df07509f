package dev.millrace.postgres.connection;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one database that a node works on, as it got to know it. Behind an address there may be
 * another server after a failover: a standby, or the old primary that came back. A connection to
 * such a one is refused, for what it tells was true once.
 */
public final class Primary {

  private static final Logger LOG = LoggerFactory.getLogger(Primary.class);

  /** The oldest one on which all statements are known to work. */
  public static final int OLDEST_MAJOR = 15;

  private static final int VERSIONS_PER_MAJOR = 10_000;

  private static final String STATUS =
      """
      select current_setting('server_version_num')::int as version,
          current_setting('server_version') as version_name,
          pg_is_in_recovery() as recovering,
          current_setting('transaction_read_only') = 'on' as read_only
      """;

  /**
   * The file of the log that is being written begins with the timeline. What the last checkpoint
   * says of it is older than a promotion for a while.
   */
  private static final String IDENTITY =
      """
      select (select c.system_identifier from pg_control_system() c) as system,
          pg_walfile_name(pg_current_wal_insert_lsn()) as log_file
      """;

  private static final int TIMELINE_DIGITS = 8;

  private final List<Runnable> whenNewer = new CopyOnWriteArrayList<>();
  private final @Nullable PrimaryFile file;
  private @Nullable Long system;
  private int newest;
  private @Nullable String said;

  /** One that is forgotten with this process. */
  public Primary() {
    this.file = null;
  }

  private Primary(PrimaryFile file) {
    this.file = file;
    file.read()
        .ifPresent(known -> {
          system = known.system();
          newest = known.timeline();
        });
  }

  /**
   * One that a file remembers, so that a node which starts while its address leads to the old
   * primary knows better.
   *
   * @param address whoever names another one wants another database
   */
  public static Primary remembered(Path file, String address) {
    return new Primary(new PrimaryFile(file, address));
  }

  /** What a server says of itself. */
  record Identity(long system, int timeline) {}

  /** Is told when a newer timeline was seen: connections from before may be to the old primary. */
  public void whenNewer(Runnable listener) {
    whenNewer.add(listener);
  }

  /**
   * Lets the connection pass, or says why not.
   *
   * @return its timeline; the newest if the server doesn't tell
   * @throws RefusedServer if this server must not be used
   */
  public int admit(Connection connection) throws SQLException {
    try {
      requireWritable(connection);
      Identity identity = identity(connection);
      if (identity == null) {
        return newest();
      }
      if (isNewer(identity)) {
        whenNewer.forEach(Runnable::run);
      }
      return identity.timeline;
    } catch (RefusedServer e) {
      tell(e);
      throw e;
    }
  }

  /** The newest timeline that was seen. */
  synchronized int newest() {
    return newest;
  }

  private static void requireWritable(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(STATUS)) {
      row.next();
      if (row.getInt("version") < OLDEST_MAJOR * VERSIONS_PER_MAJOR) {
        throw new RefusedServer(
            "The database is PostgreSQL %s, and Millrace needs PostgreSQL %d or newer."
                .formatted(row.getString("version_name"), OLDEST_MAJOR));
      }
      if (row.getBoolean("recovering")) {
        throw new RefusedServer(
            "The server is a standby (in recovery), and Millrace needs the primary.");
      }
      if (row.getBoolean("read_only")) {
        throw new RefusedServer(
            "The server only lets us read (default_transaction_read_only is on).");
      }
    }
  }

  /** Null where the server doesn't tell, as some that are run by others don't. */
  private static @Nullable Identity identity(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(IDENTITY)) {
      row.next();
      String timeline = row.getString("log_file").substring(0, TIMELINE_DIGITS);
      return new Identity(row.getLong("system"), Integer.parseUnsignedInt(timeline, 16));
    } catch (SQLException e) {
      if (SqlTrouble.of(e) == SqlTrouble.MISTAKEN) {
        return null;
      }
      throw e;
    }
  }

  /** True if it is from a newer timeline than all before it. */
  private synchronized boolean isNewer(Identity identity) throws RefusedServer {
    if (system == null) {
      system = identity.system;
      learn(identity);
      return false;
    }
    if (system != identity.system) {
      throw new RefusedServer(
          "The server is another database system (%s) than the one that this node works on (%s)."
                  .formatted(Long.toUnsignedString(identity.system), Long.toUnsignedString(system))
              + wayOut());
    }
    if (identity.timeline < newest) {
      throw new RefusedServer(
          "The server is an old primary: it is on timeline %d, and timeline %d was seen."
                  .formatted(identity.timeline, newest)
              + wayOut());
    }
    boolean newer = identity.timeline > newest;
    if (newer) {
      LOG.info("The database was promoted: timeline {} after {}", identity.timeline, newest);
    }
    if (newer) {
      learn(identity);
    }
    said = null;
    return newer;
  }

  private void learn(Identity identity) {
    newest = identity.timeline;
    if (file != null) {
      file.write(identity);
    }
  }

  private String wayOut() {
    return file == null
        ? ""
        : " If that is meant to be, delete %s and start again.".formatted(file);
  }

  /** Once; pools try again and again. */
  private synchronized void tell(RefusedServer e) {
    String reason = e.getMessage();
    if (reason != null && !reason.equals(said)) {
      said = reason;
      LOG.warn("A connection was refused. {}", reason);
    }
  }
}
