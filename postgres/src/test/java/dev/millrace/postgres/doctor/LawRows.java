package dev.millrace.postgres.doctor;

import dev.millrace.postgres.PlacedRows;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Looks at placed rows with one law at a time. */
final class LawRows {

  private final PlacedRows rows;

  LawRows(PlacedRows rows) {
    this.rows = rows;
  }

  /** How many rows break a law after a change, which is undone. */
  long broken(String law, String change) {
    return find(law, change).violations();
  }

  /** What is told of a law after a change, which is undone. */
  LawFinding find(String law, String change) {
    List<Invariant> laws =
        Doctor.invariants().stream().filter(each -> each.name().equals(law)).toList();
    return rows.jdbi()
        .withHandle(handle -> {
          handle.begin();
          try (Statement statement = handle.getConnection().createStatement()) {
            statement.execute(change);
            return new Doctor(rows.jdbi(), CheckLimits.DEFAULT).examine(handle, laws).getFirst();
          } catch (SQLException e) {
            throw new IllegalStateException(change, e);
          } finally {
            handle.rollback();
          }
        });
  }
}
