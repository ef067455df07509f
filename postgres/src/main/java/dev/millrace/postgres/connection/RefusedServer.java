package dev.millrace.postgres.connection;

import java.sql.SQLException;

/** A server that answers, and that must not be used; the message says why. */
public final class RefusedServer extends SQLException {
  private static final long serialVersionUID = 1;

  RefusedServer(String reason) {
    super(reason, SqlTrouble.NOT_ADMITTED);
  }
}
