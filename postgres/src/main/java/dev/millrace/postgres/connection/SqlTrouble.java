package dev.millrace.postgres.connection;

import dev.millrace.engine.port.Store;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;
import java.util.Set;

/**
 * What an error of the database means for whoever asked: the only place where states are told
 * apart. What isn't named here is a mistake in a statement or in the data.
 */
public enum SqlTrouble {
  /** The connection is gone, so whatever was on its way may have happened. */
  BROKEN,

  /** The server can't do it now, for anybody; nothing happened. */
  REFUSED,

  /** Somebody else holds what it needs for longer than it may wait; nothing happened. */
  LOCKED,

  /** Two transactions stood in each other's way; the same once more will do. */
  COLLIDED,

  /** A statement that is wrong, or data that it doesn't fit. */
  MISTAKEN;

  /** Read-only; a standby that has not been promoted says the same. */
  private static final String READ_ONLY = "25006";

  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final String QUERY_CANCELED = "57014";

  /**
   * A timeout of the server's for a transaction that did nothing; the connection is closed by it.
   */
  private static final String IDLE_IN_TRANSACTION = "25P03";

  private static final Set<String> COLLISIONS = Set.of("40001", "40P01");

  /** What the driver says of a connection that was let in by nobody. */
  static final String NOT_ADMITTED = "08004";

  public static SqlTrouble of(SQLException e) {
    String state = e.getSQLState();
    if (e instanceof SQLTransientConnectionException) {
      return BROKEN;
    }
    if (state == null) {
      return MISTAKEN;
    }
    if (COLLISIONS.contains(state)) {
      return COLLIDED;
    }
    if (state.equals(LOCK_NOT_AVAILABLE)) {
      return LOCKED;
    }
    // 57P: the server shuts down, starts, or ends this session. 08: the connection itself.
    if (state.startsWith("08") || state.startsWith("57P") || state.equals(IDLE_IN_TRANSACTION)) {
      return BROKEN;
    }
    // 53: no room for a connection, on the disk or in memory. 58: the disk itself.
    boolean refused =
        state.startsWith("53")
            || state.startsWith("58")
            || state.equals(READ_ONLY)
            || state.equals(QUERY_CANCELED);
    return refused ? REFUSED : MISTAKEN;
  }

  /** The first error of the database among the causes. */
  public static Optional<SQLException> in(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        return Optional.of(sql);
      }
    }
    return Optional.empty();
  }

  /**
   * What to throw for something that certainly had no effect; empty for a mistake. Of a collision
   * it is thrown by those who don't try again.
   */
  public Optional<Store.Unavailable> unavailable(SQLException e) {
    String state = e.getSQLState();
    return switch (this) {
      case BROKEN ->
          Optional.of(new Store.Unavailable("the database can't be reached: " + state, e));
      case REFUSED -> Optional.of(new Store.Unavailable("the database can't do it: " + state, e));
      case LOCKED -> Optional.of(new Store.Busy("somebody else holds what it needs", e));
      case COLLIDED -> Optional.of(new Store.Busy("others stood in its way: " + state, e));
      case MISTAKEN -> Optional.empty();
    };
  }
}
