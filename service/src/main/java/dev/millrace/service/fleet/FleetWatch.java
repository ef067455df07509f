package dev.millrace.service.fleet;

import dev.millrace.postgres.fleet.WorkerView;
import dev.millrace.postgres.fleet.Workers;
import dev.millrace.service.duties.Duty;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes down who was heard of, and forgets those that were silent for too long. */
final class FleetWatch implements Duty {

  private static final Logger LOG = LoggerFactory.getLogger(FleetWatch.class);
  private static final int MOST = 100;

  private final WorkerTokens tokens;
  private final Workers workers;
  private final WorkerRemoval removal;
  private final Enrolment enrolment;
  private final Duration silence;

  FleetWatch(
      WorkerTokens tokens,
      Workers workers,
      WorkerRemoval removal,
      Enrolment enrolment,
      Duration silence) {
    this.tokens = tokens;
    this.workers = workers;
    this.removal = removal;
    this.enrolment = enrolment;
    this.silence = silence;
  }

  @Override
  public String name() {
    return "fleet-watch";
  }

  @Override
  public void run() throws InterruptedException {
    workers.seen(tokens.takeSeen());
    for (WorkerView silent : workers.silent(silence, MOST)) {
      if (removal.remove(silent)) {
        LOG.info("Worker {} was silent for too long and is forgotten", silent.id());
        enrolment.note(silent, "worker.forget");
      }
    }
  }
}
