package dev.millrace.postgres.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Statements that travel together. They run one after the other, each seeing what the one before
 * did and what others committed meanwhile, but all of them cost one round trip. The driver prepares
 * each of them, because the few combinations that occur have always the same text.
 */
final class Pipeline {

  /** One statement: how its parameters are set, and what is done with its answer. */
  private interface Step {
    String sql();

    int bind(Connection connection, PreparedStatement statement, int parameter) throws SQLException;

    void take(PreparedStatement statement) throws SQLException;
  }

  /** Reads the rows of one answer. */
  interface Reader {
    void row(ResultSet row) throws SQLException;
  }

  private final List<Step> steps = new ArrayList<>();

  /** Writes the rows; none at all is no statement. */
  <T> Pipeline write(Bulk<T> bulk, Collection<T> rows) {
    return add(bulk, rows, _ -> {});
  }

  /**
   * Writes rows that are locked, so a missing one is a bug, and must roll everything back. The
   * database itself counts: a commit may be on its way already.
   */
  <T> Pipeline writeAll(Bulk<T> bulk, Collection<T> rows) {
    if (!rows.isEmpty()) {
      steps.add(
          new Step() {
            @Override
            public String sql() {
              return "with done as (%s returning 1) select require_rows(count(*), ?) from done"
                  .formatted(bulk.sql());
            }

            @Override
            public int bind(Connection connection, PreparedStatement statement, int parameter)
                throws SQLException {
              int next = bulk.bind(connection, statement, parameter, rows);
              statement.setInt(next, rows.size());
              return next + 1;
            }

            @Override
            public void take(PreparedStatement statement) {}
          });
    }
    return this;
  }

  /** Ends the transaction, unless a statement before fails: then this isn't even tried. */
  Pipeline commit() {
    return read("commit", List.of(), null);
  }

  boolean isEmpty() {
    return steps.isEmpty();
  }

  <T> Pipeline read(Bulk<T> bulk, Collection<T> rows, Reader reader) {
    return add(bulk, rows, statement -> read(statement, reader));
  }

  /**
   * The same with arrays of numbers that do not belong to the rows, for the last parameters of the
   * statement.
   */
  <T> Pipeline read(
      Bulk<T> bulk, Collection<T> rows, List<? extends Collection<Integer>> sets, Reader reader) {
    return add(bulk, rows, sets, statement -> read(statement, reader));
  }

  /** A statement whose parameters are texts. */
  Pipeline read(String sql, List<String> parameters, @Nullable Reader reader) {
    steps.add(
        new Step() {
          @Override
          public String sql() {
            return sql;
          }

          @Override
          public int bind(Connection connection, PreparedStatement statement, int parameter)
              throws SQLException {
            int next = parameter;
            for (String value : parameters) {
              statement.setString(next++, value);
            }
            return next;
          }

          @Override
          public void take(PreparedStatement statement) throws SQLException {
            if (reader != null) {
              read(statement, reader);
            }
          }
        });
    return this;
  }

  private interface Taker {
    void take(PreparedStatement statement) throws SQLException;
  }

  private <T> Pipeline add(Bulk<T> bulk, Collection<T> rows, Taker taker) {
    return add(bulk, rows, List.of(), taker);
  }

  private <T> Pipeline add(
      Bulk<T> bulk, Collection<T> rows, List<? extends Collection<Integer>> sets, Taker taker) {
    if (!rows.isEmpty()) {
      steps.add(
          new Step() {
            @Override
            public String sql() {
              return bulk.sql();
            }

            @Override
            public int bind(Connection connection, PreparedStatement statement, int parameter)
                throws SQLException {
              int next = bulk.bind(connection, statement, parameter, rows);
              for (Collection<Integer> set : sets) {
                statement.setArray(
                    next++, connection.createArrayOf("int4", set.toArray(new Integer[0])));
              }
              return next;
            }

            @Override
            public void take(PreparedStatement statement) throws SQLException {
              taker.take(statement);
            }
          });
    }
    return this;
  }

  void run(Connection connection) throws SQLException {
    if (steps.isEmpty()) {
      return;
    }
    String sql = steps.stream().map(Step::sql).collect(Collectors.joining(";\n"));
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int parameter = 1;
      for (Step step : steps) {
        parameter = step.bind(connection, statement, parameter);
      }
      statement.execute();
      for (Step step : steps) {
        step.take(statement);
        statement.getMoreResults();
      }
    }
  }

  private static void read(PreparedStatement statement, Reader reader) throws SQLException {
    try (ResultSet rows = statement.getResultSet()) {
      while (rows.next()) {
        reader.row(rows);
      }
    }
  }
}
