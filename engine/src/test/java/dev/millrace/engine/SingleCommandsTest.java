package dev.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.lane.BatchHandler;
import dev.millrace.engine.port.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A command that is a transaction of its own looks first, and stands in line after that. */
class SingleCommandsTest {

  /** Somebody else holds what is needed, for so many looks and so many turns in line. */
  private static class HeldRow implements BatchHandler<String, String> {
    private final List<String> tries = new ArrayList<>();
    private int looks;
    private int turns;

    HeldRow(int looks, int turns) {
      this.looks = looks;
      this.turns = turns;
    }

    @Override
    public Supplier<List<String>> run(List<String> commands) {
      throw new IllegalStateException("it would wait for too long");
    }

    @Override
    public Partly<String> runFree(List<String> commands) {
      tries.add("look");
      return looks-- > 0
          ? new Partly<>(Set.of(0), List::of)
          : new Partly<>(Set.of(), () -> List.of("looked"));
    }

    @Override
    public Supplier<List<String>> runBriefly(List<String> commands) {
      tries.add("line");
      if (turns-- > 0) {
        throw new Store.Busy("held", new TimeoutException());
      }
      return () -> List.of("waited");
    }
  }

  private final SingleCommands commands = new SingleCommands();

  @AfterEach
  void forget_the_interrupt() {
    Thread.interrupted();
  }

  @Test
  void what_nobody_holds_is_done_at_the_first_look() {
    HeldRow row = new HeldRow(0, 9);
    assertThat(commands.run(row, "a")).isEqualTo("looked");
    assertThat(row.tries).containsExactly("look");
  }

  @Test
  void what_somebody_holds_is_done_when_its_turn_in_line_comes() {
    HeldRow row = new HeldRow(9, 2);
    long from = System.nanoTime();
    assertThat(commands.run(row, "a")).isEqualTo("waited");
    assertThat(row.tries).containsExactly("look", "line", "line", "line");
    assertThat(System.nanoTime() - from).as("it rests in between").isGreaterThan(100_000_000L);
  }

  /** A busy machine may make it slow now and then, but not each time. */
  @Test
  @Timeout(30)
  void who_finds_it_held_stands_in_line_without_a_rest() {
    long millis;
    do {
      long from = System.nanoTime();
      assertThat(commands.run(new HeldRow(1, 0), "a")).isEqualTo("waited");
      millis = Duration.ofNanos(System.nanoTime() - from).toMillis();
    } while (millis >= 20);
  }

  @Test
  void while_one_stands_in_line_another_only_looks() {
    HeldRow other = new HeldRow(3, 0);
    HeldRow first =
        new HeldRow(9, 0) {
          @Override
          public Supplier<List<String>> runBriefly(List<String> words) {
            assertThat(commands.run(other, "b")).isEqualTo("looked");
            return super.runBriefly(words);
          }
        };
    assertThat(commands.run(first, "a")).isEqualTo("waited");
    assertThat(other.tries).containsExactly("look", "look", "look", "look");
    assertThat(commands.run(new HeldRow(9, 0), "c")).as("the line is free").isEqualTo("waited");
  }

  @Test
  void who_is_interrupted_gives_up() {
    Thread.currentThread().interrupt();
    HeldRow row = new HeldRow(0, 0);
    assertThatThrownBy(() -> commands.run(row, "a")).isInstanceOf(Store.Busy.class);
    assertThat(row.tries).isEmpty();
  }
}
