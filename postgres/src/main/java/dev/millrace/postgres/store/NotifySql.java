package dev.millrace.postgres.store;

import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Signal;
import dev.millrace.postgres.notify.SignalText;
import dev.millrace.postgres.notify.Wakeups;
import java.util.List;

/** One notification for the whole batch, sent by PostgreSQL if and when it commits. */
final class NotifySql {

  private static final String NOTIFY = "select pg_notify(?, ?)";

  private NotifySql() {}

  static void write(Pipeline pipeline, Changes changes, String node) {
    Signal signal = Signal.of(changes);
    if (!signal.isEmpty()) {
      pipeline.read(NOTIFY, List.of(Wakeups.CHANNEL, SignalText.write(signal, node)), _ -> {});
    }
  }
}
