package dev.millrace.postgres.connection;

import java.time.Duration;
import java.util.Properties;

/**
 * How long anything may wait on a connection; zero for any time, which only migrations have.
 *
 * @param lock for a row or a table that somebody else holds
 * @param statement for one statement, without the wait of a commit for a standby
 * @param idleInTransaction for a transaction in which nothing is asked, such as that of a node that
 *     is frozen
 * @param socket for an answer, whatever became of the server
 */
public record WaitLimits(
    Duration lock, Duration statement, Duration idleInTransaction, Duration socket) {

  /** The engine's batches: a row that can't be had in a moment is taken later. */
  public static final WaitLimits ENGINE = seconds(1, 15, 8, 25);

  /** Everything else. The doctor sets its own limits, below that of the socket. */
  public static final WaitLimits RECORDS = seconds(1, 30, 8, 60);

  /**
   * A new index on a large table takes as long as it takes, and the connection that keeps others
   * from migrating too is idle meanwhile. But whoever waits for a table makes all others wait
   * behind him, so that is short, and comes again.
   */
  public static final WaitLimits MIGRATIONS = seconds(3, 0, 0, 0);

  /** A server looks so often whether somebody still waits for what it does. */
  private static final int CHECK_SECONDS = 2;

  /** A peer that is silent for so long is asked whether it is there. */
  static final int KEEPALIVE_IDLE_SECONDS = 4;

  static final int KEEPALIVE_INTERVAL_SECONDS = 2;
  static final int KEEPALIVE_COUNT = 2;

  private static final int CONNECT_SECONDS = 5;

  private static WaitLimits seconds(int lock, int statement, int idleInTransaction, int socket) {
    return new WaitLimits(
        Duration.ofSeconds(lock),
        Duration.ofSeconds(statement),
        Duration.ofSeconds(idleInTransaction),
        Duration.ofSeconds(socket));
  }

  /**
   * For the session. The server's side of the connection has limits too: it is the one that holds
   * the locks of a node whose machine vanished. Not every operating system knows the last one.
   */
  String sql() {
    return """
    set lock_timeout = %d;
    set statement_timeout = %d;
    set idle_in_transaction_session_timeout = %d;
    set tcp_keepalives_idle = %d;
    set tcp_keepalives_interval = %d;
    set tcp_keepalives_count = %d;
    set tcp_user_timeout = %d;
    do $$
    begin
        set client_connection_check_interval = '%d s';
    exception when others then
        null;
    end $$;
    """
        .formatted(
            lock.toMillis(),
            statement.toMillis(),
            idleInTransaction.toMillis(),
            KEEPALIVE_IDLE_SECONDS,
            KEEPALIVE_INTERVAL_SECONDS,
            KEEPALIVE_COUNT,
            1000 * (KEEPALIVE_IDLE_SECONDS + KEEPALIVE_COUNT * KEEPALIVE_INTERVAL_SECONDS),
            CHECK_SECONDS);
  }

  /** For the driver. */
  Properties properties() {
    Properties properties = new Properties();
    properties.setProperty("connectTimeout", "" + CONNECT_SECONDS);
    properties.setProperty("socketTimeout", "" + socket.toSeconds());
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("socketFactory", PromptSockets.class.getName());
    return properties;
  }
}
