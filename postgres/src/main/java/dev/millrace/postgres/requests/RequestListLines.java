package dev.millrace.postgres.requests;

import dev.millrace.postgres.records.RecordMapper;
import dev.millrace.postgres.requests.RequestLists.Counts;
import dev.millrace.postgres.requests.RequestLists.Line;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/** Looks at the lines of a list. */
public final class RequestListLines {

  /** Only live jobs have a dispatch. */
  private static final String LIVE =
      """
      select l.job_id
      from request_list_line l
      join dispatch d on d.tenant_id = l.tenant_id and d.job_id = l.job_id
      where l.tenant_id = :tenant
        and l.list_id = :id
      limit :limit
      """;

  private static final String PAGE =
      """
      select line, custom_id, job_id, refusal
      from request_list_line
      where tenant_id = :tenant
        and list_id = :id
        and line > :after
      order by line
      limit :limit
      """;

  private static final String COUNTS =
      """
      select count(*) filter (where j.state = 'completed') as done,
          count(*) filter (
              where l.refusal is not null
                or j.state in ('failed', 'dead_letter', 'rejected', 'canceled', 'expired', 'blocked')) as refused
      from request_list_line l
      left join job j on j.tenant_id = l.tenant_id and j.id = l.job_id
      where l.tenant_id = :tenant
        and l.list_id = :id
      """;

  private final Jdbi jdbi;

  RequestListLines(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** Some of its jobs that have not ended. */
  public List<UUID> live(RequestListView list, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(LIVE)
            .bind("tenant", list.tenantId())
            .bind("id", list.id())
            .bind("limit", limit)
            .mapTo(UUID.class)
            .list());
  }

  public List<Line> page(RequestListView list, int after, int limit) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(PAGE)
            .bind("tenant", list.tenantId())
            .bind("id", list.id())
            .bind("after", after)
            .bind("limit", limit)
            .map(RecordMapper.of(Line.class))
            .list());
  }

  public Counts counts(RequestListView list) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(COUNTS)
            .bind("tenant", list.tenantId())
            .bind("id", list.id())
            .map(RecordMapper.of(Counts.class))
            .one());
  }
}
