package dev.millrace.postgres.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

/** Runs every invariant on one snapshot of a live database. */
public final class Doctor {

  /** Enough to see what is wrong; a broken law may have millions of rows. */
  private static final int MOST_VIOLATIONS = 20;

  private final Jdbi jdbi;

  public Doctor(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * What one law's query found.
   *
   * @param violations empty while the law holds; ids and numbers only, never a prompt or a key
   */
  public record Finding(int number, String name, String law, List<Map<String, Object>> violations) {
    public boolean holds() {
      return violations.isEmpty();
    }
  }

  public List<Finding> examine() {
    return jdbi.inTransaction(
        TransactionIsolationLevel.REPEATABLE_READ,
        handle -> {
          handle.setReadOnly(true);
          List<Finding> findings = new ArrayList<>();
          for (Invariant invariant : invariants()) {
            findings.add(examine(handle, invariant));
          }
          return findings;
        });
  }

  static List<Invariant> invariants() {
    return Stream.of(
            MoneyLaws.ALL, HistoryLaws.ALL, DispatchLaws.ALL, ProviderLaws.ALL, OwnershipLaws.ALL)
        .flatMap(List::stream)
        .toList();
  }

  private static Finding examine(Handle handle, Invariant invariant) {
    return new Finding(
        invariant.number(),
        invariant.name(),
        invariant.law(),
        handle.createQuery(invariant.sql() + "limit " + MOST_VIOLATIONS).mapToMap().list());
  }
}
