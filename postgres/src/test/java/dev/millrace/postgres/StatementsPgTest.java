package dev.millrace.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** Every statement of this module is one that PostgreSQL understands on the real schema. */
class StatementsPgTest {

  private static final Pattern STATEMENT =
      Pattern.compile("\\s*(select|insert|update|delete|with)\\s.*", Pattern.DOTALL);
  private static final Pattern NAMED = Pattern.compile("(?<![:\\w]):[a-z]\\w*");

  @Test
  void every_statement_prepares() throws Exception {
    Map<String, String> statements = statements();
    assertThat(statements)
        .hasSizeGreaterThan(45)
        .containsKeys(
            "ClaimSql.CLAIM", "JobWrites.UPDATE_JOBS", "MoneyLaws.HOLDS", "Jobs.LIST", "Keys.FIND");
    SoftAssertions softly = new SoftAssertions();
    try (EngineRig rig = EngineRig.open();
        Connection connection = rig.place().connect()) {
      statements.forEach((name, sql) ->
          softly
              .assertThatCode(() -> prepare(connection, sql))
              .as(name)
              .doesNotThrowAnyException());
    }
    softly.assertAll();
  }

  @Test
  void a_statement_that_names_no_column_of_the_schema_is_found() throws Exception {
    try (EngineRig rig = EngineRig.open();
        Connection connection = rig.place().connect()) {
      assertThatCode(() -> prepare(connection, "select nonsense from job where id = :id"))
          .hasMessageContaining("nonsense");
    }
  }

  /** The driver asks the server for the types, which makes it parse and plan the statement. */
  private static void prepare(Connection connection, String sql) throws SQLException {
    String positional = NAMED.matcher(sql).replaceAll("?");
    try (PreparedStatement statement = connection.prepareStatement(positional)) {
      statement.getParameterMetaData();
      statement.getMetaData();
    }
  }

  private static Map<String, String> statements() throws Exception {
    Map<String, String> statements = new TreeMap<>();
    for (Class<?> type : classes()) {
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) || field.isSynthetic()) {
          continue;
        }
        field.setAccessible(true);
        Object value = field.get(null);
        String sql = value == null ? "" : sql(value);
        if (STATEMENT.matcher(sql).matches()) {
          statements.put(type.getSimpleName() + "." + field.getName(), sql);
        }
      }
    }
    return statements;
  }

  private static String sql(Object value) throws ReflectiveOperationException {
    if (value instanceof String text) {
      return text;
    }
    if (value.getClass().getSimpleName().equals("Bulk")) {
      Method sql = value.getClass().getDeclaredMethod("sql");
      sql.setAccessible(true);
      return (String) sql.invoke(value);
    }
    return "";
  }

  private static List<Class<?>> classes()
      throws IOException, URISyntaxException, ClassNotFoundException {
    Path root = Path.of(Database.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<Class<?>> classes = new ArrayList<>();
    try (var files = Files.walk(root.resolve("dev/millrace/postgres"))) {
      for (Path file : files.sorted().toList()) {
        String name = root.relativize(file).toString();
        if (name.endsWith(".class") && !name.endsWith("package-info.class")) {
          classes.add(
              Class.forName(name.substring(0, name.length() - 6).replace(File.separatorChar, '.')));
        }
      }
    }
    return classes;
  }
}
