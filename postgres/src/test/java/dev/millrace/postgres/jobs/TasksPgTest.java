package dev.millrace.postgres.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.EngineRig;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who works on a task, and what counts. */
class TasksPgTest {

  private final EngineRig rig = EngineRig.open();
  private final Tasks tasks = rig.database().tasks();

  @AfterEach
  void the_doctor_finds_nothing() {
    rig.close();
  }

  private TaskView made() {
    return tasks.create(
        new Tasks.NewTask(rig.acme(), UUID.randomUUID(), "cancel", "{}", "key:ops"));
  }

  private static Tasks.Page page(int done) {
    return new Tasks.Page(new UUID(1, done), done, done, 0, 0, 0);
  }

  @Test
  void a_task_is_claimed_by_one_until_the_claim_runs_out() {
    made();
    TaskView first = tasks.claim().orElseThrow();
    assertThat(tasks.claim()).isEmpty();

    rig.place().execute("update task set claimed_until = clock_timestamp() - interval '1 s'");

    TaskView second = tasks.claim().orElseThrow();
    assertThat(second.id()).isEqualTo(first.id());
  }

  @Test
  void whoever_lost_the_claim_counts_nothing_and_ends_nothing() {
    TaskView task = made();
    TaskView slow = tasks.claim().orElseThrow();
    rig.place().execute("update task set claimed_until = clock_timestamp() - interval '1 s'");
    TaskView quick = tasks.claim().orElseThrow();

    assertThat(tasks.advance(slow, page(5))).isEmpty();
    tasks.finish(slow, TaskState.DONE);
    tasks.release(slow);
    TaskView on = tasks.advance(quick, page(7)).orElseThrow();

    assertThat(on.counts().done()).isEqualTo(7);
    assertThat(on.cursor()).isEqualTo(new UUID(1, 7));
    assertThat(tasks.advance(quick, page(7))).isEmpty();
    tasks.finish(on, TaskState.DONE);
    TaskView end = tasks.find(rig.acme(), task.id()).orElseThrow();
    assertThat(end.state()).isEqualTo(TaskState.DONE);
    assertThat(end.counts().done()).isEqualTo(7);
    assertThat(rig.place().ask("select count(*) from audit where action = 'task.finish'"))
        .isEqualTo("1");
  }

  @Test
  void a_long_task_lets_the_others_have_their_turn() {
    TaskView first = made();
    TaskView second = made();
    TaskView claimed = tasks.claim().orElseThrow();
    assertThat(claimed.id()).isEqualTo(first.id());
    tasks.release(claimed);

    assertThat(tasks.claim().orElseThrow().id()).isEqualTo(second.id());
  }

  @Test
  void a_filter_that_matches_little_is_walked_in_bounded_stretches() throws Exception {
    rig.pay(rig.user("ada"), 1000);
    for (int i = 0; i < 10; i++) {
      rig.submit(rig.order());
    }
    UUID rare = rig.submit(rig.order().effect("video").cost(20)).id().uuid();
    TaskView task = made();
    TaskJobs jobs = rig.database().taskJobs();
    TaskJobs.Filter filter =
        new TaskJobs.Filter(List.of(State.QUEUED), "video", null, null, null, null, null);

    TaskJobs.Part first = jobs.next(task, filter, 5, 4);

    assertThat(first.matches()).isEmpty();
    assertThat(first.end()).isNotNull();
    tasks.claim();
    TaskView on = task;
    List<UUID> found = new java.util.ArrayList<>();
    for (TaskJobs.Part part = first; part.end() != null; part = jobs.next(on, filter, 5, 4)) {
      part.matches().forEach(match -> found.add(match.id()));
      on =
          tasks
              .advance(
                  tasks.find(rig.acme(), task.id()).orElseThrow(),
                  new Tasks.Page(part.end(), 0, 0, 0, 0, 0))
              .orElseThrow();
    }
    assertThat(found).containsExactly(rare);
    assertThat(jobs.quote(rig.acme(), filter)).isEqualTo(new TaskJobs.Quote(1, 20));
    assertThat(jobs.quote(rig.zenith(), filter)).isEqualTo(new TaskJobs.Quote(0, 0));
  }
}
