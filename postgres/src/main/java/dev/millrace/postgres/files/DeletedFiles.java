package dev.millrace.postgres.files;

import dev.millrace.postgres.records.RecordMapper;
import dev.millrace.postgres.tenants.Visibility;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Files that were deleted. From the commit on a file is gone for everybody; its object goes right
 * after, or later if the store is away just then.
 */
public final class DeletedFiles {

  private static final String COLUMNS =
      "f.tenant_id as tenant, f.id, f.key, f.thumbnail_key, f.upload_id, f.size";

  /** Both what a user sees and what is still waited for. */
  private static final String DELETE =
      """
      update file f
      set deleted_at = clock_timestamp(),
          name = 'deleted'
      from wallet w
      where w.id = f.wallet_id
        and f.tenant_id = :tenant
        and f.id = :id
        and (cast(:user as text) is null or w.user_id = :user)
        and %s
        and f.deleted_at is null
        and (f.state = 'pending' or (%s))
      returning %s
      """
          .formatted(Files.IN_WORKSPACE, Files.VISIBLE, COLUMNS);

  /** An id is like no other text, so where it stands in an input, the file is meant. */
  private static final String IN_USE =
      """
      select exists (
          select 1
          from file f
          join dispatch d on d.tenant_id = f.tenant_id
          join job j on j.tenant_id = d.tenant_id and j.id = d.job_id and j.wallet_id = f.wallet_id
          join job_input i on i.tenant_id = j.tenant_id and i.job_id = j.id
          where f.tenant_id = :tenant
            and f.id = :id
            and strpos(lower(i.input::text), f.id::text) > 0)
      """;

  /** A request that deletes does the rest itself, so a file is given a minute first. */
  private static final String LEFT =
      """
      select %s
      from file f
      where f.deleted_at is not null
        and f.erased_at is null
        and f.deleted_at < clock_timestamp() - interval '1 minute'
        and (f.tenant_id, f.id) > (:tenant, :id)
      order by f.tenant_id, f.id
      limit :limit
      """
          .formatted(COLUMNS);

  private static final String ERASED =
      """
      update file
      set erased_at = clock_timestamp()
      where tenant_id = :tenant
        and id = :id
        and deleted_at is not null
        and erased_at is null
      """;

  private static final UUID FIRST = new UUID(0, 0);

  private final Jdbi jdbi;

  public DeletedFiles(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * A deleted file whose object may still be there.
   *
   * @param uploadId the store's name for its upload, if it was to come in parts
   */
  public record Deleted(
      int tenant,
      UUID id,
      String key,
      @Nullable String thumbnailKey,
      @Nullable String uploadId,
      long size) {}

  /** Whether a live job of the same user has the file in its input. */
  public boolean inUse(int tenant, UUID id) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(IN_USE)
            .bind("tenant", tenant)
            .bind("id", id)
            .mapTo(Boolean.class)
            .one());
  }

  /**
   * Deletes a file that its user can see, or that is still waited for.
   *
   * @return empty if there is none
   */
  public Optional<Deleted> delete(Visibility whose, UUID id) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(DELETE)
            .bind("tenant", whose.tenant())
            .bind("user", whose.user())
            .bind("workspace", whose.workspace())
            .bind("id", id)
            .map(RecordMapper.of(Deleted.class))
            .findOne());
  }

  /**
   * Deleted files that were never cleaned up after, in the order of their ids.
   *
   * @param after the last of the page before, or null
   */
  public List<Deleted> left(@Nullable Deleted after, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(LEFT)
            .bind("tenant", after == null ? 0 : after.tenant())
            .bind("id", after == null ? FIRST : after.id())
            .bind("limit", limit)
            .map(RecordMapper.of(Deleted.class))
            .list());
  }

  /** The file's objects are gone. */
  public void erased(int tenant, UUID id) {
    jdbi.useHandle(
        handle -> handle.createUpdate(ERASED).bind("tenant", tenant).bind("id", id).execute());
  }
}
