package dev.millrace.service.outside;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Callbacks;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.port.Callback;
import dev.millrace.postgres.outside.HandoverView;
import dev.millrace.postgres.outside.Handovers;
import dev.millrace.postgres.outside.StrayCallback;
import dev.millrace.service.attempt.Turn;
import dev.millrace.service.duties.Duty;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to callbacks that nobody has judged: those whose nudge got lost, those that came too late,
 * and those about work that nobody knows.
 */
public final class StrayCallbacks implements Duty {

  private static final Logger LOG = LoggerFactory.getLogger(StrayCallbacks.class);
  private static final Duration YOUNG = Duration.ofSeconds(5);
  private static final int MOST = 200;

  private final Handovers handovers;
  private final LateArrivals late;
  private final Engine engine;
  private final Duration patience;

  /**
   * @param patience how long the work that a callback speaks of may stay unknown
   */
  public StrayCallbacks(Handovers handovers, LateArrivals late, Engine engine, Duration patience) {
    this.handovers = handovers;
    this.late = late;
    this.engine = engine;
    this.patience = patience;
  }

  @Override
  public String name() {
    return "strays";
  }

  @Override
  public void run() throws InterruptedException {
    for (StrayCallback stray : handovers.strays(YOUNG, MOST)) {
      try {
        see(stray);
      } catch (RuntimeException e) {
        LOG.warn("A callback of {} is seen to later", stray.provider(), e);
      }
    }
  }

  private void see(StrayCallback stray) throws InterruptedException {
    Callback.Id id = new Callback.Id(stray.provider(), stray.event());
    boolean young = stray.receivedAt().isAfter(Instant.now().minus(patience));
    if (stray.jobId() == null) {
      Optional<HandoverView> ordered = ordered(stray);
      if (ordered.isPresent()) {
        see(stray, id, ordered.get(), young);
      } else {
        engine.hear(new Callbacks.GiveUp(id, patience));
      }
    } else if (stray.over()) {
      if (late.keep(stray.provider(), stray.reference()) || !young) {
        JobId job =
            new JobId(
                Objects.requireNonNull(stray.tenantId()), Objects.requireNonNull(stray.jobId()));
        engine.hear(new Callbacks.JudgeLate(id, job, Objects.requireNonNull(stray.token())));
      }
    } else {
      handovers.nudge(stray.provider(), stray.reference());
    }
  }

  /** The attempt whose intent the callback names; it has no reference, or another one. */
  private Optional<HandoverView> ordered(StrayCallback stray) {
    return Optional.ofNullable(stray.intent())
        .flatMap(Intent::parse)
        .flatMap(intent -> handovers.attempt(intent.job(), intent.attempt()));
  }

  /**
   * Nobody has accepted the work. A live job takes it as soon as no other work of its is out; what
   * nobody took for long, or can take any more, is kept apart.
   */
  private void see(StrayCallback stray, Callback.Id id, HandoverView ordered, boolean young)
      throws InterruptedException {
    Turn turn = Orders.turn(ordered);
    if (young && !ordered.job().state().terminal()) {
      handovers.nudge(turn.job());
    } else if (late.keep(ordered, stray.provider(), stray.reference()) || !young) {
      engine.hear(new Callbacks.JudgeLate(id, turn.job(), turn.token()));
    }
  }
}
