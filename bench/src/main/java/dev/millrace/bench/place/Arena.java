package dev.millrace.bench.place;

import dev.millrace.engine.Engine;
import dev.millrace.engine.port.Store;
import dev.millrace.postgres.Database;
import dev.millrace.postgres.doctor.CheckLimits;
import dev.millrace.postgres.doctor.LawFinding;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** A database of its own for one measure. */
public final class Arena implements AutoCloseable {

  /** A connection gives up on a statement after a minute, so a law has a little less. */
  private static final CheckLimits PATIENCE =
      new CheckLimits(Duration.ofSeconds(55), Duration.ofSeconds(5), Duration.ofMinutes(30));

  private static final String ROWS =
      """
      select sum(n_tup_ins + n_tup_upd + n_tup_del)
      from pg_stat_user_tables
      """;

  private final Site site;
  private final String name;
  private final Database database;
  private final Stock stock;

  Arena(Site site, String name, Database database, Stock stock) {
    this.site = site;
    this.name = name;
    this.database = database;
    this.stock = stock;
  }

  /** An invariant was broken, so no figure of this database means anything. */
  public static final class Unsound extends RuntimeException {
    Unsound(String message) {
      super(message);
    }
  }

  public Engine engine(int maxBatch) {
    return engine(maxBatch, _ -> {});
  }

  public Engine engine(int maxBatch, Engine.Listener listener) {
    return Stock.engine(database, maxBatch, listener);
  }

  public Store store() {
    return database.store();
  }

  public Database database() {
    return database;
  }

  public Stock stock() {
    return stock;
  }

  public Site site() {
    return site;
  }

  public String name() {
    return name;
  }

  public double ask(String sql) {
    return site.ask(name, sql);
  }

  public void execute(String... statements) {
    site.execute(name, statements);
  }

  /**
   * Rows that were inserted, changed or deleted here, as PostgreSQL counts them. A connection adds
   * its share when it ends, so this ends them all, and waits until the count stands still.
   */
  public double rowsWrittenInAll() throws InterruptedException {
    database.close();
    double before = -1;
    double now = ask(ROWS);
    while (now != before) {
      Thread.sleep(300);
      before = now;
      now = ask(ROWS);
    }
    return now;
  }

  /**
   * Asks the doctor.
   *
   * @return the laws that took too long to check
   * @throws Unsound if a law is broken
   */
  public List<String> requireSound() {
    List<LawFinding> findings = database.doctor(PATIENCE).examine();
    String broken =
        findings.stream()
            .filter(finding -> finding.status() == LawFinding.Status.VIOLATED)
            .map(finding -> finding.name() + " (" + finding.examples() + ")")
            .collect(Collectors.joining(", "));
    if (!broken.isEmpty()) {
      throw new Unsound("The doctor found broken laws: " + broken);
    }
    return findings.stream()
        .filter(finding -> finding.status() == LawFinding.Status.NOT_CHECKED)
        .map(LawFinding::name)
        .toList();
  }

  @Override
  public void close() {
    database.close();
    site.drop(name);
  }
}
