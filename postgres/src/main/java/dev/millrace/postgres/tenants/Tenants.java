package dev.millrace.postgres.tenants;

import dev.millrace.postgres.records.RecordMapper;
import java.util.Optional;
import org.jdbi.v3.core.Jdbi;

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
      id, slug, name, created_at, suspended_at, requests_per_minute, burst, active_jobs,
          daily_jobs, priority\
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
}
