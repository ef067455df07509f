package dev.millrace.server.observe;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.port.Changes;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * One structured line per job event, with the event's name as the message and the facts as
 * key-value pairs. Progress reports are history, but not worth a log line.
 */
public final class JobLog {

  private static final Logger LOG = LoggerFactory.getLogger("millrace.jobs");

  public void write(Changes changes) {
    if (!LOG.isInfoEnabled()) {
      return;
    }
    Map<JobId, Job> jobs = new HashMap<>();
    changes.created().forEach(created -> jobs.put(created.job().id(), created.job()));
    changes.changed().forEach(job -> jobs.put(job.id(), job));
    for (JobEvent event : changes.events()) {
      Job job = jobs.get(event.job());
      if (event.transition() && job != null) {
        write(event, job);
      }
    }
  }

  private static void write(JobEvent event, Job job) {
    if (event.from() == null) {
      line("job.created", event)
          .addKeyValue("status", event.state().label())
          .addKeyValue("credits_cost", job.hold().amount())
          .log("job.created");
      return;
    }
    line("job.transition", event)
        .addKeyValue("from_status", event.from().label())
        .addKeyValue("to_status", event.state().label())
        .addKeyValue("attempt", event.attempt())
        .log("job.transition");
    if (event.state() == State.COMPLETED) {
      line("job.completed", event)
          .addKeyValue("credits_captured", job.hold().captured())
          .log("job.completed");
    } else if (event.state().terminal()) {
      line("job.failed", event)
          .addKeyValue("status", event.state().label())
          .addKeyValue("error_code", job.failure() == null ? null : job.failure().code())
          .addKeyValue("credits_refunded", job.hold().refunded())
          .log("job.failed");
    }
  }

  /** An attempt to go where the table has no way. */
  public void denied(JobId job, State state, Trigger trigger) {
    LOG.atWarn()
        .addKeyValue("event", "job.transition_denied")
        .addKeyValue("job_id", job.uuid())
        .addKeyValue("from_status", state.label())
        .addKeyValue("trigger", trigger.label())
        .log("job.transition_denied");
  }

  private static LoggingEventBuilder line(String name, JobEvent event) {
    return LOG.atInfo().addKeyValue("event", name).addKeyValue("job_id", event.job().uuid());
  }
}
