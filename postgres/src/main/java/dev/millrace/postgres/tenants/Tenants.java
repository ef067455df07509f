package dev.millrace.postgres.tenants;

import dev.millrace.postgres.records.RecordMapper;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** The customers. */
public final class Tenants {

  private static final String ENSURE =
      """
      insert into tenant (slug)
      values (:slug)
      on conflict do nothing
      """;

  private static final String ID =
      """
      select id
      from tenant
      where slug = :slug
      """;

  private static final String SLUG =
      """
      select slug
      from tenant
      where id = :id
      """;

  private static final String COLUMNS =
      """
      id, slug, name, created_at, suspended_at, removing_at, removed_at, active_jobs, daily_jobs,
          priority, storage_bytes, user_storage_bytes, requests_per_minute,
          tenant_requests_per_minute, burst\
      """;

  private static final String FIND =
      """
      select %s
      from tenant
      where id = :id
      """
          .formatted(COLUMNS);

  private static final String FIND_BY_SLUG =
      """
      select %s
      from tenant
      where slug = :slug
      """
          .formatted(COLUMNS);

  private static final String INSERT =
      """
      insert into tenant (slug, name)
      values (:slug, :name)
      on conflict do nothing
      returning %s
      """
          .formatted(COLUMNS);

  /**
   * By slug, so that a page goes on where the one before ended whatever was made meanwhile. Without
   * those of which nothing is left.
   */
  private static final String LIST =
      """
      select %s
      from tenant
      where (cast(:after as text) is null or slug > :after)
        and removed_at is null
        and (cast(:part as text) is null
            or position(lower(:part) in slug) > 0
            or position(lower(:part) in lower(name)) > 0)
      order by slug
      limit :limit
      """
          .formatted(COLUMNS);

  private static final String LIMIT =
      """
      update tenant
      set active_jobs = :active,
          daily_jobs = :daily,
          priority = :priority,
          storage_bytes = :storage,
          user_storage_bytes = :user_storage,
          requests_per_minute = :requests,
          tenant_requests_per_minute = :tenant_requests,
          burst = :burst
      where slug = :slug
        and removing_at is null
      returning %s
      """
          .formatted(COLUMNS);

  /**
   * A second suspension changes nothing: since when it is suspended stays true. Whoever is being
   * removed stays out.
   */
  private static final String SUSPEND =
      """
      update tenant
      set suspended_at = case when :suspended then coalesce(suspended_at, clock_timestamp()) end
      where slug = :slug
        and removing_at is null
      returning %s
      """
          .formatted(COLUMNS);

  private final Jdbi jdbi;

  public Tenants(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** The tenant's id; makes the tenant if there is none. */
  public int ensure(String slug) {
    return jdbi.inTransaction(handle -> {
      handle.createUpdate(ENSURE).bind("slug", slug).execute();
      return handle.createQuery(ID).bind("slug", slug).mapTo(Integer.class).one();
    });
  }

  public String slug(int id) {
    return jdbi.withHandle(
        handle -> handle.createQuery(SLUG).bind("id", id).mapTo(String.class).one());
  }

  public TenantView get(int id) {
    return jdbi.withHandle(handle ->
        handle.createQuery(FIND).bind("id", id).map(RecordMapper.of(TenantView.class)).one());
  }

  public Optional<TenantView> find(String slug) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(FIND_BY_SLUG)
            .bind("slug", slug)
            .map(RecordMapper.of(TenantView.class))
            .findOne());
  }

  /** A new tenant, or empty if there is one of this slug. */
  public Optional<TenantView> add(String slug, String name, Audit.Line line) {
    return audited(
        line, handle -> handle.createQuery(INSERT).bind("slug", slug).bind("name", name));
  }

  /**
   * Tenants in the order of their slugs.
   *
   * @param part what the slug or the name has in it, or null for all
   * @param after the last slug of the page before, or null
   */
  public List<TenantView> list(@Nullable String part, @Nullable String after, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(LIST)
            .bind("part", part)
            .bind("after", after)
            .bind("limit", limit)
            .map(RecordMapper.of(TenantView.class))
            .list());
  }

  /** Sets all limits; empty if there is no such tenant, or it is being removed. */
  public Optional<TenantView> limit(String slug, TenantView.Limits limits, Audit.Line line) {
    return audited(
        line,
        handle ->
            handle
                .createQuery(LIMIT)
                .bind("active", limits.activeJobs())
                .bind("daily", limits.dailyJobs())
                .bind("priority", limits.priority())
                .bind("storage", limits.storageBytes())
                .bind("user_storage", limits.userStorageBytes())
                .bind("requests", limits.requestsPerMinute())
                .bind("tenant_requests", limits.tenantRequestsPerMinute())
                .bind("burst", limits.burst())
                .bind("slug", slug));
  }

  /** Shuts a tenant out or lets it in; empty if there is no such one, or it is being removed. */
  public Optional<TenantView> suspend(String slug, boolean suspended, Audit.Line line) {
    return audited(
        line,
        handle -> handle.createQuery(SUSPEND).bind("suspended", suspended).bind("slug", slug));
  }

  private Optional<TenantView> audited(Audit.Line line, Function<Handle, Query> change) {
    return jdbi.inTransaction(handle -> {
      Optional<TenantView> changed =
          change.apply(handle).map(RecordMapper.of(TenantView.class)).findOne();
      changed.ifPresent(_ -> Audit.write(handle, line));
      return changed;
    });
  }
}
