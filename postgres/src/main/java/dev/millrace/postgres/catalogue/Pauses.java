package dev.millrace.postgres.catalogue;

import dev.millrace.engine.port.Signal;
import dev.millrace.postgres.notify.SignalText;
import dev.millrace.postgres.notify.Wakeups;
import dev.millrace.postgres.records.RecordMapper;
import dev.millrace.postgres.tenants.Audit;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Effects and workflows that are not started for now. Their jobs are taken in and wait; the claim
 * leaves them alone.
 */
public final class Pauses {

  private static final String PAUSE_EFFECT =
      """
      update effect
      set paused_at = coalesce(paused_at, clock_timestamp())
      where slug = :slug
      returning slug, paused_at, workflow_id as workflow
      """;

  private static final String PAUSE_WORKFLOW =
      """
      update workflow
      set paused_at = coalesce(paused_at, clock_timestamp())
      where slug = :slug
      returning slug, paused_at, id as workflow
      """;

  /** Resumed once more, nothing changes: what waits must not get its queue time again. */
  private static final String RESUME_EFFECT =
      """
      update effect
      set resumed_at = case when paused_at is null then resumed_at else clock_timestamp() end,
          paused_at = null
      where slug = :slug
      returning slug, paused_at, workflow_id as workflow
      """;

  private static final String RESUME_WORKFLOW =
      """
      update workflow
      set resumed_at = case when paused_at is null then resumed_at else clock_timestamp() end,
          paused_at = null
      where slug = :slug
      returning slug, paused_at, id as workflow
      """;

  private static final String PAUSED_EFFECTS =
      """
      select e.slug
      from effect e
      join workflow w on w.id = e.workflow_id
      where e.paused_at is not null
         or w.paused_at is not null
      """;

  private static final String NOTIFY = "select pg_notify(:channel, :signal)";

  private final Jdbi jdbi;

  public Pauses(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** What can be paused. */
  public enum Kind {
    EFFECT(PAUSE_EFFECT, RESUME_EFFECT),
    WORKFLOW(PAUSE_WORKFLOW, RESUME_WORKFLOW);

    private final String pause;
    private final String resume;

    Kind(String pause, String resume) {
      this.pause = pause;
      this.resume = resume;
    }
  }

  /**
   * How something stands.
   *
   * @param pausedAt null while it runs
   * @param workflow whose queue it is in
   */
  public record Standing(String slug, @Nullable Instant pausedAt, int workflow) {}

  /** Pauses what the line names, unless it is; empty if there is no such thing. */
  public Optional<Standing> pause(Kind kind, Audit.Line line) {
    return jdbi.inTransaction(handle -> change(handle, kind.pause, line));
  }

  /** Lets what the line names go on and wakes those who wait; empty if there is no such thing. */
  public Optional<Standing> resume(Kind kind, Audit.Line line) {
    return jdbi.inTransaction(handle -> {
      Optional<Standing> now = change(handle, kind.resume, line);
      now.ifPresent(standing -> wake(handle, standing.workflow()));
      return now;
    });
  }

  private static Optional<Standing> change(Handle handle, String sql, Audit.Line line) {
    Optional<Standing> now =
        handle
            .createQuery(sql)
            .bind("slug", line.target())
            .map(RecordMapper.of(Standing.class))
            .findOne();
    now.ifPresent(_ -> Audit.write(handle, line));
    return now;
  }

  private static void wake(Handle handle, int workflow) {
    handle
        .createQuery(NOTIFY)
        .bind("channel", Wakeups.CHANNEL)
        .bind("signal", SignalText.write(Signal.ofQueue(workflow)))
        .mapToMap()
        .one();
  }

  /** The effects that wait, for their own sake or their workflow's. */
  public Set<String> effects() {
    return jdbi.withHandle(handle -> handle.createQuery(PAUSED_EFFECTS).mapTo(String.class).set());
  }
}
