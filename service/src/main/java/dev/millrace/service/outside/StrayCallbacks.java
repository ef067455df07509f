package dev.millrace.service.outside;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Callbacks;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.port.Callback;
import dev.millrace.postgres.outside.Handovers;
import dev.millrace.postgres.outside.StrayCallback;
import dev.millrace.service.duties.Duty;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
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
    if (stray.jobId() == null) {
      engine.hear(new Callbacks.GiveUp(id, patience));
    } else if (stray.over()) {
      boolean young = stray.receivedAt().isAfter(Instant.now().minus(patience));
      if (late.keep(stray.provider(), stray.reference()) || !young) {
        judgeLate(stray, id);
      }
    } else {
      handovers.nudge(stray.provider(), stray.reference());
    }
  }

  private void judgeLate(StrayCallback stray, Callback.Id id) {
    JobId job =
        new JobId(Objects.requireNonNull(stray.tenantId()), Objects.requireNonNull(stray.jobId()));
    engine.hear(new Callbacks.JudgeLate(id, job, Objects.requireNonNull(stray.token())));
  }
}
