package dev.millrace.service.tasks;

import dev.millrace.engine.Engine;
import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.jobs.TaskJobs;
import dev.millrace.postgres.jobs.TaskJobs.Match;
import dev.millrace.postgres.jobs.TaskState;
import dev.millrace.postgres.jobs.TaskView;
import dev.millrace.postgres.jobs.Tasks;
import dev.millrace.service.duties.Duty;
import dev.millrace.service.guard.Gate;
import dev.millrace.service.jobs.Offers;
import dev.millrace.service.jobs.ParallelCalls;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works on tasks, for a moment each time, so that a server that stops need not wait for a long one
 * and several tasks get on side by side.
 */
public final class TaskRunner implements Duty {

  private static final Logger LOG = LoggerFactory.getLogger(TaskRunner.class);
  private static final Duration MOMENT = Duration.ofSeconds(1);

  /** The most jobs of a page. All are reported at once, so that the lane makes a batch of them. */
  private static final int PAGE = 200;

  /** A service that judges may take its time, and the page must be over before the claim is. */
  private static final int JUDGED_PAGE = 32;

  private static final int JUDGED_AT_ONCE = 16;

  /** The most jobs to look at for a page. */
  private static final int STRETCH = 5_000;

  private final Tasks tasks;
  private final TaskJobs jobs;
  private final TaskActions deeds;

  public TaskRunner(Tasks tasks, TaskJobs jobs, Engine engine, Offers offers, Gate gate) {
    this.tasks = tasks;
    this.jobs = jobs;
    this.deeds = new TaskActions(engine, offers, gate);
  }

  @Override
  public String name() {
    return "tasks";
  }

  /**
   * Takes the task that has waited longest and gets on with it. If that fails the claim is kept,
   * and runs out: then somebody tries again.
   */
  @Override
  public void run() throws InterruptedException {
    long start = System.nanoTime();
    Optional<TaskView> task = tasks.claim();
    while (task.isPresent()) {
      TaskView now = task.get();
      if (now.state() == TaskState.STOPPING) {
        finish(now, TaskState.STOPPED);
        return;
      }
      if (System.nanoTime() - start > MOMENT.toNanos()) {
        tasks.release(now);
        return;
      }
      task = getOn(now);
    }
  }

  /** The task after one more page; nothing if it is done, or is somebody else's by now. */
  private Optional<TaskView> getOn(TaskView task) throws InterruptedException {
    TaskAction action = TaskAction.ofLabel(task.request().action()).orElseThrow();
    int most = action == TaskAction.RECHECK ? JUDGED_PAGE : PAGE;
    TaskJobs.Part part =
        jobs.next(task, TaskFilter.read(task.request().filter()).of(action), most, STRETCH);
    UUID end = part.end();
    if (end == null) {
      finish(task, TaskState.DONE);
      return Optional.empty();
    }
    return tasks.advance(task, counted(perform(task, action, part.matches()), end));
  }

  private List<TaskOutcome> perform(TaskView task, TaskAction action, List<Match> matches)
      throws InterruptedException {
    boolean judged = action == TaskAction.RECHECK && !matches.isEmpty();
    Map<UUID, String> inputs =
        judged ? jobs.inputs(task.tenantId(), matches.stream().map(Match::id).toList()) : Map.of();
    return ParallelCalls.map(
        matches,
        judged ? JUDGED_AT_ONCE : PAGE,
        match ->
            deeds.perform(
                action,
                new JobId(task.tenantId(), match.id()),
                task.request().actor(),
                match,
                inputs.get(match.id())));
  }

  private static Tasks.Page counted(List<TaskOutcome> deeds, UUID end) {
    return new Tasks.Page(
        end,
        deeds.size(),
        count(deeds, TaskOutcome.Kind.DONE),
        count(deeds, TaskOutcome.Kind.SKIPPED),
        count(deeds, TaskOutcome.Kind.FAILED),
        deeds.stream().mapToLong(TaskOutcome::credits).sum());
  }

  private static int count(List<TaskOutcome> deeds, TaskOutcome.Kind kind) {
    return Math.toIntExact(deeds.stream().filter(deed -> deed.kind() == kind).count());
  }

  private void finish(TaskView task, TaskState state) {
    tasks.finish(task, state);
    LOG.info(
        "The task {} is {}: {} {} of {} jobs",
        task.id(),
        state,
        task.request().action(),
        task.counts().done(),
        task.counts().seen());
  }
}
