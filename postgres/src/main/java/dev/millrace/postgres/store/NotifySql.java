package dev.millrace.postgres.store;

import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Signal;
import dev.millrace.postgres.notify.SignalText;
import dev.millrace.postgres.notify.Wakeups;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** One notification for the whole batch, sent by PostgreSQL if and when it commits. */
final class NotifySql {

  private static final String NOTIFY = "select pg_notify(?, ?)";

  private NotifySql() {}

  static void notify(Connection connection, Changes changes) throws SQLException {
    Signal signal = Signal.of(changes);
    if (signal.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(NOTIFY)) {
      statement.setString(1, Wakeups.CHANNEL);
      statement.setString(2, SignalText.write(signal));
      statement.execute();
    }
  }
}
