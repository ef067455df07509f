package dev.millrace.postgres.store;

import dev.millrace.engine.port.AuditLine;
import dev.millrace.engine.port.Changes;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Who decided what, written with the decision. */
final class AuditWrites {

  private record Dated(AuditLine line, Instant at) {}

  private static final Bulk<Dated> INSERT =
      new Bulk<Dated>(
              """
              insert into audit (tenant_id, actor, action, target, detail, at)
              select a.tenant_id, a.actor, a.action, a.target, a.detail::jsonb, a.at
              from unnest(
                  ?::int[], ?::text[], ?::text[], ?::text[], ?::text[], ?::timestamptz[])
                  as a (tenant_id, actor, action, target, detail, at)
              """)
          .column("int4", a -> a.line.tenant())
          .column("text", a -> a.line.actor())
          .column("text", a -> a.line.action())
          .column("text", a -> a.line.target())
          .column("text", a -> detail(a.line))
          .column("timestamptz", Dated::at);

  private AuditWrites() {}

  static void write(Pipeline pipeline, Changes changes) {
    pipeline.write(INSERT, changes.audits().stream().map(a -> new Dated(a, changes.at())).toList());
  }

  private static @Nullable String detail(AuditLine line) {
    return line.detail().isEmpty() ? null : JsonMapper.shared().writeValueAsString(line.detail());
  }
}
