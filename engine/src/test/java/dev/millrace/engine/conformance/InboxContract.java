package dev.millrace.engine.conformance;

import static dev.millrace.engine.conformance.Scene.HOUR;
import static dev.millrace.engine.conformance.Scene.inOrder;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.Callbacks;
import dev.millrace.engine.port.Callback;
import dev.millrace.engine.port.Callback.Verdict;
import dev.millrace.engine.port.Row;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What providers called back. */
interface InboxContract {

  Callback.Id FIRST_CALL = new Callback.Id("acme", "e1");
  Callback.Id SECOND_CALL = new Callback.Id("acme", "e2");
  Callback.Id OTHER_CALL = new Callback.Id("zeta", "e1");

  Ground ground();

  Scene scene();

  private Map<Callback.Id, Callback> found(Callback.Id... ids) {
    return scene().transact(tx -> tx.lockCallbacks(Set.of(ids)));
  }

  @Test
  default void a_callback_is_found_by_provider_and_event_as_it_came_first() {
    Instant at = ground().now();
    scene().receive(FIRST_CALL, "r1", null);
    scene().receive(OTHER_CALL, "r2", "ours");
    scene().pass(HOUR);
    scene().receive(FIRST_CALL, "another", "theirs");
    assertThat(found(FIRST_CALL, SECOND_CALL, OTHER_CALL, new Callback.Id("zeta", "e2")))
        .isEqualTo(
            Map.of(
                FIRST_CALL, new Callback(FIRST_CALL, "r1", null, Verdict.WAITING, at),
                OTHER_CALL, new Callback(OTHER_CALL, "r2", "ours", Verdict.WAITING, at)));
  }

  @Test
  default void a_callback_is_judged_alone() {
    scene().receive(FIRST_CALL, "r1", null);
    scene().receive(SECOND_CALL, "r1", null);
    scene().receive(OTHER_CALL, "r1", null);
    scene().pass(HOUR);
    assertThat(scene().decide(new Callbacks(), new Callbacks.GiveUp(FIRST_CALL, HOUR)))
        .isEqualTo(Callbacks.Reception.GIVEN_UP);
    Map<Callback.Id, Callback> found = found(FIRST_CALL, SECOND_CALL, OTHER_CALL);
    assertThat(Objects.requireNonNull(found.get(FIRST_CALL)).verdict())
        .isEqualTo(Verdict.UNMATCHED);
    assertThat(Objects.requireNonNull(found.get(SECOND_CALL)).waiting()).isTrue();
    assertThat(Objects.requireNonNull(found.get(OTHER_CALL)).waiting()).isTrue();
  }

  @Test
  default void who_waits_for_a_callback_sees_its_judgement_and_a_later_clock() {
    scene().receive(FIRST_CALL, "r1", null);
    Instant begun = ground().now();
    var seen =
        ground()
            .meet(
                tx ->
                    Scene.decide(
                        tx, new Callbacks(), new Callbacks.GiveUp(FIRST_CALL, Duration.ZERO)),
                tx -> {
                  Callback callback = tx.lockCallbacks(Set.of(FIRST_CALL)).get(FIRST_CALL);
                  return Map.entry(Objects.requireNonNull(callback).verdict(), tx.now());
                },
                () -> scene().pass(HOUR));
    assertThat(seen).isEqualTo(Map.entry(Verdict.UNMATCHED, begun.plus(HOUR)));
  }

  @Test
  default void callbacks_are_locked_by_provider_and_then_by_event() {
    scene().receive(FIRST_CALL, "r1", null);
    scene().receive(SECOND_CALL, "r1", null);
    scene().receive(OTHER_CALL, "r1", null);
    assertOrder(FIRST_CALL, SECOND_CALL);
    assertOrder(SECOND_CALL, OTHER_CALL);
  }

  private void assertOrder(Callback.Id lower, Callback.Id higher) {
    Set<Callback.Id> downwards = inOrder(higher, lower);
    ground()
        .meet(
            tx -> tx.lockCallbacks(Set.of(higher)),
            tx -> tx.lockCallbacks(downwards),
            () -> assertThat(scene().busy(new Row.OfCallback(lower))).hasSize(1));
    ground()
        .meet(
            tx -> tx.lockCallbacks(Set.of(lower)),
            tx -> tx.lockCallbacks(downwards),
            () -> assertThat(scene().busy(new Row.OfCallback(higher))).isEmpty());
  }
}
