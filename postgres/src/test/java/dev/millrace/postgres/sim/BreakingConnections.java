package dev.millrace.postgres.sim;

import dev.millrace.engine.sim.Faults;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** Connections whose backends are killed at any statement, and on either side of a commit. */
final class BreakingConnections implements AutoCloseable {

  private static final String GONE = "08006";

  private final SimDatabase database;
  private final Deque<Connection> idle = new ArrayDeque<>();
  private @Nullable Faults faults;
  private boolean committed;

  BreakingConnections(SimDatabase database) {
    this.database = database;
  }

  void listenTo(Faults weather) {
    faults = weather;
  }

  /** Whether the newest transaction that ended was committed, whoever heard of it. */
  boolean committed() {
    return committed;
  }

  DataSource source() {
    return proxy(
        DataSource.class,
        (_, method, _) -> {
          if (method.getName().equals("getConnection")) {
            return lend();
          }
          throw new UnsupportedOperationException(method.getName());
        });
  }

  private Connection lend() throws SQLException {
    committed = false;
    try {
      between("connect");
    } catch (Faults.Broken e) {
      // Others may have committed meanwhile; this one has not.
      committed = false;
      throw e.kind() == Faults.Break.AGAIN
          ? new SQLException("again", "40001")
          : new SQLTransientConnectionException("no connection", GONE);
    }
    Connection physical = idle.isEmpty() ? database.source().getConnection() : idle.pop();
    return proxy(Connection.class, new Lent(physical));
  }

  private void between(String call) {
    if (faults != null) {
      faults.between(call);
    }
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection : idle) {
      connection.close();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            BreakingConnections.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static Object invoke(Object target, Method method, @Nullable Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private interface Call {
    @Nullable Object run() throws Throwable;
  }

  /** One connection in the hands of one transaction. */
  private final class Lent implements InvocationHandler {
    private final Connection physical;
    private boolean happened;
    private boolean killed;

    Lent(Connection physical) {
      this.physical = physical;
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, @Nullable Object[] arguments)
        throws Throwable {
      return switch (method.getName()) {
        case "commit" -> commit(() -> BreakingConnections.invoke(physical, method, arguments));
        case "close" -> {
          giveBack();
          yield null;
        }
        case "prepareStatement" -> {
          Object statement = BreakingConnections.invoke(physical, method, arguments);
          boolean last = String.valueOf(Objects.requireNonNull(arguments)[0]).endsWith("commit");
          yield proxy(
              PreparedStatement.class,
              (_, call, values) ->
                  last && call.getName().startsWith("execute")
                      ? commit(() -> BreakingConnections.invoke(statement, call, values))
                      : run(statement, call, values));
        }
        default -> BreakingConnections.invoke(physical, method, arguments);
      };
    }

    private Object run(Object statement, Method method, @Nullable Object[] arguments)
        throws Throwable {
      if (!method.getName().startsWith("execute")) {
        return BreakingConnections.invoke(statement, method, arguments);
      }
      maybeBreak("statement");
      Object result = BreakingConnections.invoke(statement, method, arguments);
      maybeBreak("after statement");
      return result;
    }

    /** A killed backend is found out by the driver itself, at what it does next. */
    private void maybeBreak(String call) throws SQLException {
      try {
        between(call);
      } catch (Faults.Broken e) {
        switch (e.kind()) {
          case CUT -> kill();
          case REFUSED -> throw new SQLException("canceled", "57014");
          case AGAIN -> throw new SQLException("again", "40001");
        }
      }
    }

    private void kill() throws SQLException {
      killed = true;
      database.kill(physical.unwrap(PGConnection.class).getBackendPID());
    }

    /** By itself, or together with the writes. */
    private @Nullable Object commit(Call call) throws Throwable {
      maybeBreak("commit");
      Faults.Commit fate = faults == null ? Faults.Commit.FINE : faults.commit();
      if (fate == Faults.Commit.LOST) {
        kill();
      }
      Object result = call.run();
      happened = true;
      if (fate == Faults.Commit.UNHEARD) {
        kill();
        throw new SQLException("the answer never came", GONE);
      }
      return result;
    }

    private void giveBack() throws SQLException {
      committed = happened;
      if (killed || physical.isClosed()) {
        physical.close();
      } else {
        idle.push(physical);
      }
    }
  }
}
