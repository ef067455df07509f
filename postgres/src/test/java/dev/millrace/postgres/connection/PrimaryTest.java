package dev.millrace.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which servers are let in, and what is known of them after a restart. */
class PrimaryTest {

  private static final int VERSION = 180_000;

  @TempDir Path folder;

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(PrimaryTest.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** A connection to a server that says it is of this version. */
  private static Connection server(int number, String name) {
    return server(number, name, 1);
  }

  /** A connection to a server on this timeline, in this system. */
  private static Connection server(int number, String name, long system) {
    ResultSet row =
        proxy(
            ResultSet.class,
            (_, method, _) ->
                switch (method.getName()) {
                  case "next" -> true;
                  case "getInt" -> number;
                  case "getString" -> name;
                  case "getLong" -> system;
                  case "getBoolean" -> false;
                  default -> null;
                });
    Statement statement =
        proxy(
            Statement.class,
            (_, method, _) -> method.getName().equals("executeQuery") ? row : null);
    return proxy(Connection.class, (_, _, _) -> statement);
  }

  @Test
  void a_server_older_than_the_oldest_that_works_is_refused_with_its_version() {
    assertThatThrownBy(() -> new Primary().admit(server(140_012, "14.12 (Debian)")))
        .isInstanceOf(RefusedServer.class)
        .hasMessageContaining("PostgreSQL 14.12 (Debian)")
        .hasMessageContaining("needs PostgreSQL 15 or newer");
  }

  private Primary primary(String address) {
    return Primary.remembered(folder.resolve("data").resolve("primary"), address);
  }

  @Test
  void what_was_seen_is_known_after_a_restart_at_the_same_address() throws Exception {
    primary("here").admit(server(VERSION, "000000030000000000000001", -5));
    assertThatThrownBy(() -> primary("here").admit(server(VERSION, "00000002000000", -5)))
        .isInstanceOf(RefusedServer.class)
        .hasMessageContaining("timeline 2, and timeline 3 was seen")
        .hasMessageContaining("delete " + folder.resolve("data").resolve("primary"));
    assertThatThrownBy(() -> primary("here").admit(server(VERSION, "00000003000000", 6)))
        .isInstanceOf(RefusedServer.class)
        .hasMessageContaining("another database system (6)");
    assertThat(primary("here").admit(server(VERSION, "00000004000000", -5))).isEqualTo(4);
    assertThat(primary("here").newest()).isEqualTo(4);
    assertThat(primary("elsewhere").admit(server(VERSION, "00000001000000", 6))).isEqualTo(1);
  }

  @Test
  void a_folder_that_can_not_be_written_and_a_file_that_is_garbage_stop_nobody() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "x");
    Primary.remembered(file.resolve("primary"), "here").admit(server(VERSION, "00000002", 1));
    for (String garbage : new String[] {"", "a\n1", "1\na", "1\n2\n3"}) {
      primary("here").admit(server(VERSION, "00000002", 1));
      Path known = folder.resolve("data").resolve("primary");
      Files.writeString(known, Files.readAllLines(known).getFirst() + "\n" + garbage);
      assertThat(primary("here").admit(server(VERSION, "00000001", 9))).isEqualTo(1);
      Files.delete(known);
    }
  }
}
