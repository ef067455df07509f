package dev.millrace.service.tasks;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.postgres.jobs.TaskJobs;
import dev.millrace.postgres.jobs.TaskView;
import dev.millrace.postgres.jobs.Tasks;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes tasks, tells what they would do, and stops them. */
public final class BulkTasks {

  private final Tasks tasks;
  private final TaskJobs jobs;

  public BulkTasks(Tasks tasks, TaskJobs jobs) {
    this.tasks = tasks;
    this.jobs = jobs;
  }

  /** A new task; some node begins with it shortly. */
  public TaskView create(int tenant, String actor, TaskAction action, TaskFilter filter) {
    return tasks.create(
        new Tasks.NewTask(
            tenant,
            UuidCreator.getTimeOrderedEpoch(),
            action.label(),
            filter.toJson().toString(),
            actor));
  }

  /** What it would do now: how many jobs, and the most credits that it would move. */
  public TaskJobs.Quote quote(int tenant, TaskAction action, TaskFilter filter) {
    TaskJobs.Quote found = jobs.quote(tenant, filter.of(action));
    return action == TaskAction.DELETE ? new TaskJobs.Quote(found.jobs(), 0) : found;
  }

  public Optional<TaskView> find(int tenant, UUID id) {
    return tasks.find(tenant, id);
  }

  /**
   * The newest first.
   *
   * @param before the last id of the page before, or null
   */
  public List<TaskView> list(int tenant, @Nullable UUID before, int limit) {
    return tasks.list(tenant, before, limit);
  }

  /** The task, which ends after the page that is under way; as it is if it was not running. */
  public Optional<TaskView> stop(int tenant, UUID id, String actor) {
    return tasks.stop(tenant, id, actor).or(() -> tasks.find(tenant, id));
  }
}
