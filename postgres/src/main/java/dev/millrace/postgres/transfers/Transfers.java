package dev.millrace.postgres.transfers;

import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.records.RecordMapper;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.PreparedBatch;

/** Moves transfers on, each by whoever claimed it last. */
public final class Transfers {

  private static final int PAGE = 1_000;

  /** The first of the jobs that this one does again. */
  private static final String ORIGIN =
      """
      with recursive chain as (
          select id, retry_of, 0 as depth
          from job
          where tenant_id = :tenant
            and id = :job
          union all
          select j.id, j.retry_of, c.depth + 1
          from chain c
          join job j on j.tenant_id = :tenant and j.id = c.retry_of)
      select id
      from chain
      order by depth desc
      limit 1
      """;

  /** A later attempt takes over from an earlier one, and another job from one that has ended. */
  private static final String CLAIM =
      """
      insert into transfer as t (tenant_id, id, holder, attempt)
      values (:tenant, :id, :job, :attempt)
      on conflict (tenant_id, id) do update
      set holder = excluded.holder,
          attempt = excluded.attempt,
          changed_at = clock_timestamp()
      where (t.holder = excluded.holder and t.attempt <= excluded.attempt)
         or (t.holder <> excluded.holder and not exists (
              select 1
              from dispatch d
              where d.tenant_id = t.tenant_id
                and d.job_id = t.holder))
      returning id, done, counts::text as counts
      """;

  private static final String ADVANCE =
      """
      update transfer
      set done = :done,
          counts = cast(:counts as jsonb),
          changed_at = clock_timestamp()
      where tenant_id = :tenant
        and id = :id
        and holder = :job
        and attempt = :attempt
        and done = :from
      """;

  private static final String ADD_ERROR =
      """
      insert into transfer_error (tenant_id, transfer_id, line, field, message)
      values (:tenant, :id, :line, :field, :message)
      on conflict do nothing
      """;

  private static final String ERRORS =
      """
      select line, field, message
      from transfer_error
      where tenant_id = :tenant
        and transfer_id = :id
        and line > :after
      order by line
      limit :most
      """;

  /** Those of jobs that were deleted, and those that nobody has gone on with for long. */
  private static final String FORGET =
      """
      delete from transfer
      where (tenant_id, id) in (
          select t.tenant_id, t.id
          from transfer t
          left join job j on j.tenant_id = t.tenant_id and j.id = t.holder
          where (j.id is null
              or j.deleted_at is not null
              or t.changed_at < clock_timestamp() - make_interval(secs => :kept))
            and not exists (
              select 1
              from dispatch d
              where d.tenant_id = t.tenant_id
                and d.job_id = t.holder)
          limit :most)
      """;

  private final Jdbi jdbi;

  public Transfers(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** Who moves a transfer on. */
  public record Holder(JobId job, int attempt) {}

  /** Where a transfer is, for its new holder; empty if another job is about it at this moment. */
  public Optional<TransferView> claim(Holder holder) {
    return jdbi.inTransaction(handle -> {
      UUID origin =
          handle
              .createQuery(ORIGIN)
              .bind("tenant", holder.job().tenant())
              .bind("job", holder.job().uuid())
              .mapTo(UUID.class)
              .findOne()
              .orElse(holder.job().uuid());
      return handle
          .createQuery(CLAIM)
          .bind("tenant", holder.job().tenant())
          .bind("id", origin)
          .bind("job", holder.job().uuid())
          .bind("attempt", holder.attempt())
          .map(RecordMapper.of(TransferView.class))
          .findOne();
    });
  }

  /**
   * Writes down that so many are done with; false if this holder has lost it.
   *
   * @param errors what was wrong with those since the last time
   */
  public boolean advance(
      Holder holder, TransferView from, long done, String counts, List<TransferError> errors) {
    return jdbi.inTransaction(handle -> {
      int moved =
          handle
              .createUpdate(ADVANCE)
              .bind("tenant", holder.job().tenant())
              .bind("id", from.id())
              .bind("job", holder.job().uuid())
              .bind("attempt", holder.attempt())
              .bind("from", from.done())
              .bind("done", done)
              .bind("counts", counts)
              .execute();
      if (moved == 1 && !errors.isEmpty()) {
        add(handle, holder.job().tenant(), from.id(), errors);
      }
      return moved == 1;
    });
  }

  private static void add(Handle handle, int tenant, UUID id, List<TransferError> errors) {
    PreparedBatch batch = handle.prepareBatch(ADD_ERROR);
    for (TransferError error : errors) {
      batch
          .bind("tenant", tenant)
          .bind("id", id)
          .bind("line", error.line())
          .bind("field", error.field())
          .bind("message", error.message())
          .add();
    }
    batch.execute();
  }

  /** What was wrong, in the order of the lines, read page by page. */
  public Stream<TransferError> errors(int tenant, UUID transfer) {
    return Stream.iterate(
            errors(tenant, transfer, 0),
            page -> !page.isEmpty(),
            page -> errors(tenant, transfer, page.getLast().line()))
        .flatMap(List::stream);
  }

  private List<TransferError> errors(int tenant, UUID transfer, long after) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(ERRORS)
            .bind("tenant", tenant)
            .bind("id", transfer)
            .bind("after", after)
            .bind("most", PAGE)
            .map(RecordMapper.of(TransferError.class))
            .list());
  }

  /** Throws some away that nobody goes on with; how many. */
  public int forget(Duration kept, int most) {
    return jdbi.withHandle(handle ->
        handle.createUpdate(FORGET).bind("kept", kept.toSeconds()).bind("most", most).execute());
  }
}
