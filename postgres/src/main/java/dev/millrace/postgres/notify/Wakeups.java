package dev.millrace.postgres.notify;

import dev.millrace.engine.port.Signal;
import dev.millrace.engine.port.Store;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens for what other nodes committed. Reconnects by itself, and then wakes everybody once. */
public final class Wakeups {

  public static final String CHANNEL = "millrace";

  private static final Logger LOG = LoggerFactory.getLogger(Wakeups.class);

  /** After so long the connection is asked whether it is still one. */
  static final Duration LOOK = Duration.ofSeconds(2);

  /** And has so long to answer: what is half-open never does. */
  static final Duration ANSWER = Duration.ofSeconds(2);

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final DataSource database;
  private final String node;
  private final Probe probe;

  /** Throws if this is not a connection to the right database any more. */
  public interface Probe {
    void check(Connection connection) throws SQLException;
  }

  /**
   * Listens on one of these connections.
   *
   * @param node whose signals are passed over, because it is told of them when it commits
   */
  public Wakeups(DataSource database, String node, Probe probe) {
    this.database = database;
    this.node = node;
    this.probe = probe;
  }

  /** A running listener. */
  public interface Listener extends AutoCloseable {
    @Override
    void close();
  }

  public Listener listen(Consumer<Signal> listener) {
    Loop loop = new Loop(listener);
    Thread thread = Thread.ofPlatform().name("wakeups").daemon().start(loop);
    return () -> {
      loop.closed = true;
      LockSupport.unpark(thread);
    };
  }

  private final class Loop implements Runnable {
    private final Consumer<Signal> listener;
    private volatile boolean closed;

    Loop(Consumer<Signal> listener) {
      this.listener = listener;
    }

    @Override
    public void run() {
      while (!closed) {
        try {
          listen();
        } catch (SQLException | Store.Unavailable e) {
          if (!closed) {
            LOG.warn("Lost the connection that listens for wake-ups; trying again", e);
            LockSupport.parkNanos(PAUSE.toNanos());
          }
        }
      }
    }

    private void listen() throws SQLException {
      try (Connection connection = database.getConnection();
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(true);
        connection.setNetworkTimeout(Runnable::run, (int) ANSWER.toMillis());
        statement.execute("listen " + CHANNEL);
        // Whatever happened while nobody listened is behind us now.
        tell(Signal.EVERYTHING);
        PGConnection pg = connection.unwrap(PGConnection.class);
        long checked = System.nanoTime();
        while (!closed) {
          PGNotification[] notifications = pg.getNotifications((int) LOOK.toMillis());
          if (notifications != null) {
            tellOthers(notifications);
          }
          if (System.nanoTime() - checked >= LOOK.toNanos()) {
            probe.check(connection);
            checked = System.nanoTime();
          }
        }
        // The connection goes back to the pool, where nobody must find it still listening.
        statement.execute("unlisten *");
      }
    }

    private void tellOthers(PGNotification[] notifications) {
      for (PGNotification notification : notifications) {
        String text = notification.getParameter();
        if (!SignalText.isOf(node, text)) {
          tell(SignalText.read(text));
        }
      }
    }

    /** A listener's own trouble costs it one wake-up, not all that follow. */
    private void tell(Signal signal) {
      try {
        listener.accept(signal);
      } catch (RuntimeException e) {
        LOG.error("A listener failed on a wake-up", e);
      }
    }
  }
}
