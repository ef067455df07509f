package dev.millrace.postgres.connection;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** A server that is too old is told by its version. */
class PrimaryTest {

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(PrimaryTest.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** A connection to a server that says it is of this version. */
  private static Connection server(int number, String name) {
    ResultSet row =
        proxy(
            ResultSet.class,
            (_, method, _) ->
                switch (method.getName()) {
                  case "next" -> true;
                  case "getInt" -> number;
                  case "getString" -> name;
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
}
