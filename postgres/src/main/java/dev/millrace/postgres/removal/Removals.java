package dev.millrace.postgres.removal;

import dev.millrace.postgres.records.RecordMapper;
import dev.millrace.postgres.tenants.Audit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Which tenants are exported, being removed, and gone. */
public final class Removals {

  /** Any change of a live job is an event more, and its end a job less. */
  private static final String STANDING =
      """
      select count(*) || '/' || coalesce(sum(j.events), 0)
      from dispatch d
      join job j on j.tenant_id = d.tenant_id and j.id = d.job_id
      where d.tenant_id = :tenant
      """;

  private static final String NOW = "select clock_timestamp()";

  private static final String EXPORTED =
      """
      update tenant
      set exported_at = :began,
          export_hash = decode(:hash, 'hex'),
          export_standing = :standing
      where id = :tenant
        and removed_at is null
      """;

  private static final String FIND =
      """
      select id, suspended_at, removing_at, removed_at, exported_at,
          encode(export_hash, 'hex') as export_hash, export_standing,
          exists (
              select 1
              from api_key k
              where k.tenant_id = tenant.id
                and k.role = 'operator'
                and k.revoked_at is null) as has_operators
      from tenant
      where slug = :slug
      """;

  /** Whoever let it in again meanwhile comes first, and so does who exported it anew. */
  private static final String BEGIN =
      """
      update tenant
      set removing_at = clock_timestamp()
      where id = :tenant
        and suspended_at is not null
        and removing_at is null
        and (cast(:hash as text) is null or export_hash = decode(:hash, 'hex'))
      """;

  /** Those who were let in a moment before the suspension have long been answered. */
  private static final String OPEN =
      """
      select id, slug
      from tenant
      where removing_at is not null
        and removed_at is null
        and suspended_at < clock_timestamp() - make_interval(secs => :seconds)
      order by removing_at
      limit :limit
      """;

  private static final String GONE =
      """
      select id, slug
      from tenant
      where removed_at > clock_timestamp() - make_interval(secs => :seconds)
      order by id
      limit :limit
      """;

  /** Not as long as anybody has a wallet, or can come in. */
  private static final String FINISH =
      """
      update tenant
      set removed_at = clock_timestamp(),
          name = '',
          allowed_origins = '{}',
          export_hash = null,
          export_standing = null
      where id = :tenant
        and removing_at is not null
        and removed_at is null
        and not exists (select 1 from wallet w where w.tenant_id = :tenant)
        and not exists (select 1 from api_key k where k.tenant_id = :tenant)
      """;

  private final Jdbi jdbi;

  public Removals(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * How a tenant stands.
   *
   * @param hasOperators whether a key of somebody who keeps the installation is among its keys
   */
  public record Standing(
      int id,
      Dates dates,
      @Nullable String exportHash,
      @Nullable String exportStanding,
      boolean hasOperators) {}

  /** When what happened to it; null for what has not. */
  public record Dates(
      @Nullable Instant suspendedAt,
      @Nullable Instant removingAt,
      @Nullable Instant removedAt,
      @Nullable Instant exportedAt) {}

  /** A tenant by both its names. */
  public record Leaving(int id, String slug) {}

  /** The database's time. */
  public Instant now() {
    return jdbi.withHandle(handle -> handle.createQuery(NOW).mapTo(Instant.class).one());
  }

  /** A text that is another one as soon as anything happens to a job that has not ended. */
  public String standingOfJobs(int tenant) {
    return jdbi.withHandle(
        handle -> handle.createQuery(STANDING).bind("tenant", tenant).mapTo(String.class).one());
  }

  /**
   * An export was made whole.
   *
   * @param began before its first row was read
   * @param hash SHA-256 of its receipt, in hexadecimal
   */
  public void exported(int tenant, Instant began, String hash, String standing) {
    jdbi.useHandle(handle ->
        handle
            .createUpdate(EXPORTED)
            .bind("began", began)
            .bind("hash", hash)
            .bind("standing", standing)
            .bind("tenant", tenant)
            .execute());
  }

  public Optional<Standing> find(String slug) {
    return jdbi.withHandle(handle ->
        handle.createQuery(FIND).bind("slug", slug).map(RecordMapper.of(Standing.class)).findOne());
  }

  /**
   * Begins the removal, with its line in the audit.
   *
   * @param hash of the receipt that was shown, or null for none
   * @return false if it stands otherwise by now
   */
  public boolean begin(int tenant, @Nullable String hash, Audit.Line line) {
    return jdbi.inTransaction(handle -> {
      boolean begun =
          handle.createUpdate(BEGIN).bind("tenant", tenant).bind("hash", hash).execute() == 1;
      if (begun) {
        Audit.write(handle, line);
      }
      return begun;
    });
  }

  /**
   * Tenants of which something is left, the first to go first.
   *
   * @param quiet so long they have been suspended
   */
  public List<Leaving> open(Duration quiet, int limit) {
    return list(OPEN, quiet, limit);
  }

  /** Tenants that were removed within this time. */
  public List<Leaving> gone(Duration within, int limit) {
    return list(GONE, within, limit);
  }

  private List<Leaving> list(String statement, Duration time, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(statement)
            .bind("seconds", (double) time.toSeconds())
            .bind("limit", limit)
            .map(RecordMapper.of(Leaving.class))
            .list());
  }

  /** Nothing is left of it but its slug, which nobody gets again; false if something is. */
  public boolean finish(int tenant) {
    return jdbi.withHandle(handle -> handle.createUpdate(FINISH).bind("tenant", tenant).execute())
        == 1;
  }
}
