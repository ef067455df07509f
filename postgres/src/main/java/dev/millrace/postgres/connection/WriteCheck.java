package dev.millrace.postgres.connection;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Whether a write would succeed now. It does write, though nothing that anybody reads: a message in
 * the log, with a commit like any other's. Whoever asks while a check is under way gets its answer.
 */
public final class WriteCheck {

  private static final String WRITE =
      """
      select current_setting('transaction_read_only') = 'on' as read_only,
          pg_logical_emit_message(true, 'millrace', 'ready')
      """;

  private final DataSource pool;
  private @Nullable CompletableFuture<Optional<String>> running;

  public WriteCheck(DataSource pool) {
    this.pool = pool;
  }

  /** What stands in the way of a write; empty if nothing does. Answers within this time. */
  public Optional<String> trouble(Duration limit) {
    try {
      return check().get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException _) {
      return Optional.of("a write takes more than %d ms".formatted(limit.toMillis()));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Optional.of("interrupted while writing");
    } catch (ExecutionException e) {
      return Optional.of(String.valueOf(e.getCause()));
    }
  }

  private synchronized CompletableFuture<Optional<String>> check() {
    if (running == null || running.isDone()) {
      CompletableFuture<Optional<String>> check = new CompletableFuture<>();
      running = check;
      Thread.ofVirtual().name("write-check").start(() -> check.complete(write()));
    }
    return running;
  }

  private Optional<String> write() {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(true);
      try (ResultSet row = statement.executeQuery(WRITE)) {
        row.next();
        return row.getBoolean("read_only")
            ? Optional.of("the database only lets us read")
            : Optional.empty();
      }
    } catch (SQLException | RuntimeException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }
}
