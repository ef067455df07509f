package dev.millrace.postgres.files;

import dev.millrace.postgres.records.RecordMapper;
import dev.millrace.postgres.tenants.Visibility;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Looks at stored files. */
public final class Files {

  private static final String COLUMNS =
      """
      f.id, f.job_id, f.kind, f.key, f.name, f.media_type, f.size, f.sha256, f.width, f.height,
          f.thumbnail_key, f.withheld, f.approved, f.created_at, f.notes\
      """;

  /** What an attempt made is its owner's once the job is completed: approved, and paid for. */
  static final String VISIBLE =
      """
      f.deleted_at is null
        and f.state = 'ready'
        and (f.job_id is null or exists (
          select 1
          from job j
          where j.tenant_id = f.tenant_id
            and j.id = f.job_id
            and j.state = 'completed'
            and j.attempts = f.attempt
            and not f.withheld
            and j.deleted_at is null))\
      """;

  /** The label of an upload is its own; what a job made has the job's. */
  static final String IN_WORKSPACE =
      """
      (cast(:workspace as text) is null or :workspace = coalesce(f.workspace, (
          select j.workspace
          from job j
          where j.tenant_id = f.tenant_id
            and j.id = f.job_id)))\
      """;

  private static final String FIND =
      """
      select %s
      from file f
      join wallet w on w.id = f.wallet_id
      where f.tenant_id = :tenant
        and f.id = :id
        and (cast(:user as text) is null or w.user_id = :user)
        and %s
        and %s
      """
          .formatted(COLUMNS, IN_WORKSPACE, VISIBLE);

  private static final String OF_JOBS =
      """
      select %s
      from file f
      where f.tenant_id = :tenant
        and f.job_id = any (:jobs)
        and %s
      order by f.job_id, f.id
      """
          .formatted(COLUMNS, VISIBLE);

  /** Whatever the owner may see of it: a reviewer looks first. */
  private static final String MADE =
      """
      select %s
      from file f
      join job j on j.tenant_id = f.tenant_id and j.id = f.job_id and j.attempts = f.attempt
      where f.tenant_id = :tenant
        and f.job_id = :job
        and f.deleted_at is null
        and j.deleted_at is null
      order by f.id
      """
          .formatted(COLUMNS);

  private static final String LIBRARY =
      """
      select %s
      from file f
      join wallet w on w.id = f.wallet_id
      where w.tenant_id = :tenant
        and w.user_id = :user
        and (cast(:kind as text) is null or f.kind = :kind)
        and (cast(:before as uuid) is null or f.id < :before)
        and %s
        and %s
      order by f.id desc
      limit :limit
      """
          .formatted(COLUMNS, IN_WORKSPACE, VISIBLE);

  private static final String OWNED =
      """
      select %s
      from file f
      join wallet w on w.id = f.wallet_id
      where f.tenant_id = :tenant
        and f.id = any (:ids)
        and w.tenant_id = :tenant
        and w.user_id = :user
        and %s
      """
          .formatted(COLUMNS, VISIBLE);

  /** An accepted job may read what its payer brought or made, whatever became of that job. */
  private static final String OF_PAYER =
      """
      select %s
      from job j
      join file f on f.tenant_id = j.tenant_id and f.wallet_id = j.wallet_id
      where j.tenant_id = :tenant
        and j.id = :job
        and f.id = any (:ids)
        and f.state = 'ready'
        and f.deleted_at is null
      """
          .formatted(COLUMNS);

  /** What a reviewer let through of the job that this one goes on with. */
  private static final String OF_FOLLOWED =
      """
      select %s
      from job j
      join file f on f.tenant_id = j.tenant_id and f.job_id = j.follows
      where j.tenant_id = :tenant
        and j.id = :job
        and f.id = any (:ids)
        and f.kind = 'output'
        and not f.withheld
        and f.state = 'ready'
        and f.deleted_at is null
      """
          .formatted(COLUMNS);

  private static final String FOLLOWS =
      """
      select follows is not null
      from job
      where tenant_id = :tenant
        and id = :job
      """;

  private static final String SAME =
      """
      select f.id
      from file f
      join wallet w on w.id = f.wallet_id
      where w.tenant_id = :tenant
        and w.user_id = :user
        and f.tenant_id = :tenant
        and f.kind = 'input'
        and f.sha256 = :sha256
        and f.media_type = :type
        and f.state = 'ready'
        and f.deleted_at is null
      order by f.id
      limit 1
      """;

  private final Jdbi jdbi;

  public Files(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** Finds a file that somebody may see. */
  public Optional<FileView> find(Visibility whose, UUID id) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(FIND)
            .bind("tenant", whose.tenant())
            .bind("user", whose.user())
            .bind("workspace", whose.workspace())
            .bind("id", id)
            .map(RecordMapper.of(FileView.class))
            .findOne());
  }

  public List<FileView> ofJobs(int tenant, List<UUID> jobs) {
    return jobs.isEmpty()
        ? List.of()
        : jdbi.withHandle(handle ->
            handle
                .createQuery(OF_JOBS)
                .bind("tenant", tenant)
                .bindArray("jobs", UUID.class, jobs)
                .map(RecordMapper.of(FileView.class))
                .list());
  }

  /** What the newest result of a job has, for a reviewer. */
  public List<FileView> madeBy(int tenant, UUID job) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(MADE)
            .bind("tenant", tenant)
            .bind("job", job)
            .map(RecordMapper.of(FileView.class))
            .list());
  }

  /** Those of these files that a user has. */
  public List<FileView> owned(int tenant, String user, Collection<UUID> ids) {
    return ids.isEmpty()
        ? List.of()
        : jdbi.withHandle(handle ->
            handle
                .createQuery(OWNED)
                .bind("tenant", tenant)
                .bind("user", user)
                .bindArray("ids", UUID.class, ids)
                .map(RecordMapper.of(FileView.class))
                .list());
  }

  /** A file that the user brought before, with the very same content. */
  public Optional<UUID> same(int tenant, String user, String sha256, String mediaType) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(SAME)
            .bind("tenant", tenant)
            .bind("user", user)
            .bind("sha256", sha256)
            .bind("type", mediaType)
            .mapTo(UUID.class)
            .findOne());
  }

  /** Those of these files that belong to who pays for a job. */
  public List<FileView> ofPayer(int tenant, UUID job, Collection<UUID> ids) {
    return some(OF_PAYER, tenant, job, ids);
  }

  /** Those of these files that were approved of the job which this job follows. */
  public List<FileView> ofFollowed(int tenant, UUID job, Collection<UUID> ids) {
    return some(OF_FOLLOWED, tenant, job, ids);
  }

  /** Whether the job goes on with another one's approved result. */
  public boolean follows(int tenant, UUID job) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(FOLLOWS)
            .bind("tenant", tenant)
            .bind("job", job)
            .mapTo(Boolean.class)
            .findOne()
            .orElse(false));
  }

  private List<FileView> some(String query, int tenant, UUID job, Collection<UUID> ids) {
    return ids.isEmpty()
        ? List.of()
        : jdbi.withHandle(handle ->
            handle
                .createQuery(query)
                .bind("tenant", tenant)
                .bind("job", job)
                .bindArray("ids", UUID.class, ids)
                .map(RecordMapper.of(FileView.class))
                .list());
  }

  /**
   * A user's files, newest first.
   *
   * @param kind {@code input} or {@code output}, or null for both
   */
  public List<FileView> library(
      Visibility whose, @Nullable String kind, @Nullable UUID before, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(LIBRARY)
            .bind("tenant", whose.tenant())
            .bind("user", whose.user())
            .bind("workspace", whose.workspace())
            .bind("kind", kind)
            .bind("before", before)
            .bind("limit", limit)
            .map(RecordMapper.of(FileView.class))
            .list());
  }
}
