package dev.millrace.engine.conformance;

import static dev.millrace.engine.conformance.Scene.ADA;
import static dev.millrace.engine.conformance.Scene.BOB;
import static dev.millrace.engine.conformance.Scene.HOUR;
import static dev.millrace.engine.conformance.Scene.inOrder;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.port.Row;
import dev.millrace.engine.port.Transaction.Item;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Jobs and their results. */
interface JobContract {

  Ground ground();

  Scene scene();

  @Test
  default void a_job_is_found_by_tenant_and_id_as_it_was_written() {
    Job first = scene().submit(ADA);
    Job running = scene().lease("w", 1, 1).getFirst().job();
    assertThat(running.id()).isEqualTo(first.id());
    Job second = scene().submit(BOB);
    JobId foreign = new JobId(2, first.id().uuid());
    JobId unknown = new JobId(1, UUID.randomUUID());
    Set<JobId> asked = Set.of(first.id(), second.id(), foreign, unknown);
    Map<JobId, Job> found = scene().transact(tx -> tx.lockJobs(asked));
    assertThat(found).isEqualTo(Map.of(first.id(), running, second.id(), second));
  }

  @Test
  default void who_waits_for_a_job_sees_what_was_written_meanwhile_and_a_later_clock() {
    JobId id = scene().submit(ADA).id();
    Instant begun = ground().now();
    var seen =
        ground()
            .meet(
                tx -> Scene.decide(tx, Scene.reporting(), new Report.Cancel(id)),
                tx -> {
                  Job job = Objects.requireNonNull(tx.lockJobs(Set.of(id)).get(id));
                  return Map.entry(job.state().terminal(), tx.now());
                },
                () -> scene().pass(HOUR));
    assertThat(seen).isEqualTo(Map.entry(true, begun.plus(HOUR)));
  }

  @Test
  default void jobs_are_locked_from_the_lowest_id() {
    JobId lower = scene().submit(ADA).id();
    JobId higher = scene().submit(ADA).id();
    assertThat(lower).isLessThan(higher);
    Set<JobId> downwards = inOrder(higher, lower);
    ground()
        .meet(
            tx -> tx.lockJobs(Set.of(higher)),
            tx -> tx.lockJobs(downwards),
            () -> assertThat(scene().busy(new Row.OfJob(lower))).hasSize(1));
    ground()
        .meet(
            tx -> tx.lockJobs(Set.of(lower)),
            tx -> tx.lockJobs(downwards),
            () -> assertThat(scene().busy(new Row.OfJob(higher))).isEmpty());
  }

  private Map<JobId, List<Item>> outputs(JobId... jobs) {
    return scene()
        .transact(tx -> {
          tx.lockJobs(Set.of(jobs));
          return tx.outputsOf(Set.of(jobs));
        });
  }

  @Test
  default void the_outputs_of_a_job_are_its_own_with_what_a_reviewer_said() {
    Leased leased = scene().running(scene().order(ADA, 2, 1, 0));
    Report.Complete result = scene().complete(leased, 3);
    JobId id = scene().report(result).id();
    Leased other = scene().running(scene().order(ADA, 2, 1, 0));
    JobId others = scene().report(scene().complete(other, 1)).id();
    JobId without = scene().submit(ADA).id();
    UUID yes = result.outputs().get(0).id();
    UUID no = result.outputs().get(1).id();
    UUID open = result.outputs().get(2).id();
    scene().report(new Report.ReviewItems(id, "rev", Set.of(yes), Set.of(no)));
    Map<JobId, List<Item>> found = outputs(id, without, new JobId(2, id.uuid()));
    assertThat(found.getOrDefault(id, List.of()))
        .containsExactlyInAnyOrder(new Item(yes, true), new Item(no, false), new Item(open, null));
    assertThat(found.getOrDefault(without, List.of())).isEmpty();
    assertThat(found).doesNotContainKey(others);
    assertThat(found.getOrDefault(new JobId(2, id.uuid()), List.of())).isEmpty();
  }

  @Test
  default void only_the_newest_result_of_a_job_has_outputs() {
    Leased first = scene().running(scene().order(ADA, 2, 1, 0));
    JobId id = scene().report(scene().complete(first, 2)).id();
    scene().pass(Scene.TIMINGS.review().plus(Duration.ofSeconds(1)));
    scene().report(new Report.MissDeadline(id));
    scene().report(new Report.RetryInPlace(id, "admin", 1, 1, 1));
    Leased second = scene().lease("w", 1, 1).getFirst();
    Report.Complete again = scene().complete(second, 1);
    scene().report(again);
    assertThat(new HashSet<>(outputs(id).getOrDefault(id, List.of())))
        .isEqualTo(Set.of(new Item(again.outputs().getFirst().id(), null)));
  }
}
