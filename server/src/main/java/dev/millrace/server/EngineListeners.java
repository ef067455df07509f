package dev.millrace.server;

import dev.millrace.engine.DeniedStep;
import dev.millrace.engine.Engine;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Signal;
import dev.millrace.service.live.Hub;
import dev.millrace.service.observe.JobLog;
import dev.millrace.service.observe.Metrics;
import dev.millrace.service.observe.Paces;

/** Who hears what the engine did on this node: those who wait first, then log and metrics. */
record EngineListeners(Hub hub, Metrics metrics, JobLog log, Paces paces)
    implements Engine.Listener {

  @Override
  public void committed(Changes changes) {
    hub.tell(Signal.of(changes));
    metrics.count(changes);
    paces.note(changes);
    log.write(changes);
  }

  @Override
  public void unsure() {
    hub.tell(Signal.EVERYTHING);
  }

  @Override
  public void denied(JobId job, State from, DeniedStep step) {
    log.denied(job, from, step);
  }
}
