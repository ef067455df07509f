package dev.millrace.engine.conformance;

import static dev.millrace.engine.conformance.Scene.ADA;
import static dev.millrace.engine.conformance.Scene.OTHER_ADA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.port.Row;
import dev.millrace.engine.port.Store;
import dev.millrace.engine.port.Transaction;
import dev.millrace.engine.port.Transaction.Caps;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** How much more may run: workers' slots, and the caps of tenants and effects. */
interface RoomContract {

  /** Shorter than a lease, so that none is lost. */
  Duration SECOND = Duration.ofSeconds(1);

  Ground ground();

  Scene scene();

  private static Transaction.Offered offer(Transaction tx, String... workers) {
    return tx.offer(new TreeSet<>(List.of(workers)), new TreeMap<>(Map.of(1, 1)));
  }

  @Test
  default void a_worker_has_the_slots_that_it_does_not_use() {
    ground().enroll("gpu", 3);
    ground().enroll("idle", 2);
    ground().enroll("drained", 2);
    ground().drain("drained");
    for (int i = 0; i < 4; i++) {
      scene().submit(ADA);
    }
    List<Leased> held = scene().lease("gpu", 2, 1);
    scene().lease("someone", 1, 1);
    assertThat(scene().transact(tx -> offer(tx, "gpu", "idle", "drained", "unknown")).slots())
        .isEqualTo(Map.of("gpu", 1, "idle", 2));
    scene().report(scene().complete(held.getFirst(), 1));
    Transaction.Offered offered = scene().transact(tx -> offer(tx, "gpu"));
    assertThat(offered.slots()).isEqualTo(Map.of("gpu", 2));
    assertThat(offered.claims()).hasSize(1);
  }

  @Test
  default void who_waits_for_a_worker_counts_what_it_was_given_meanwhile() {
    ground().enroll("gpu", 3);
    scene().submit(ADA);
    Instant begun = ground().now();
    LeaseJobs ask = new LeaseJobs("gpu", List.of(1), 1, true);
    var seen =
        ground()
            .meet(
                tx -> Scene.decide(tx, Scene.leasing(), ask),
                tx -> Map.entry(offer(tx, "gpu").slots(), tx.now()),
                () -> scene().pass(SECOND));
    assertThat(seen).isEqualTo(Map.entry(Map.of("gpu", 2), begun.plus(SECOND)));
  }

  @Test
  default void workers_are_locked_by_their_names() {
    ground().enroll("a", 1);
    ground().enroll("b", 1);
    SortedSet<String> downwards = new TreeSet<>(Collections.reverseOrder());
    downwards.addAll(List.of("a", "b"));
    ground()
        .meet(
            tx -> offer(tx, "b"),
            tx -> tx.offer(downwards, new TreeMap<>(Map.of(1, 1))),
            () -> assertThat(scene().busy(new Row.OfWorker("a"))).hasSize(1));
    ground()
        .meet(
            tx -> offer(tx, "a"),
            tx -> tx.offer(downwards, new TreeMap<>(Map.of(1, 1))),
            () -> assertThat(scene().busy(new Row.OfWorker("b"))).isEmpty());
  }

  @Test
  default void where_nothing_has_a_cap_nobody_waits_and_there_is_room_for_all() {
    scene().submit(ADA);
    Store other = ground().node();
    scene()
        .transact(tx -> {
          offer(tx);
          Caps caps = other.transact(theirs -> offer(theirs).caps());
          assertThat(caps.perTenant()).isZero();
          assertThat(caps.perEffect()).isEmpty();
          assertThat(scene().busy(new Row.OfCaps())).isEmpty();
          return caps;
        });
  }

  /** Two running jobs of ada's with the first effect, one of another tenant with the third. */
  private JobId run() {
    JobId first = scene().running(scene().order(ADA)).job().id();
    scene().running(scene().order(ADA));
    scene().running(scene().order(OTHER_ADA, 3, 2, 0));
    Leased over = scene().running(scene().order(OTHER_ADA));
    scene().report(scene().complete(over, 1));
    scene().submit(ADA);
    return first;
  }

  @Test
  default void where_an_effect_has_a_cap_what_runs_is_counted() {
    ground().capEffect(2, 7);
    JobId running = run();
    Caps caps = scene().transact(tx -> offer(tx).caps());
    assertThat(caps).isEqualTo(new Caps(0, Map.of(2, 7), Map.of(1, 2, 2, 1), Map.of(1, 2, 3, 1)));
    scene().report(new Report.Cancel(running));
    Caps canceling = scene().transact(tx -> offer(tx).caps());
    assertThat(canceling).isEqualTo(caps);
  }

  @Test
  default void where_tenants_have_a_cap_what_runs_is_counted() {
    run();
    assertThat(ground().node(4).<Caps>transact(tx -> offer(tx).caps()))
        .isEqualTo(new Caps(4, Map.of(), Map.of(1, 2, 2, 1), Map.of(1, 2, 3, 1)));
  }

  @Test
  default void where_anything_has_a_cap_one_counts_after_the_other() {
    ground().capEffect(1, 5);
    scene().submit(ADA);
    LeaseJobs ask = new LeaseJobs("w", List.of(1), 1);
    Map<Integer, Integer> counted =
        ground()
            .meet(
                tx -> Scene.decide(tx, Scene.leasing(), ask),
                tx -> offer(tx).caps().runningOfEffect(),
                () ->
                    assertThat(scene().busy(new Row.OfCaps())).isEqualTo(Set.of(new Row.OfCaps())));
    assertThat(counted).isEqualTo(Map.of(1, 1));
  }

  @Test
  default void where_tenants_have_a_cap_one_counts_after_the_other() {
    Store one = ground().node(1);
    Store other = ground().node(1);
    one.transact(tx -> {
      Caps caps = offer(tx).caps();
      Set<Row> turn = Set.of(new Row.OfCaps());
      assertThat(other.<Set<Row>>transact(theirs -> theirs.lockFree(turn))).isEqualTo(turn);
      return caps;
    });
  }
}
