package dev.millrace.engine.lifecycle;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Renders {@code docs/lifecycle.md} from the table in code. */
final class LifecyclePage {

  private static final String INTRODUCTION =
      """
      # Lifecycle of a job

      <!-- Generated from Lifecycle.java by LifecyclePageTest; run it with -Dmillrace.regenerate=true. -->

      A job moves along the edges below and along no other. A step that is not in the table is refused, logged as
      `job.transition_denied`, and changes nothing. Every step commits the job, its place in the queue, its ledger
      lines and its event together, in one transaction. The words are the same in the database, in JSON, in logs
      and on the console.

      """;

  private LifecyclePage() {}

  static String render() {
    return INTRODUCTION
        + "## States\n\nA live job has a deadline and an open hold; a terminal one has neither.\n\n"
        + states("live", State::live)
        + "\n"
        + states("terminal", State::terminal)
        + "\n## Steps\n\n"
        + table()
        + afterTheTable()
        + "## Picture\n\nEvery live state can also end as `expired`; those arrows are left out.\n\n"
        + diagram()
        + "\n## Triggers\n\n"
        + triggers();
  }

  private static String states(String kind, Predicate<State> which) {
    return "| %s | meaning |\n|---|---|\n".formatted(kind)
        + Arrays.stream(State.values())
            .filter(which)
            .map(state -> "| %s | %s |\n".formatted(code(state.label()), Meanings.of(state)))
            .collect(joining());
  }

  private static String table() {
    return "| from | to | trigger | guard | money | who |\n|---|---|---|---|---|---|\n"
        + Lifecycle.table().stream()
            .map(row ->
                "| %s | %s | %s | %s | %s | %s |\n"
                    .formatted(
                        from(row),
                        list(row.to().stream().map(State::label).toList()),
                        list(row.triggers().stream().map(Trigger::label).toList()),
                        row.guard(),
                        row.money().words(),
                        row.who().stream().map(Actor::label).collect(joining(", "))))
            .collect(joining());
  }

  private static String from(Lifecycle.Row row) {
    List<State> live = Arrays.stream(State.values()).filter(State::live).toList();
    if (row.creates()) {
      return "*none*";
    }
    return row.from().equals(live)
        ? "*any live*"
        : list(row.from().stream().map(State::label).toList());
  }

  private static String afterTheTable() {
    return """

    *any live* is each of the live states above.

    The owner of a job that ended as %s
    may also ask for the same again: that makes a new job, with `retry_of` set, and leaves the old one as it is.

    Money is held once, when a life begins, and settled once, when it ends: every step from a live state into a
    terminal one settles, and no other does.

    """
        .formatted(retryable());
  }

  private static String retryable() {
    List<String> labels =
        Lifecycle.retryableAsANewJob().stream().map(state -> code(state.label())).toList();
    return String.join(", ", labels.subList(0, labels.size() - 1)) + " or " + labels.getLast();
  }

  /** One arrow for all triggers between two states, so that the picture stays readable. */
  private static String diagram() {
    Map<String, String> arrows = new LinkedHashMap<>();
    for (Edge edge : Lifecycle.edges()) {
      if (edge.trigger() != Trigger.DEADLINE) {
        String from = edge.from() == null ? "[*]" : edge.from().label();
        arrows.merge(
            from + " --> " + edge.to().label(), edge.trigger().label(), (a, b) -> a + ", " + b);
      }
    }
    return "```mermaid\nstateDiagram-v2\n"
        + arrows.entrySet().stream()
            .map(arrow -> "    %s : %s\n".formatted(arrow.getKey(), arrow.getValue()))
            .collect(joining())
        + Arrays.stream(State.values())
            .filter(State::terminal)
            .map(state -> "    %s --> [*]\n".formatted(state.label()))
            .collect(joining())
        + "```\n";
  }

  private static String triggers() {
    return "| trigger | meaning |\n|---|---|\n"
        + Arrays.stream(Trigger.values())
            .map(trigger -> "| %s | %s |\n".formatted(code(trigger.label()), Meanings.of(trigger)))
            .collect(joining());
  }

  private static String list(List<String> words) {
    return words.stream().map(LifecyclePage::code).collect(joining(", "));
  }

  private static String code(String word) {
    return "`" + word + "`";
  }
}
