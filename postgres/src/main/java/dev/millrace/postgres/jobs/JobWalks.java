package dev.millrace.postgres.jobs;

import dev.millrace.postgres.records.RecordMapper;
import dev.millrace.postgres.tenants.Visibility;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Other ways through jobs than from the newest on: back towards it, and over what belongs together.
 */
public final class JobWalks {

  private static final String NEWER =
      """
      select %s, null as input
      from job j
      join wallet w on w.id = j.wallet_id
      join effect e on e.id = j.effect_id
      join workflow f on f.id = j.workflow_id
      where j.tenant_id = :tenant
        and j.id > :after
        and (cast(:user as text) is null or w.user_id = :user)
        and (cast(:workspace as text) is null or j.workspace = :workspace)
        and j.deleted_at is null
      order by j.id
      limit :limit
      """
          .formatted(Jobs.COLUMNS);

  private static final String ALL_OF_RELATED =
      """
      select i.job_id
      from job_input i
      join job j on j.tenant_id = i.tenant_id and j.id = i.job_id
      join wallet w on w.id = j.wallet_id
      where i.tenant_id = :tenant
        and i.notes ->> 'dialect' = :dialect
        and i.notes #>> '{related,type}' = :type
        and i.notes #>> '{related,id}' = :id
        and (cast(:before as uuid) is null or i.job_id < :before)
        and (cast(:user as text) is null or w.user_id = :user)
        and (cast(:workspace as text) is null or j.workspace = :workspace)
        and j.deleted_at is null
      order by i.job_id desc
      limit :limit
      """;

  private final Jdbi jdbi;

  JobWalks(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** The jobs that came right after one, the newest first. */
  public List<JobView> newer(Visibility whose, UUID after, int limit) {
    List<JobView> found =
        jdbi.withHandle(handle ->
            handle
                .createQuery(NEWER)
                .bind("tenant", whose.tenant())
                .bind("user", whose.user())
                .bind("workspace", whose.workspace())
                .bind("after", after)
                .bind("limit", limit)
                .map(RecordMapper.of(JobView.class))
                .list());
    return found.reversed();
  }

  /** The jobs of a dialect that belong to a thing of the product's, the newest first. */
  public List<UUID> ofRelated(
      Visibility whose, String dialect, String type, String id, @Nullable UUID before, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(ALL_OF_RELATED)
            .bind("tenant", whose.tenant())
            .bind("user", whose.user())
            .bind("workspace", whose.workspace())
            .bind("dialect", dialect)
            .bind("type", type)
            .bind("id", id)
            .bind("before", before)
            .bind("limit", limit)
            .mapTo(UUID.class)
            .list());
  }
}
