package dev.millrace.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.postgres.Database;
import dev.millrace.postgres.schema.Migrations;
import dev.millrace.testkit.TestDatabase;
import dev.millrace.testkit.net.KeptPort;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Only a server that gives each connection a session of its own can be used. */
class SessionCheckPgTest {

  private static final Path PGBOUNCER = Path.of("/usr/sbin/pgbouncer");

  private final TestDatabase place = TestDatabase.create();

  @TempDir Path folder;

  @AfterEach
  void close() {
    place.close();
  }

  /** As much of a pooler as the check can see: each transaction gets whichever session is free. */
  private final class TransactionPooler implements AutoCloseable {
    private final Deque<Connection> free = new ArrayDeque<>();
    private final boolean newestFirst;

    TransactionPooler(int sessions, boolean newestFirst) throws SQLException {
      this.newestFirst = newestFirst;
      for (int i = 0; i < sessions; i++) {
        free.add(place.connect());
      }
    }

    DataSource connections() {
      return proxy(DataSource.class, (method, _) -> client());
    }

    private Connection client() {
      AtomicReference<@Nullable Connection> held = new AtomicReference<>();
      boolean[] transactions = new boolean[1];
      return proxy(
          Connection.class,
          (method, arguments) ->
              switch (method.getName()) {
                case "setAutoCommit" -> {
                  transactions[0] = !(boolean) arguments[0];
                  yield null;
                }
                case "createStatement" -> {
                  Connection mine = held.get();
                  Connection session = mine == null ? free.remove() : mine;
                  if (transactions[0]) {
                    held.set(session);
                  } else if (newestFirst) {
                    free.addFirst(session);
                  } else {
                    free.addLast(session);
                  }
                  yield session.createStatement();
                }
                case "rollback" -> {
                  Connection mine = held.getAndSet(null);
                  if (mine != null) {
                    free.addFirst(mine);
                  }
                  yield null;
                }
                default -> null;
              });
    }

    @Override
    public void close() throws SQLException {
      for (Connection session : free) {
        session.close();
      }
    }
  }

  private interface Call {
    @Nullable Object answer(Method method, Object[] arguments) throws SQLException;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            SessionCheckPgTest.class.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> call.answer(method, arguments)));
  }

  @Test
  void connections_with_sessions_of_their_own_pass() {
    assertThatCode(() -> SessionCheck.run(place.dataSource())).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7})
  void a_pooler_that_hands_out_a_session_for_a_transaction_is_refused(int sessions)
      throws Exception {
    for (boolean newestFirst : new boolean[] {true, false}) {
      try (TransactionPooler pooler = new TransactionPooler(sessions, newestFirst)) {
        assertThatThrownBy(() -> SessionCheck.run(pooler.connections()))
            .isInstanceOf(RefusedServer.class)
            .hasMessageContaining("pooler in transaction mode");
      }
    }
  }

  @Test
  void a_real_pooler_in_transaction_mode_is_refused_and_keeps_no_lock() throws Exception {
    Process pooler = pooler("transaction");
    try {
      assertThatThrownBy(() -> Database.open(access()))
          .isInstanceOf(Migrations.Refused.class)
          .hasMessageContaining("pooler in transaction mode");
      assertThat(place.ask("select count(*) from pg_locks where locktype = 'advisory'"))
          .isEqualTo("0");
      assertThat(place.ask("select to_regclass('job')")).isNull();
    } finally {
      end(pooler);
    }
  }

  @Test
  void a_real_pooler_in_session_mode_is_fine() throws Exception {
    Process pooler = pooler("session");
    try {
      try (Database database = Database.open(access())) {
        assertThat(database.tenants().ensure("acme")).isPositive();
      }
    } finally {
      end(pooler);
    }
  }

  private int port;

  private Database.Access access() {
    URI real = URI.create(place.jdbcUrl().substring("jdbc:".length()));
    return new Database.Access(
        "jdbc:postgresql://127.0.0.1:" + port + real.getPath(), place.user(), place.password(), 6);
  }

  private Process pooler(String mode) throws IOException {
    assumeTrue(Files.isExecutable(PGBOUNCER), "needs pgbouncer, as Debian has it");
    URI real = URI.create(place.jdbcUrl().substring("jdbc:".length()));
    port = KeptPort.next();
    Path users = Files.writeString(folder.resolve("users"), "\"postgres\" \"postgres\"\n");
    Path settings =
        Files.writeString(
            folder.resolve("pgbouncer.ini"),
            """
            [databases]
            * = host=127.0.0.1 port=%d
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = %d
            unix_socket_dir =
            auth_type = plain
            auth_file = %s
            pool_mode = %s
            default_pool_size = 20
            ignore_startup_parameters = extra_float_digits
            """
                .formatted(real.getPort(), port, users, mode));
    for (Path path : new Path[] {folder, users, settings}) {
      path.toFile().setReadable(true, false);
      path.toFile().setExecutable(true, false);
    }
    Process pooler =
        new ProcessBuilder(PGBOUNCER.toString(), "-u", "nobody", settings.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    Awaitility.await()
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> {
          new Socket(InetAddress.getLoopbackAddress(), port).close();
          return true;
        });
    return pooler;
  }

  private static void end(Process pooler) throws InterruptedException {
    pooler.destroyForcibly();
    assertThat(pooler.waitFor(1, TimeUnit.MINUTES)).isTrue();
  }
}
