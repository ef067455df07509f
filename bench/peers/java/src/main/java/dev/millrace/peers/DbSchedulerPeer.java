package dev.millrace.peers;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.TaskDescriptor;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** db-scheduler: many threads, claims by lock-and-fetch, and a short polling interval. */
final class DbSchedulerPeer implements Peer {

  private static final TaskDescriptor<String> JOB = TaskDescriptor.of("job", String.class);

  private @Nullable SchedulerClient client;

  @Override
  public int connections() {
    return 54;
  }

  @Override
  public void create(DataSource database) throws Exception {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          create table scheduled_tasks (
              task_name            text        not null,
              task_instance        text        not null,
              task_data            bytea,
              execution_time       timestamptz not null,
              picked               boolean     not null,
              picked_by            text,
              last_success         timestamptz,
              last_failure         timestamptz,
              consecutive_failures int,
              last_heartbeat       timestamptz,
              version              bigint      not null,
              priority             smallint,
              primary key (task_name, task_instance))
          """);
      statement.execute("create index on scheduled_tasks (execution_time)");
      statement.execute("create index on scheduled_tasks (last_heartbeat)");
      statement.execute("create index on scheduled_tasks (priority desc, execution_time)");
    }
  }

  @Override
  public void open(DataSource database) {
    client =
        SchedulerClient.Builder.create(database, Tasks.oneTime(JOB).execute((_, _) -> {})).build();
  }

  @Override
  public void submit(String payload) {
    if (client == null) {
      throw new IllegalStateException("not open");
    }
    client.scheduleIfNotExists(
        JOB.instance(UUID.randomUUID().toString()).data(payload).build(), Instant.now());
  }

  @Override
  public void work(DataSource database, Consumer<String> handler) {
    Scheduler.create(
            database,
            Tasks.oneTime(JOB).execute((instance, _) -> handler.accept(instance.getData())))
        .threads(50)
        .pollUsingLockAndFetch(1, 4)
        .pollingInterval(Duration.ofMillis(100))
        .build()
        .start();
  }
}
