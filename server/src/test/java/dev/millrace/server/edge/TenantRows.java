package dev.millrace.server.edge;

import dev.millrace.testkit.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A digest of every row that a tenant has, by table. */
final class TenantRows {

  /** What belongs to nobody in particular, and rows that hang on another row of the tenant's. */
  private static final Set<String> OF_NOBODY =
      Set.of(
          "archive",
          "checkup",
          "effect",
          "effect_timing",
          "lifecycle_edge",
          "queue",
          "text_output",
          "throughput",
          "webhook_attempt",
          "webhook_cursor",
          "worker",
          "worker_workflow",
          "workflow");

  private final TestDatabase database;
  private final List<String> tables;

  TenantRows(TestDatabase database) {
    this.database = database;
    this.tables =
        names(
            """
            select string_agg(relname, ',' order by relname)
            from pg_class
            where relnamespace = 'public'::regnamespace
              and relkind in ('r', 'p')
              and not relispartition
              and relname not like 'flyway%'
              and relname <> 'schema_version'
            """);
  }

  /** Tables of which nobody has said whose rows they have. */
  List<String> unknown() {
    List<String> unknown = new ArrayList<>(tables);
    unknown.removeAll(withTenant());
    unknown.removeAll(OF_NOBODY);
    unknown.remove("tenant");
    return unknown;
  }

  private List<String> withTenant() {
    return names(
        """
        select string_agg(table_name, ',' order by table_name)
        from information_schema.columns
        where table_schema = 'public' and column_name = 'tenant_id'
        """);
  }

  Map<String, String> digests(int tenant) {
    Map<String, String> digests = new TreeMap<>();
    for (String table : withTenant()) {
      if (tables.contains(table)) {
        digests.put(table, digest(table, "tenant_id = " + tenant));
      }
    }
    digests.put("tenant", digest("tenant", "id = " + tenant));
    return digests;
  }

  private String digest(String table, String where) {
    return String.valueOf(
        database.ask(
            """
            select count(*) || ' rows, ' || coalesce(md5(string_agg(r::text, '|' order by r::text)), '')
            from %s r where %s
            """
                .formatted(table, where)));
  }

  private List<String> names(String query) {
    return List.of(String.valueOf(database.ask(query)).split(",", -1));
  }
}
