package dev.millrace.postgres.tenants;

import dev.millrace.postgres.records.RecordMapper;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Append-only lines of who administered what. */
public final class Audit {

  private static final String INSERT =
      """
      insert into audit (tenant_id, of_installation, actor, action, target, detail)
      values (:tenant, :of_installation, :actor, :action, :target, :detail::jsonb)
      """;

  private static final String LIST =
      """
      select id, at, actor, action, target, detail
      from audit
      where tenant_id = :tenant
        and id < :before
        and (:everything or not of_installation)
        and (cast(:action as text) is null or action = :action)
        and (cast(:target as text) is null or target = :target)
      order by id desc
      limit :limit
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
   * @param ofInstallation whether it tells of what all tenants share
   */
  public record Line(
      int tenant,
      String actor,
      String action,
      String target,
      @Nullable String detail,
      boolean ofInstallation) {

    public Line(int tenant, String actor, String action, String target, @Nullable String detail) {
      this(tenant, actor, action, target, detail, false);
    }
  }

  public void write(Line line) {
    jdbi.useHandle(handle -> write(handle, line));
  }

  /** In the transaction of what it tells of. */
  public static void write(Handle handle, Line line) {
    handle
        .createUpdate(INSERT)
        .bind("tenant", line.tenant())
        .bind("of_installation", line.ofInstallation())
        .bind("actor", line.actor())
        .bind("action", line.action())
        .bind("target", line.target())
        .bind("detail", line.detail())
        .execute();
  }

  /** A line as it was written. */
  public record Written(
      long id, Instant at, String actor, String action, String target, @Nullable String detail) {}

  /**
   * Which lines to list, newest first.
   *
   * @param before the last id of the page before, or null
   * @param action only these, or null
   * @param target only what was done to this, or null
   * @param everything also what is the operator's to read
   */
  public record Filter(
      int tenant,
      boolean everything,
      @Nullable String action,
      @Nullable String target,
      @Nullable Long before,
      int limit) {}

  public List<Written> list(Filter filter) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(LIST)
            .bind("tenant", filter.tenant())
            .bind("everything", filter.everything())
            .bind("action", filter.action())
            .bind("target", filter.target())
            .bind("before", filter.before() == null ? Long.MAX_VALUE : filter.before())
            .bind("limit", filter.limit())
            .map(RecordMapper.of(Written.class))
            .list());
  }
}
