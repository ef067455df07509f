package dev.millrace.engine.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.lifecycle.DesignTable.Line;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LifecycleTest {

  @Test
  void the_table_says_row_by_row_what_the_design_says() {
    assertThat(Lifecycle.table().stream().map(LifecycleTest::line).toList())
        .containsExactlyElementsOf(DesignTable.lines());
  }

  @Test
  void every_step_of_the_table_is_allowed_and_every_other_is_refused() {
    Set<String> expected = new HashSet<>(DesignTable.steps());
    List<@Nullable State> starts = new ArrayList<>(Arrays.asList(State.values()));
    starts.add(null);
    int asked = 0;
    for (State from : starts) {
      for (Trigger trigger : Trigger.values()) {
        for (State to : State.values()) {
          asked++;
          Lifecycle.edge(from, trigger, to)
              .ifPresent(edge ->
                  assertThat(expected.remove(words(edge))).as("%s is allowed", edge).isTrue());
        }
      }
    }
    assertThat(asked).isEqualTo(14 * 19 * 13);
    assertThat(expected).as("steps that are refused but should not be").isEmpty();
  }

  @Test
  void the_list_of_edges_is_what_can_be_asked_for() {
    assertThat(Lifecycle.edges())
        .hasSize(DesignTable.steps().size())
        .allSatisfy(edge ->
            assertThat(Lifecycle.edge(edge.from(), edge.trigger(), edge.to())).contains(edge));
  }

  @Test
  void every_state_can_be_reached() {
    assertThat(reachable(null)).isEqualTo(EnumSet.allOf(State.class));
  }

  @ParameterizedTest
  @EnumSource
  void every_live_state_has_a_way_out_and_a_deadline(State state) {
    if (state.live()) {
      assertThat(reachable(state)).anyMatch(State::terminal);
      assertThat(Lifecycle.edge(state, Trigger.DEADLINE, State.EXPIRED)).isPresent();
    } else {
      assertThat(Lifecycle.edge(state, Trigger.DEADLINE, State.EXPIRED)).isEmpty();
    }
  }

  @Test
  void a_terminal_state_is_left_only_by_a_retry_in_place() {
    List<Edge> outOfTheEnd = from(State::terminal);
    assertThat(outOfTheEnd)
        .extracting(Edge::from)
        .containsExactlyInAnyOrder(State.FAILED, State.DEAD_LETTER, State.EXPIRED);
    assertThat(outOfTheEnd).extracting(Edge::trigger).containsOnly(Trigger.RETRY_IN_PLACE);
    assertThat(outOfTheEnd).extracting(Edge::money).containsOnly(MoneyEffect.RESERVE);
  }

  @Test
  void a_hold_is_settled_exactly_where_a_live_job_ends() {
    assertThat(from(State::live))
        .allSatisfy(edge -> assertThat(edge.money().settles()).isEqualTo(edge.to().terminal()));
    assertThat(from(State::live))
        .filteredOn(edge -> edge.to().live())
        .extracting(Edge::money)
        .containsOnly(MoneyEffect.KEEP);
  }

  @Test
  void a_hold_is_made_wherever_a_life_begins_and_a_blocked_job_never_has_one() {
    assertThat(Lifecycle.edges())
        .filteredOn(edge -> edge.from() == null)
        .allSatisfy(edge ->
            assertThat(edge.money())
                .isEqualTo(edge.to().live() ? MoneyEffect.RESERVE : MoneyEffect.NONE));
  }

  @Test
  void an_owner_may_ask_again_for_what_ended_without_a_result() {
    assertThat(Lifecycle.retryableAsANewJob())
        .containsExactlyInAnyOrder(
            State.FAILED, State.DEAD_LETTER, State.EXPIRED, State.CANCELED, State.REJECTED);
  }

  @Test
  void terminal_states_and_the_executing_ones_are_these() {
    assertThat(State.values())
        .filteredOn(State::terminal)
        .containsExactly(
            State.COMPLETED,
            State.FAILED,
            State.DEAD_LETTER,
            State.REJECTED,
            State.CANCELED,
            State.EXPIRED,
            State.BLOCKED);
    assertThat(State.values())
        .filteredOn(State::executing)
        .containsExactly(State.RUNNING, State.SUBMITTED, State.CANCELING);
  }

  @ParameterizedTest
  @EnumSource
  void a_label_names_its_state(State state) {
    assertThat(State.ofLabel(state.label())).isEqualTo(state);
    assertThat(state.label()).isEqualTo(state.name().toLowerCase(Locale.ROOT));
  }

  @Test
  void a_word_that_names_no_state_is_refused() {
    assertThatThrownBy(() -> State.ofLabel("Queued")).isInstanceOf(IllegalArgumentException.class);
  }

  private static List<Edge> from(Predicate<State> start) {
    return Lifecycle.edges().stream()
        .filter(edge -> edge.from() != null && start.test(edge.from()))
        .toList();
  }

  /** Where one can get without asking an administrator for another life. */
  private static Set<State> reachable(@Nullable State start) {
    Set<State> reached = EnumSet.noneOf(State.class);
    List<@Nullable State> next = new ArrayList<>();
    next.add(start);
    while (!next.isEmpty()) {
      State here = next.removeLast();
      for (Edge edge : Lifecycle.edges()) {
        boolean onTheWay = edge.from() == here && edge.trigger() != Trigger.RETRY_IN_PLACE;
        if (onTheWay && reached.add(edge.to())) {
          next.add(edge.to());
        }
      }
    }
    return reached;
  }

  private static Line line(Lifecycle.Row row) {
    return new Line(
        row.creates() ? List.of("none") : row.from().stream().map(State::label).toList(),
        row.to().stream().map(State::label).toList(),
        row.triggers().stream().map(Trigger::label).toList(),
        row.money().name().toLowerCase(Locale.ROOT),
        row.who().stream().map(Actor::label).toList());
  }

  private static String words(Edge edge) {
    return String.join(
        " ",
        edge.fromLabel(),
        edge.trigger().label(),
        edge.to().label(),
        edge.money().name().toLowerCase(Locale.ROOT));
  }
}
