package dev.millrace.postgres.connection;

import dev.millrace.engine.port.Store;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.HandleCallbackDecorator;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.StatementException;
import org.jdbi.v3.core.transaction.TransactionException;
import org.jspecify.annotations.Nullable;

/** Tells the database's troubles in the engine's words, for everything that is asked by Jdbi. */
public final class OperatingTroubles implements HandleCallbackDecorator {

  @Override
  public <R, X extends Exception> HandleCallback<R, X> decorate(HandleCallback<R, X> callback) {
    return handle -> {
      try {
        return STANDARD_HANDLE_CALLBACK_DECORATOR.decorate(callback).withHandle(handle);
      } catch (JdbiException e) {
        throw told(handle, e);
      }
    };
  }

  private static RuntimeException told(Handle handle, JdbiException e) {
    Optional<SQLException> sql = SqlTrouble.in(e);
    if (sql.isEmpty()) {
      return e;
    }
    SqlTrouble trouble = SqlTrouble.of(sql.get());
    if (trouble == SqlTrouble.BROKEN && mayHaveHappened(handle, e)) {
      return new Store.OutcomeUnknown("the connection broke while something was written", e);
    }
    Optional<Store.Unavailable> unavailable = trouble.unavailable(sql.get());
    return unavailable.isPresent() ? unavailable.get() : e;
  }

  /** A commit that nobody answered, or a write that is a transaction of its own. */
  private static boolean mayHaveHappened(Handle handle, JdbiException e) {
    if (e instanceof TransactionException) {
      return String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains("commit");
    }
    if (e instanceof StatementException statement) {
      var context = statement.getStatementContext();
      return !isRead(context == null ? null : context.getRenderedSql()) && !inTransaction(handle);
    }
    return false;
  }

  private static boolean isRead(@Nullable String sql) {
    return sql != null && sql.stripLeading().toLowerCase(Locale.ROOT).startsWith("select");
  }

  private static boolean inTransaction(Handle handle) {
    try {
      return handle.isInTransaction();
    } catch (JdbiException _) {
      return false;
    }
  }
}
