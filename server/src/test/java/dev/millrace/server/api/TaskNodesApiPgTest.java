package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.MillraceServer;
import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A task survives the node that works on it, and several nodes do it once. */
class TaskNodesApiPgTest {

  private static final int JOBS = 1000;

  @TempDir Path folder;

  private ServerRig rig;

  @BeforeEach
  void start() {
    rig = ServerRig.start(folder, "EXECUTOR_SLOTS=0");
    rig.credit("ada", JOBS);
    rig.boundTo("ada").post("/api/batches", Many.drafts("partial", JOBS)).expect(201);
  }

  @AfterEach
  void stop() {
    rig.examine();
    rig.close();
  }

  private String cancelAll() {
    return rig.admin()
        .post("/api/admin/tasks", "{\"action\":\"cancel\",\"filter\":{}}")
        .expect(202)
        .at("/id");
  }

  private String seen() {
    return rig.ask("select seen from task");
  }

  /** Somebody holds the job at this place, so that the page with it can't be finished. */
  private Connection holdJob(int place) throws Exception {
    Connection connection = rig.database().connect();
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          """
          select 1
          from job
          where id = (select id from job order by id offset %d limit 1)
          for update
          """
              .formatted(place));
    }
    return connection;
  }

  /** Whether somebody waits for a row, as the page does that can't be finished. */
  private boolean pageHangs() {
    return !rig.ask(
            """
            select count(*)
            from pg_stat_activity
            where datname = current_database()
              and wait_event_type = 'Lock'
              and wait_event = 'transactionid'
            """)
        .equals("0");
  }

  private void assertEachJobWasCanceledOnce() {
    assertThat(rig.ask("select count(*) from job where state = 'canceled'")).isEqualTo("" + JOBS);
    assertThat(rig.ask("select count(*) from job_event where state = 'canceled'"))
        .isEqualTo("" + JOBS);
    assertThat(rig.ask("select count(*) from ledger where type = 'job_refund'"))
        .isEqualTo("" + JOBS);
    assertThat(rig.boundTo("ada").balance()).isEqualTo(JOBS);
  }

  @Test
  void a_task_goes_on_after_the_server_was_stopped_in_the_middle() throws Exception {
    Client client = rig.admin();
    Thread stopping = Thread.ofVirtual().unstarted(rig::stop);
    try (Connection _ = holdJob(500)) {
      cancelAll();
      // Between two pages the runner may look up, and would stop there.
      await().until(() -> seen().equals("400") && pageHangs());
      stopping.start();
      // All that takes work in is told to stop at once. Only when the moment of this run is over
      // does the runner look up from its work.
      await()
          .atLeast(Duration.ofMillis(1500))
          .pollDelay(Duration.ofMillis(1500))
          .until(() -> isGone(client));
    }
    stopping.join();
    assertThat(seen()).isEqualTo("600");

    rig.restart("EXECUTOR_SLOTS=0");
    Answer done = Many.awaitTask(rig.admin(), rig.ask("select id from task"));

    assertThat(done.at("/state")).isEqualTo("done");
    assertThat(done.at("/done")).isEqualTo("" + JOBS);
    assertThat(done.at("/credits")).isEqualTo("" + JOBS);
    assertEachJobWasCanceledOnce();
  }

  private static boolean isGone(Client client) {
    try {
      client.get("/healthz");
      return false;
    } catch (UncheckedIOException e) {
      return true;
    }
  }

  @Test
  void a_page_that_is_done_again_does_nothing_twice() {
    String id = cancelAll();
    Many.awaitTask(rig.admin(), id);
    // As if the node had died after the deed and before it was counted.
    rig.database()
        .execute(
            """
            update task
            set state = 'running', finished_at = null, seen = 400, done = 400, credits = 400,
                cursor = (select id from job order by id offset 399 limit 1),
                claimed_until = clock_timestamp() - interval '1 s'
            """);

    Answer done = Many.awaitTask(rig.admin(), id);

    assertThat(done.at("/state")).isEqualTo("done");
    assertThat(done.at("/done")).isEqualTo("400");
    assertEachJobWasCanceledOnce();
  }

  @Test
  void two_nodes_do_one_task_once() {
    try (MillraceServer other = rig.another("EXECUTOR_SLOTS=0")) {
      assertThat(other.url()).isNotEqualTo(rig.admin().server());
      Answer done = Many.awaitTask(rig.admin(), cancelAll());

      assertThat(done.at("/seen")).isEqualTo("" + JOBS);
      assertThat(done.at("/done")).isEqualTo("" + JOBS);
      assertThat(done.at("/skipped")).isEqualTo("0");
      assertEachJobWasCanceledOnce();
      assertThat(rig.ask("select count(*) from audit where action = 'task.finish'")).isEqualTo("1");
    }
  }

  @Test
  void a_task_that_is_stopped_ends_after_its_page() throws Exception {
    String id;
    try (Connection _ = holdJob(300)) {
      id = cancelAll();
      await().until(() -> seen().equals("200") && pageHangs());
      Answer stopping = rig.admin().post("/api/admin/tasks/" + id + "/stop", "").expect(200);
      assertThat(stopping.at("/state")).isEqualTo("stopping");
      rig.admin().post("/api/admin/tasks/" + id + "/stop", "").expect(200);
    }

    Answer stopped = Many.awaitTask(rig.admin(), id);

    assertThat(stopped.at("/state")).isEqualTo("stopped");
    assertThat(stopped.at("/done")).isEqualTo("400");
    assertThat(rig.ask("select count(*) from job where state = 'queued'")).isEqualTo("600");
    assertThat(
            rig.ask(
                "select string_agg(action, ' ' order by id) from audit where action like 'task.%'"))
        .isEqualTo("task.create task.stop task.finish");
    Answer rest = Many.runTask(rig.admin(), "cancel", "{}");
    assertThat(rest.at("/done")).isEqualTo("600");
    rig.admin()
        .post("/api/admin/tasks/" + rest.at("/id") + "/stop", "")
        .problem(409, "transition_denied");
    assertEachJobWasCanceledOnce();
  }
}
