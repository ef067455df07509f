package dev.millrace.service.observe;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import dev.millrace.contract.text.OwnerText;
import dev.millrace.engine.DeniedStep;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.OutputFile;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Changes.JobOutput;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * One structured line per job event: the event's name as the message, and the facts as key-value
 * pairs in the order in which they are written. Progress reports are history, but not worth a line.
 * Nothing that a user or a provider wrote gets in, only ids, numbers and words of our own.
 */
public final class JobLog {

  public static final String LOGGER = "millrace.jobs";

  private static final Logger LOG = LoggerFactory.getLogger(LOGGER);
  private static final Pattern CODE = Pattern.compile("[a-z][a-z0-9_]{0,63}");

  private final IntFunction<String> effects;
  private final Consumer<Runnable> together;

  /**
   * A log of jobs.
   *
   * @param effects the slug of an effect's id
   * @param together writes the lines of one batch at once
   */
  public JobLog(IntFunction<String> effects, Consumer<Runnable> together) {
    this.effects = effects;
    this.together = together;
  }

  public void write(Changes changes) {
    if (LOG.isInfoEnabled()) {
      together.accept(() -> writeAll(changes));
    }
  }

  private void writeAll(Changes changes) {
    Map<JobId, Job> jobs = new HashMap<>();
    changes.created().forEach(created -> jobs.put(created.job().id(), created.job()));
    changes.changed().forEach(job -> jobs.put(job.id(), job));
    Map<JobId, List<OutputFile>> outputs =
        changes.outputs().stream()
            .collect(groupingBy(JobOutput::job, mapping(JobOutput::file, toList())));
    for (JobEvent event : changes.events()) {
      Job job = jobs.get(event.job());
      if (event.transition() && job != null) {
        write(event, job, outputs.getOrDefault(job.id(), List.of()));
      }
    }
  }

  void write(JobEvent event, Job job, List<OutputFile> outputs) {
    if (event.from() == null) {
      log(
          line("job.created", job.id())
              .addKeyValue("type", effects.apply(job.terms().effectId()))
              .addKeyValue("credits_cost", job.hold().amount())
              .addKeyValue("status", event.state().label()),
          job.id());
    } else {
      log(
          line("job.transition", job.id())
              .addKeyValue("from_status", event.from().label())
              .addKeyValue("to_status", event.state().label())
              .addKeyValue("trigger", event.trigger() == null ? "" : event.trigger().label())
              .addKeyValue("attempt", event.attempt()),
          job.id());
    }
    if (event.state() == State.COMPLETED) {
      completed(event, job, outputs);
    } else if (event.state().terminal()) {
      failed(event, job);
    }
  }

  private static void completed(JobEvent event, Job job, List<OutputFile> files) {
    LoggingEventBuilder line = line("job.completed", job.id());
    String approved = job.summary().values().get("approved");
    if (files.isEmpty() && approved != null) {
      // What a reviewer lets through was stored long before, with its own line of the log.
      line = line.addKeyValue("outputs", Integer.parseInt(approved));
    } else if (!files.isEmpty()) {
      line =
          line.addKeyValue("outputs", files.size())
              .addKeyValue("output_bytes", files.stream().mapToLong(OutputFile::size).sum())
              .addKeyValue(
                  "media_types", files.stream().map(OutputFile::mediaType).distinct().toList());
    }
    Duration life = Duration.between(job.times().createdAt(), event.at());
    log(
        line.addKeyValue("credits_captured", job.hold().captured())
            .addKeyValue("credits_refunded", job.hold().refunded())
            .addKeyValue("duration_ms", life.toMillis()),
        job.id());
  }

  private static void failed(JobEvent event, Job job) {
    LoggingEventBuilder line = line("job.failed", job.id());
    if (job.failure() != null) {
      line =
          line.addKeyValue("error_code", code(job.failure().code()))
              .addKeyValue("error", OwnerText.line(job.failure().message()));
    }
    log(
        line.addKeyValue("status", event.state().label())
            .addKeyValue("credits_refunded", job.hold().refunded())
            .addKeyValue("attempts", job.tries().attempts()),
        job.id());
  }

  /** A provider chooses its codes, so one that isn't a plain word could be anything. */
  private static String code(String code) {
    return CODE.matcher(code).matches() ? code : "other";
  }

  /** An attempt to go where there is no way. */
  public void denied(JobId job, State state, DeniedStep step) {
    String event = "job.transition_denied";
    LOG.atWarn()
        .addKeyValue("event", event)
        .addKeyValue("job_id", job.uuid())
        .addKeyValue("from_status", state.label())
        .addKeyValue("to_status", step.target())
        .addKeyValue("trigger", step.label())
        .addKeyValue("tenant", job.tenant())
        .log(event);
  }

  private static LoggingEventBuilder line(String event, JobId job) {
    return LOG.atInfo()
        .setMessage(event)
        .addKeyValue("event", event)
        .addKeyValue("job_id", job.uuid());
  }

  private static void log(LoggingEventBuilder line, JobId job) {
    line.addKeyValue("tenant", job.tenant()).log();
  }
}
