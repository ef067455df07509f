package dev.millrace.bench.load;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.bench.measure.Meter;
import dev.millrace.bench.place.Arena;
import dev.millrace.bench.place.Stock;
import dev.millrace.engine.Engine;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a job's life leaves or passes through, copied from a real one and written under new
 * ids: one multi-row insert for each table, and one commit. Nothing is read, locked or decided.
 */
public final class RawRows {

  private record Column(String name, String type) {}

  /** A table, and the rows of one job in it, as texts. */
  private record Table(
      String name, List<Column> columns, List<List<@Nullable String>> rows, String insert) {}

  private final List<Table> tables;

  private RawRows(List<Table> tables) {
    this.tables = tables;
  }

  /** Lets one job live to its end and one wait, and keeps the rows of both. */
  public static RawRows learn(Arena arena, Engine engine) throws Exception {
    Stock stock = arena.stock();
    Works works = Works.batched(engine);
    new JobLoad(works, stock.users(), stock.queues(), 0).once(new Meter());
    works.submit(LoadOrders.of(stock.users().getFirst(), stock.queues().getFirst()));
    List<Table> tables = new ArrayList<>();
    try (Connection connection = arena.site().connect(arena.name())) {
      String done = "(select id from job where state = 'completed')";
      tables.add(table(connection, "job", "id = " + done));
      tables.add(table(connection, "job_input", "job_id = " + done));
      tables.add(table(connection, "dispatch", "true"));
      tables.add(table(connection, "ledger", "job_id = " + done));
      tables.add(table(connection, "job_event", "job_id = " + done));
      tables.add(table(connection, "attempt", "job_id = " + done));
      tables.add(table(connection, "file", "job_id = " + done));
      tables.add(table(connection, "text_output", "true"));
    }
    return new RawRows(tables);
  }

  private static Table table(Connection connection, String name, String which) throws SQLException {
    List<Column> columns = new ArrayList<>();
    List<List<@Nullable String>> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      try (ResultSet found = statement.executeQuery(columnsOf(name))) {
        while (found.next()) {
          columns.add(new Column(found.getString("attname"), found.getString("type")));
        }
      }
      String names = columns.stream().map(Column::name).collect(Collectors.joining(", "));
      try (ResultSet found =
          statement.executeQuery("select " + names + " from " + name + " where " + which)) {
        while (found.next()) {
          List<@Nullable String> row = new ArrayList<>();
          for (int i = 1; i <= columns.size(); i++) {
            row.add(found.getString(i));
          }
          rows.add(row);
        }
      }
      String arrays =
          columns.stream().map(c -> "?::" + c.type() + "[]").collect(Collectors.joining(", "));
      String insert = "insert into %s (%s) select * from unnest(%s)".formatted(name, names, arrays);
      return new Table(name, columns, rows, insert);
    }
  }

  /** Without those that PostgreSQL fills in by itself. */
  private static String columnsOf(String table) {
    return """
    select a.attname, format_type(a.atttypid, null) as type
    from pg_attribute a
    where a.attrelid = '%s'::regclass
      and a.attnum > 0
      and not a.attisdropped
      and a.attidentity = ''
      and a.attgenerated = ''
    order by a.attnum
    """
        .formatted(table);
  }

  /** Writes the rows of so many jobs and commits them. Answers how many rows that were. */
  public long insert(Connection connection, int jobs) throws SQLException {
    List<String> ids = new ArrayList<>(jobs);
    for (int i = 0; i < jobs; i++) {
      ids.add(UuidCreator.getTimeOrderedEpoch().toString());
    }
    long written = 0;
    for (Table table : tables) {
      try (PreparedStatement statement = connection.prepareStatement(table.insert())) {
        int parameter = 1;
        for (int c = 0; c < table.columns().size(); c++) {
          Column column = table.columns().get(c);
          statement.setArray(
              parameter++,
              connection.createArrayOf(arrayType(column.type()), values(table, c, ids)));
        }
        written += statement.executeUpdate();
      }
    }
    connection.commit();
    return written;
  }

  private static @Nullable Object[] values(Table table, int index, List<String> ids) {
    int each = table.rows().size();
    @Nullable Object[] values = new @Nullable Object[ids.size() * each];
    Supplier<@Nullable String> fresh = fresh(table.name(), table.columns().get(index).name());
    boolean isId = isJobId(table.name(), table.columns().get(index).name());
    for (int i = 0; i < ids.size(); i++) {
      for (int r = 0; r < each; r++) {
        String made = isId ? ids.get(i) : fresh.get();
        values[i * each + r] = made == null ? table.rows().get(r).get(index) : made;
      }
    }
    return values;
  }

  private static boolean isJobId(String table, String column) {
    return table.equals("job") ? column.equals("id") : column.equals("job_id");
  }

  /** What has to differ from row to row; null where the original will do. */
  private static Supplier<@Nullable String> fresh(String table, String column) {
    return switch (table + "." + column) {
      case "job.idempotency_key", "attempt.token", "file.id" -> () -> UUID.randomUUID().toString();
      case "file.key", "text_output.key" ->
          () -> "tenants/1/jobs/attempt-1/text-" + UUID.randomUUID() + ".txt";
      default -> () -> null;
    };
  }

  /** The driver knows the short names. Enums, which it doesn't know, travel as text. */
  private static String arrayType(String type) {
    return switch (type) {
      case "integer" -> "int4";
      case "bigint" -> "int8";
      case "smallint" -> "int2";
      case "boolean" -> "bool";
      case "uuid" -> "uuid";
      case "timestamp with time zone" -> "timestamptz";
      default -> "text";
    };
  }
}
