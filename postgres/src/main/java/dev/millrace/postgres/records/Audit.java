package dev.millrace.postgres.records;

import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Append-only lines of who administered what. */
public final class Audit {

  private static final String INSERT =
      """
      insert into audit (tenant_id, actor, action, target, detail)
      values (:tenant, :actor, :action, :target, :detail::jsonb)
      """;

  private final Jdbi jdbi;

  public Audit(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * One line.
   *
   * @param actor who, as {@code key:mr_abcde}
   * @param action what, as {@code key.create}
   * @param target to what, as an id or a name
   * @param detail a JSON object, or null; never a secret
   */
  public record Line(
      int tenant, String actor, String action, String target, @Nullable String detail) {}

  public void write(Line line) {
    jdbi.useHandle(handle ->
        handle
            .createUpdate(INSERT)
            .bind("tenant", line.tenant())
            .bind("actor", line.actor())
            .bind("action", line.action())
            .bind("target", line.target())
            .bind("detail", line.detail())
            .execute());
  }
}
