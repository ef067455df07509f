package dev.millrace.engine.conformance;

import static dev.millrace.engine.conformance.Scene.ADA;
import static dev.millrace.engine.conformance.Scene.HOUR;
import static dev.millrace.engine.conformance.Scene.OTHER_ADA;
import static dev.millrace.engine.conformance.Scene.inOrder;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.SubmitBatch;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.port.Row;
import dev.millrace.engine.port.Share;
import dev.millrace.engine.port.Transaction;
import dev.millrace.engine.port.Transaction.Opening;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The tenants' places in the queues. */
interface ShareContract {

  Share.Id FIRST = new Share.Id(1, 1);
  Share.Id OTHER_TENANT = new Share.Id(1, 2);
  Share.Id OTHER_QUEUE = new Share.Id(2, 1);

  Ground ground();

  Scene scene();

  private static Map<Share.Id, Share> open(Transaction tx, Set<Share.Id> keys) {
    return tx.open(new Opening(Set.of(), Set.of(), Set.of(), keys)).shares();
  }

  private static Map<Share.Id, Share> hold(Transaction tx, Set<Share.Id> keys) {
    return tx.hold(Set.of(), keys, Set.of()).shares();
  }

  @Test
  default void a_place_is_made_at_the_beginning_of_its_queue() {
    Set<Share.Id> keys = Set.of(FIRST, OTHER_TENANT, OTHER_QUEUE);
    Map<Share.Id, Share> made = scene().transact(tx -> open(tx, keys));
    assertThat(made)
        .isEqualTo(
            Map.of(
                FIRST, new Share(FIRST, 0, 0),
                OTHER_TENANT, new Share(OTHER_TENANT, 0, 0),
                OTHER_QUEUE, new Share(OTHER_QUEUE, 0, 0)));
    Map<Share.Id, Share> again = ground().node().transact(tx -> hold(tx, keys));
    assertThat(again).isEqualTo(made);
  }

  @Test
  default void a_place_is_its_tenants_own_and_what_was_served_is_its_queues() {
    scene().submit(ADA);
    scene().submit(ADA);
    scene().submit(OTHER_ADA);
    scene().submit(scene().order(ADA, 3, 2, 0));
    assertThat(scene().lease("w", 3, 1)).hasSize(3);
    Map<Share.Id, Share> shares =
        scene().transact(tx -> hold(tx, Set.of(FIRST, OTHER_TENANT, OTHER_QUEUE)));
    assertThat(shares)
        .isEqualTo(
            Map.of(
                FIRST, new Share(FIRST, 5, 10),
                OTHER_TENANT, new Share(OTHER_TENANT, 5, 5),
                OTHER_QUEUE, new Share(OTHER_QUEUE, 0, 5)));
  }

  @Test
  default void who_waits_for_a_place_sees_what_was_written_meanwhile_and_a_later_clock() {
    SubmitJob order = scene().order(OTHER_ADA);
    Instant begun = ground().now();
    var seen =
        ground()
            .meet(
                tx -> Scene.decide(tx, new SubmitBatch(), order),
                tx -> {
                  Share share = open(tx, Set.of(OTHER_TENANT)).get(OTHER_TENANT);
                  return Map.entry(Objects.requireNonNull(share).finish(), tx.now());
                },
                () -> scene().pass(HOUR));
    assertThat(seen).isEqualTo(Map.entry(5L, begun.plus(HOUR)));
  }

  @Test
  default void places_are_locked_by_workflow_and_then_by_tenant() {
    assertOrder(FIRST, OTHER_TENANT);
    assertOrder(OTHER_TENANT, OTHER_QUEUE);
  }

  private void assertOrder(Share.Id lower, Share.Id higher) {
    scene().transact(tx -> open(tx, Set.of(lower, higher)));
    Set<Share.Id> downwards = inOrder(higher, lower);
    ground()
        .meet(
            tx -> hold(tx, Set.of(higher)),
            tx -> hold(tx, downwards),
            () -> assertThat(scene().busy(new Row.OfShare(lower))).hasSize(1));
    ground()
        .meet(
            tx -> hold(tx, Set.of(lower)),
            tx -> open(tx, downwards),
            () -> assertThat(scene().busy(new Row.OfShare(higher))).isEmpty());
  }
}
