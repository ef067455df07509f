package dev.millrace.bench.scenario;

import dev.millrace.bench.load.LoadOrders;
import dev.millrace.bench.load.PgBench;
import dev.millrace.bench.load.RawRows;
import dev.millrace.bench.load.Sizes;
import dev.millrace.bench.measure.Load;
import dev.millrace.bench.measure.MeasureWords;
import dev.millrace.bench.measure.Measured;
import dev.millrace.bench.measure.Sheet;
import dev.millrace.bench.place.Arena;
import dev.millrace.bench.place.Site;
import dev.millrace.engine.Engine;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/**
 * (i) What this machine can do at best: one row committed durably, the rows of a job's life written
 * without any decision, and pgbench. The rows mean nothing to the doctor, and their database is
 * thrown away.
 */
public final class Floor implements Scenario {

  private static final List<Integer> BATCHES = List.of(256, 1000);
  private static final List<Integer> CONNECTIONS = List.of(1, 3);

  @Override
  public String letter() {
    return "i";
  }

  @Override
  public String title() {
    return "The floor: what PostgreSQL alone does here";
  }

  @Override
  public void run(Site site, Sizes sizes, Sheet sheet) throws Exception {
    bareCommits(site, sizes, sheet);
    for (int connections : CONNECTIONS) {
      for (int batch : BATCHES) {
        rawRows(site, sizes, sheet, connections, batch);
      }
    }
    new PgBench(site).run(sizes, sheet);
  }

  private static void bareCommits(Site site, Sizes sizes, Sheet sheet) throws Exception {
    String database = site.emptyDatabase();
    site.execute(database, "create table bare (id uuid primary key, text text)");
    try (Connection connection = site.connect(database);
        PreparedStatement insert =
            connection.prepareStatement("insert into bare (id, text) values (?, ?)")) {
      Measured measured =
          Load.run(
              1,
              sizes.span(),
              _ ->
                  meter -> {
                    insert.setObject(1, UUID.randomUUID());
                    insert.setString(2, LoadOrders.INPUT);
                    meter.time("commit", insert::executeUpdate);
                    meter.done();
                  });
      sheet.add("i.bare", "one row, one commit, one caller", measured, "commits/s");
    } finally {
      site.drop(database);
    }
  }

  private static void rawRows(Site site, Sizes sizes, Sheet sheet, int connections, int batch)
      throws Exception {
    try (Arena arena = site.arena(4)) {
      RawRows rows;
      try (Engine engine = arena.engine(1)) {
        rows = RawRows.learn(arena, engine);
      }
      Measured measured =
          Load.run(
              connections,
              sizes.span(),
              caller -> {
                Connection connection = open(arena);
                return meter -> meter.done(rows.insert(connection, batch));
              });
      String label =
          "raw rows, %,d jobs a commit, %s"
              .formatted(batch, MeasureWords.count(connections, "connection"));
      sheet.add("i.raw." + connections + "." + batch, label, measured, "rows/s");
    }
  }

  /** Ends when its database is dropped. */
  private static Connection open(Arena arena) {
    try {
      Connection connection = arena.site().connect(arena.name());
      connection.setAutoCommit(false);
      return connection;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
