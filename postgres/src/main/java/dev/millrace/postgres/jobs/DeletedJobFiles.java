package dev.millrace.postgres.jobs;

import dev.millrace.postgres.records.RecordMapper;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * What deleted jobs leave behind: their files and their input. The rows of history and money stay.
 */
public final class DeletedJobFiles {

  /** A request that deletes does the rest itself, so a job is given a minute first. */
  private static final String UNCLEANED =
      """
      select j.tenant_id as tenant, t.slug as tenant_slug, j.id
      from job j
      join tenant t on t.id = j.tenant_id
      where j.deleted_at is not null
        and j.cleaned_at is null
        and j.deleted_at < clock_timestamp() - interval '1 minute'
        and (j.tenant_id, j.id) > (:tenant, :id)
      order by j.tenant_id, j.id
      limit :limit
      """;

  private static final String FILES =
      """
      select f.id, f.key, f.thumbnail_key, f.size
      from file f
      join job j on j.tenant_id = f.tenant_id and j.id = f.job_id
      where f.tenant_id = :tenant
        and f.job_id = :job
        and f.deleted_at is null
        and j.deleted_at is not null
      order by f.id
      """;

  private static final String REMOVED =
      """
      update file
      set deleted_at = clock_timestamp(),
          erased_at = clock_timestamp(),
          name = 'deleted'
      where tenant_id = :tenant
        and id = :id
        and deleted_at is null
      """;

  private static final String FORGET =
      """
      update job_input i
      set input = '{}',
          notes = null
      from job j
      where i.tenant_id = :tenant
        and i.job_id = :job
        and j.tenant_id = i.tenant_id
        and j.id = i.job_id
        and j.deleted_at is not null
      """;

  /** A provider's words may repeat the user's; states, numbers, times and codes stay. */
  private static final String FORGET_WORDS_OF_JOB =
      """
      update job
      set summary = null,
          message = null,
          error_message = case when error_message is null then null else 'Deleted' end
      where tenant_id = :tenant
        and id = :job
        and deleted_at is not null
      """;

  private static final String FORGET_WORDS_OF_EVENTS =
      """
      update job_event e
      set summary = null,
          message = null
      from job j
      where e.tenant_id = :tenant
        and e.job_id = :job
        and j.tenant_id = e.tenant_id
        and j.id = e.job_id
        and j.deleted_at is not null
      """;

  private static final String FORGET_WORDS_OF_ATTEMPTS =
      """
      update attempt a
      set error = null
      from job j
      where a.tenant_id = :tenant
        and a.job_id = :job
        and j.tenant_id = a.tenant_id
        and j.id = a.job_id
        and j.deleted_at is not null
      """;

  private static final List<String> FORGETTING =
      List.of(FORGET, FORGET_WORDS_OF_JOB, FORGET_WORDS_OF_EVENTS, FORGET_WORDS_OF_ATTEMPTS);

  private static final String CLEANED =
      """
      update job
      set cleaned_at = clock_timestamp()
      where tenant_id = :tenant
        and id = :job
        and deleted_at is not null
        and cleaned_at is null
      """;

  private static final UUID FIRST = new UUID(0, 0);

  private final Jdbi jdbi;

  public DeletedJobFiles(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** A deleted job. */
  public record Deleted(int tenant, String tenantSlug, UUID id) {}

  /** A file of a deleted job that is still there. */
  public record Leftover(UUID id, String key, @Nullable String thumbnailKey, long size) {}

  /**
   * Deleted jobs that were never cleaned up after, in the order of their ids.
   *
   * @param after the last of the page before, or null
   */
  public List<Deleted> find(@Nullable Deleted after, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(UNCLEANED)
            .bind("tenant", after == null ? 0 : after.tenant())
            .bind("id", after == null ? FIRST : after.id())
            .bind("limit", limit)
            .map(RecordMapper.of(Deleted.class))
            .list());
  }

  public List<Leftover> filesOf(int tenant, UUID job) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(FILES)
            .bind("tenant", tenant)
            .bind("job", job)
            .map(RecordMapper.of(Leftover.class))
            .list());
  }

  /** The file's objects are gone. */
  public void removed(int tenant, UUID file) {
    jdbi.useHandle(
        handle -> handle.createUpdate(REMOVED).bind("tenant", tenant).bind("id", file).execute());
  }

  /** Empties the input, which is the user's own words, and whatever may repeat it. */
  public void forget(int tenant, UUID job) {
    jdbi.useTransaction(handle -> {
      for (String sql : FORGETTING) {
        handle.createUpdate(sql).bind("tenant", tenant).bind("job", job).execute();
      }
    });
  }

  /** Nothing of the job is left to remove. */
  public void cleaned(int tenant, UUID job) {
    jdbi.useHandle(
        handle -> handle.createUpdate(CLEANED).bind("tenant", tenant).bind("job", job).execute());
  }
}
