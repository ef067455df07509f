package dev.millrace.engine.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.port.Store;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How batches are tried, one call after the other, without a lane's threads. */
@Timeout(30)
class CommandBatchesTest {

  /** Each word needs the row of its first letter. It remembers what it was asked. */
  private static final class Rows implements BatchHandler<String, String> {
    final List<String> asked = new ArrayList<>();
    final Set<Character> held = new HashSet<>();
    boolean skips = true;
    boolean unskippable;

    @Override
    public Supplier<List<String>> run(List<String> words) {
      asked.add("run " + words);
      return all(words);
    }

    @Override
    public Supplier<List<String>> runBriefly(List<String> words) {
      asked.add("line " + words);
      return all(words);
    }

    @Override
    public boolean skips() {
      return skips;
    }

    @Override
    public Partly<String> runFree(List<String> words) {
      asked.add("free " + words);
      if (unskippable) {
        return new Partly<>(Set.of(), all(words));
      }
      Set<Integer> busy = new HashSet<>();
      for (int i = 0; i < words.size(); i++) {
        if (held.contains(words.get(i).charAt(0))) {
          busy.add(i);
        }
      }
      List<String> free = words.stream().filter(word -> !held.contains(word.charAt(0))).toList();
      return new Partly<>(busy, answers(free));
    }

    private Supplier<List<String>> all(List<String> words) {
      if (words.stream().anyMatch(word -> held.contains(word.charAt(0)))) {
        throw new Store.Busy("held", new TimeoutException("held"));
      }
      return answers(words);
    }

    private static Supplier<List<String>> answers(List<String> words) {
      return () -> words.stream().map(word -> word.toUpperCase(Locale.ROOT)).toList();
    }
  }

  private final Rows rows = new Rows();
  private final AtomicInteger wakes = new AtomicInteger();
  private final DelayedCommands<WaitingCommand<String, String>> putOff =
      new DelayedCommands<>(wakes::incrementAndGet, 10);
  private final CommandBatches<String, String> batches = batches(rows);

  private CommandBatches<String, String> batches(BatchHandler<String, String> handler) {
    return new CommandBatches<>(handler, putOff, Runnable::run, () -> false);
  }

  /** Runs them as one batch and answers whom there is an answer for. */
  private List<WaitingCommand<String, String>> handle(String... words) {
    List<WaitingCommand<String, String>> batch =
        Stream.of(words).map(WaitingCommand<String, String>::new).toList();
    batches.handle(batch).run();
    return batch;
  }

  /** Runs all that were put off once more. */
  private void again() {
    batches.handle(putOff.take(10)).run();
  }

  private static List<String> answers(List<WaitingCommand<String, String>> batch) {
    return batch.stream().map(waiting -> waiting.answer().getNow("none")).toList();
  }

  @Test
  void what_is_done_is_counted_and_what_is_put_off_is_not() {
    handle("a", "b");
    assertThat(batches.done()).isEqualTo(2);
    rows.held.add('x');
    handle("c", "x");
    assertThat(batches.done()).isEqualTo(3);
    rows.held.clear();
    again();
    assertThat(batches.done()).isEqualTo(4);
  }

  @Test
  void who_was_put_off_stands_in_line_once_and_then_only_looks_for_a_while() {
    rows.held.add('x');
    List<WaitingCommand<String, String>> batch = handle("x");
    again();
    again();
    assertThat(rows.asked)
        .containsExactly("run [x]", "free [x]", "line [x]", "free [x]", "free [x]");
    rows.held.clear();
    again();
    assertThat(answers(batch)).containsExactly("X");
  }

  @Test
  void once_all_were_served_in_line_batches_run_as_usual() {
    rows.held.add('x');
    List<WaitingCommand<String, String>> batch = handle("x");
    rows.held.clear();
    again();
    assertThat(answers(batch)).containsExactly("X");
    rows.asked.clear();
    handle("a");
    assertThat(rows.asked).containsExactly("run [a]");
  }

  @Test
  void while_others_are_still_put_off_nobody_waits() {
    rows.held.add('x');
    handle("x1", "x2");
    rows.held.clear();
    batches.handle(putOff.take(1)).run();
    rows.asked.clear();
    handle("a");
    assertThat(rows.asked).containsExactly("free [a]");
  }

  /**
   * After five pauses in vain the next would be of 640 ms. A busy machine may make any pause long,
   * but none short; so one short pause tells enough.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void once_somebody_was_served_the_pauses_are_short_again(boolean inLine) {
    long pause = Long.MAX_VALUE;
    while (pause > 600_000_000) {
      rows.held.add('x');
      pauseAfter("x0");
      if (!inLine) {
        // From here on it only looks, for a while.
        again();
      }
      for (int i = 1; i < 5; i++) {
        pauseAfter("x" + i);
      }
      rows.held.clear();
      again();
      rows.held.add('x');
      pause = pauseAfter("x9");
      rows.held.clear();
      again();
    }
  }

  /** How long it takes until those who wait are to be tried again. */
  private long pauseAfter(String word) {
    int before = wakes.get();
    long from = System.nanoTime();
    handle(word);
    while (wakes.get() == before) {
      Thread.onSpinWait();
    }
    return System.nanoTime() - from;
  }

  @Test
  void what_can_not_be_skipped_is_found_by_halves_and_the_others_are_done() {
    rows.held.add('x');
    rows.unskippable = true;
    List<WaitingCommand<String, String>> batch = handle("a", "x", "b", "c");
    assertThat(answers(batch)).containsExactly("A", "none", "B", "C");
    assertThat(putOff.size()).isEqualTo(1);
    assertThat(rows.asked)
        .containsExactly(
            "run [a, x, b, c]",
            "free [a, x, b, c]",
            "free [a, x]",
            "free [a]",
            "free [x]",
            "free [b, c]");
  }

  @Test
  void who_lost_patience_is_told_what_was_in_the_way() {
    rows.held.add('x');
    WaitingCommand<String, String> skipped = handle("x").getFirst();
    skipped.losePatience();
    again();
    assertThatThrownBy(skipped.answer()::join)
        .hasCauseInstanceOf(Store.Busy.class)
        .rootCause()
        .hasMessage("put off");
    rows.unskippable = true;
    WaitingCommand<String, String> found = handle("x").getFirst();
    found.losePatience();
    again();
    assertThatThrownBy(found.answer()::join)
        .hasCauseInstanceOf(Store.Busy.class)
        .rootCause()
        .hasMessage("held");
  }

  @Test
  void a_handler_that_can_skip_nothing_tells_all_that_the_store_can_not_do_it_now() {
    rows.held.add('x');
    rows.skips = false;
    for (WaitingCommand<String, String> each : handle("a", "x")) {
      assertThatThrownBy(each.answer()::join).hasCauseInstanceOf(Store.Unavailable.class);
    }
    assertThat(rows.asked).containsExactly("run [a, x]");
  }

  @Test
  void answers_that_can_not_be_made_reach_everybody_as_the_trouble_that_it_was() {
    WaitingCommand<String, String> one = new WaitingCommand<>("a");
    WaitingCommand<String, String> other = new WaitingCommand<>("b");
    CommandBatches<String, String> broken =
        batches(_ ->
            () -> {
              throw new AssertionError("no answers");
            });
    broken.handle(List.of(one, other)).run();
    assertThatThrownBy(one.answer()::join).rootCause().hasMessage("no answers");
    assertThatThrownBy(other.answer()::join).rootCause().hasMessage("no answers");
  }
}
