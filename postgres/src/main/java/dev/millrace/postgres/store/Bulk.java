package dev.millrace.postgres.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One statement over many rows, which travel as one array of a composite type that the statement
 * unnests. (An array for each column costs several times as much: PostgreSQL keeps a table of its
 * own for each.) Because the text is always the same, the driver prepares it once per connection.
 *
 * <p>Its plan is made once too, from what PostgreSQL believes of the tables at that moment, and a
 * table that it believes to be almost empty it rather reads from end to end, for every batch. So a
 * statement leaves it no choice. One that reads or locks asks for each row by itself, {@code cross
 * join lateral}. One that changes rows finds each {@code between} its key and its key, which means
 * equal, and is nothing that PostgreSQL could join in any other way than by looking up the key. So
 * does one that locks jobs, because the id of a job is in more than one index.
 */
final class Bulk<T> {

  /** A field of the composite type, in the order of its declaration. */
  record Column<T>(String type, Function<T, @Nullable Object> value) {}

  private final String type;
  private final String sql;
  private final List<Column<T>> columns = new ArrayList<>();

  /**
   * A statement.
   *
   * @param type the composite type of its rows, which a migration made
   * @param sql with one parameter, {@code unnest(?::type[])}
   */
  Bulk(String type, String sql) {
    this.type = type;
    this.sql = sql;
  }

  String sql() {
    return sql;
  }

  /** Adds the next field of the composite type. */
  Bulk<T> column(String type, Function<T, @Nullable Object> value) {
    columns.add(new Column<>(type, value));
    return this;
  }

  <R> List<R> query(Connection connection, Collection<T> rows, Rows.Mapper<R> mapper)
      throws SQLException {
    if (rows.isEmpty()) {
      return List.of();
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(connection, statement, 1, rows);
      return Rows.read(statement, mapper);
    }
  }

  /** Sets the rows as this parameter; returns the next one. */
  int bind(Connection connection, PreparedStatement statement, int parameter, Collection<T> rows)
      throws SQLException {
    statement.setArray(parameter, RowArray.of(connection, type, columns, rows));
    return parameter + 1;
  }
}
