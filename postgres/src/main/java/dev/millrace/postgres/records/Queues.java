package dev.millrace.postgres.records;

import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/** How the queues stand. */
public final class Queues {

  private static final String WITH_WORK =
      """
      select w.id
      from unnest(cast(:workflows as int[])) as w (id)
      where exists (
          select 1
          from dispatch d
          where d.workflow_id = w.id
            and d.state = 'queued')
      """;

  private static final String REVOKED_LATELY =
      """
      select uid
      from worker
      where revoked_at > clock_timestamp() - interval '10 s'
      """;

  private final Jdbi jdbi;

  public Queues(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** Those of these workflows that have a job that could start. */
  public Set<Integer> withWork(Collection<Integer> workflowIds) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(WITH_WORK)
            .bindArray("workflows", Integer.class, workflowIds)
            .mapTo(Integer.class)
            .set());
  }

  /** The workers that were revoked in the last seconds, by uid. */
  public Set<UUID> revokedLately() {
    return jdbi.withHandle(handle -> handle.createQuery(REVOKED_LATELY).mapTo(UUID.class).set());
  }
}
