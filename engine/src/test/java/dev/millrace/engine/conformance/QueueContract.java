package dev.millrace.engine.conformance;

import static dev.millrace.engine.conformance.Scene.ADA;
import static dev.millrace.engine.conformance.Scene.HOUR;
import static dev.millrace.engine.conformance.Scene.OTHER_ADA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.port.Row;
import dev.millrace.engine.port.Store;
import dev.millrace.engine.port.Transaction.Claim;
import dev.millrace.engine.port.Transaction.Full;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Claiming what waits. */
interface QueueContract {

  int PLENTY = 10;

  Ground ground();

  Scene scene();

  private static SortedMap<Integer, Integer> plenty() {
    return new TreeMap<>(Map.of(1, PLENTY, 2, PLENTY));
  }

  private List<JobId> claimed(SortedMap<Integer, Integer> limits, Full full) {
    return scene().transact(tx -> ids(tx.claim(limits, full)));
  }

  private static List<JobId> ids(List<Claim> claims) {
    return claims.stream().map(claim -> claim.job().id()).toList();
  }

  @Test
  default void jobs_are_claimed_by_priority_then_fairness_then_age() {
    JobId first = scene().submit(ADA).id();
    JobId second = scene().submit(ADA).id();
    JobId third = scene().submit(ADA).id();
    JobId others = scene().submit(OTHER_ADA).id();
    JobId urgent = scene().submit(scene().order(OTHER_ADA, 1, 1, 9)).id();
    assertThat(claimed(plenty(), Full.NONE)).containsExactly(urgent, first, others, second, third);
    assertThat(claimed(new TreeMap<>(Map.of(1, 2)), Full.NONE)).containsExactly(urgent, first);
  }

  @Test
  default void a_claim_has_the_job_its_place_and_its_input() {
    scene().submit(ADA);
    SubmitJob order = scene().order(ADA);
    Job job = scene().submit(order);
    List<Claim> claims = scene().transact(tx -> tx.claim(plenty(), Full.NONE));
    assertThat(claims.getLast()).isEqualTo(new Claim(job, 5, order.input()));
  }

  @Test
  default void each_workflow_has_its_own_limit_and_others_are_left_alone() {
    JobId one = scene().submit(ADA).id();
    scene().submit(ADA);
    JobId two = scene().submit(scene().order(ADA, 3, 2, 0)).id();
    JobId three = scene().submit(scene().order(ADA, 3, 2, 0)).id();
    assertThat(claimed(new TreeMap<>(Map.of(1, 1, 2, 2)), Full.NONE))
        .containsExactly(one, two, three);
    assertThat(claimed(new TreeMap<>(Map.of(2, 1)), Full.NONE)).containsExactly(two);
  }

  @Test
  default void only_what_is_queued_is_claimed() {
    scene().running(scene().order(ADA));
    SubmitJob order = scene().order(ADA);
    scene().submit(Scene.with(order, order.identity(), ground().now().plus(HOUR), null));
    scene().report(new Report.Cancel(scene().submit(ADA).id()));
    JobId queued = scene().submit(ADA).id();
    assertThat(claimed(plenty(), Full.NONE)).containsExactly(queued);
  }

  @Test
  default void what_is_paused_or_full_is_passed_over() {
    JobId adas = scene().submit(ADA).id();
    JobId others = scene().submit(OTHER_ADA).id();
    JobId ofAnotherEffect = scene().submit(scene().order(ADA, 3, 1, 0)).id();
    JobId inAnotherQueue = scene().submit(scene().order(ADA, 3, 2, 0)).id();
    assertThat(claimed(plenty(), new Full(Set.of(1), Set.of()))).containsExactly(others);
    assertThat(claimed(plenty(), new Full(Set.of(), Set.of(3)))).containsExactly(adas, others);
    assertThat(claimed(plenty(), new Full(Set.of(2), Set.of(3)))).containsExactly(adas);
    ground().pauseEffect(1);
    assertThat(claimed(plenty(), Full.NONE)).containsExactly(inAnotherQueue, ofAnotherEffect);
    ground().pauseWorkflow(2);
    assertThat(claimed(plenty(), Full.NONE)).containsExactly(ofAnotherEffect);
  }

  @Test
  default void a_claim_waits_for_nobody_and_passes_over_what_is_locked() {
    JobId held = scene().submit(ADA).id();
    JobId free = scene().submit(ADA).id();
    Store other = ground().node();
    scene()
        .transact(tx -> {
          tx.lockJobs(Set.of(held));
          List<JobId> claimed = other.transact(theirs -> ids(theirs.claim(plenty(), Full.NONE)));
          assertThat(claimed).containsExactly(free);
          return claimed;
        });
  }

  @Test
  default void who_claims_a_job_holds_it() {
    JobId first = scene().submit(ADA).id();
    JobId second = scene().submit(ADA).id();
    Store other = ground().node();
    scene()
        .transact(tx -> {
          SortedMap<Integer, Integer> one = new TreeMap<>(Map.of(1, 1));
          assertThat(ids(tx.claim(one, Full.NONE))).containsExactly(first);
          assertThat(scene().busy(new Row.OfJob(first), new Row.OfJob(second)))
              .containsExactly(new Row.OfJob(first));
          assertThat(other.<List<JobId>>transact(theirs -> ids(theirs.claim(one, Full.NONE))))
              .containsExactly(second);
          return ids(tx.claim(plenty(), Full.NONE));
        });
    Instant begun = ground().now();
    Instant seen =
        ground()
            .meet(
                tx -> tx.claim(plenty(), Full.NONE),
                tx -> {
                  tx.lockJobs(Set.of(first));
                  return tx.now();
                },
                () -> scene().pass(HOUR));
    assertThat(seen).isEqualTo(begun.plus(HOUR));
  }
}
