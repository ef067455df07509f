package dev.millrace.engine.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.port.Store;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No timing here: the handler is held at a gate while commands gather behind it. */
@Timeout(30)
class LaneTest {

  @Test
  void a_lonely_command_runs_alone_and_at_once() throws Exception {
    try (GatedLane lane = new GatedLane(10, 10)) {
      lane.openForGood();
      assertThat(lane.call("a")).isEqualTo("A");
      assertThat(lane.call("b")).isEqualTo("B");
      assertThat(lane.batches()).containsExactly(List.of("a"), List.of("b"));
    }
  }

  @Test
  void what_arrives_while_a_batch_runs_is_the_next_batch() throws Exception {
    try (GatedLane lane = new GatedLane(10, 10)) {
      lane.hold("a");
      List<Future<String>> rest = lane.callLater("b", "c", "d");
      lane.openForGood();
      assertThat(lane.first()).isEqualTo("A");
      assertThat(answers(rest)).containsExactly("B", "C", "D");
      assertThat(lane.batches()).containsExactly(List.of("a"), List.of("b", "c", "d"));
    }
  }

  @Test
  void lanes_that_take_turns_never_run_at_once_and_gather_while_they_wait() throws Exception {
    ReentrantLock turn = new ReentrantLock(true);
    try (GatedLane one = new GatedLane(10, 10, turn);
        GatedLane other = new GatedLane(10, 10, turn)) {
      other.openForGood();
      one.hold("a");
      List<Future<String>> rest = other.callLater("b", "c", "d");
      assertThat(other.batches()).isEmpty();
      one.openForGood();
      assertThat(answers(rest)).containsExactly("B", "C", "D");
      assertThat(other.batches()).containsExactly(List.of("b", "c", "d"));
    }
  }

  @Test
  void a_batch_is_never_larger_than_allowed() throws Exception {
    try (GatedLane lane = new GatedLane(3, 100)) {
      lane.hold("first");
      String[] words = IntStream.range(0, 10).mapToObj(i -> "w" + i).toArray(String[]::new);
      List<Future<String>> rest = lane.callLater(words);
      lane.openForGood();
      assertThat(answers(rest)).hasSize(10).startsWith("W0").endsWith("W9");
      assertThat(lane.batches()).extracting(List::size).containsExactly(1, 3, 3, 3, 1);
    }
  }

  /** Whether the first one has left by the time of the second batch or not, half of 101 is 50. */
  @Test
  void no_batch_takes_more_than_half_of_a_crowd() throws Exception {
    try (GatedLane lane = new GatedLane(256, 256)) {
      lane.hold("first");
      String[] others = IntStream.range(0, 100).mapToObj(i -> "word" + i).toArray(String[]::new);
      List<Future<String>> answers = lane.callLater(others);
      lane.openForGood();
      assertThat(answers(answers)).hasSize(100);
      assertThat(lane.batches().get(1)).hasSize(50);
      assertThat(lane.batches())
          .allSatisfy(batch -> assertThat(batch).hasSizeLessThanOrEqualTo(50));
    }
  }

  @Test
  void a_few_stay_together() throws Exception {
    try (GatedLane lane = new GatedLane(256, 256)) {
      lane.hold("first");
      List<Future<String>> answers =
          lane.callLater(IntStream.range(0, 7).mapToObj(i -> "word" + i).toArray(String[]::new));
      lane.openForGood();
      assertThat(answers(answers)).hasSize(7);
      assertThat(lane.batches()).hasSize(2);
    }
  }

  @Test
  void who_was_answered_or_refused_is_not_of_the_crowd_any_more() throws Exception {
    BatchShare crowd = new BatchShare(256);
    Lane<String, String> lane =
        new Lane<>("test", crowd, 10, new ReentrantLock(), words -> () -> words);
    int alone = crowd.share();
    for (int i = 0; i < 40; i++) {
      lane.call("a");
    }
    assertThat(crowd.share()).isEqualTo(alone);
    lane.close();
    for (int i = 0; i < 40; i++) {
      assertThatThrownBy(() -> lane.call("a")).isInstanceOf(LaneFull.class);
    }
    assertThat(crowd.share()).isEqualTo(alone);
  }

  @Test
  void each_batch_has_a_number_of_its_own_which_no_later_one_has_again() throws Exception {
    AtomicReference<Lane<String, String>> itself = new AtomicReference<>();
    List<Long> numbers = new ArrayList<>();
    try (Lane<String, String> lane =
        new Lane<>(
            "test",
            new BatchShare(10),
            10,
            new ReentrantLock(),
            words -> {
              numbers.add(itself.get().standing().number());
              return () -> words;
            })) {
      itself.set(lane);
      for (int i = 0; i < 5; i++) {
        lane.call("a");
      }
    }
    assertThat(numbers).hasSize(5).doesNotHaveDuplicates().isSorted();
  }

  @Test
  void two_equal_commands_are_two() throws Exception {
    try (GatedLane lane = new GatedLane(10, 10)) {
      lane.hold("a");
      List<Future<String>> twins = lane.callLater("b", "b");
      lane.openForGood();
      assertThat(answers(twins)).containsExactly("B", "B");
      assertThat(lane.batches()).containsExactly(List.of("a"), List.of("b", "b"));
    }
  }

  @Test
  void a_bad_command_fails_alone() throws Exception {
    try (GatedLane lane = new GatedLane(10, 10)) {
      lane.refuse("bad", new IllegalArgumentException("bad"));
      lane.hold("a");
      List<Future<String>> rest = lane.callLater("b", "bad", "c");
      lane.openForGood();
      assertThat(rest.get(0).get()).isEqualTo("B");
      assertThat(rest.get(2).get()).isEqualTo("C");
      assertThatThrownBy(() -> rest.get(1).get())
          .cause()
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("bad");
      assertThat(lane.batches())
          .containsExactly(
              List.of("a"), List.of("b", "bad", "c"), List.of("b"), List.of("bad"), List.of("c"));
    }
  }

  @Test
  void even_an_error_or_a_smuggled_exception_reaches_its_caller_and_the_lane_goes_on()
      throws Exception {
    try (GatedLane lane = new GatedLane(10, 10)) {
      lane.refuse("error", new AssertionError("wrong"));
      lane.refuse("smuggled", new IOException("checked"));
      lane.openForGood();
      assertThatThrownBy(() -> lane.call("error"))
          .isInstanceOf(IllegalStateException.class)
          .hasCauseInstanceOf(AssertionError.class);
      assertThatThrownBy(() -> lane.call("smuggled"))
          .isInstanceOf(IllegalStateException.class)
          .hasCauseInstanceOf(IOException.class);
      assertThat(lane.call("a")).isEqualTo("A");
    }
  }

  @Test
  void what_may_have_happened_is_not_run_again() throws Exception {
    try (GatedLane lane = new GatedLane(10, 10)) {
      Exception cut = new RuntimeException("cut");
      lane.refuse("lost", new Store.OutcomeUnknown("the connection broke", cut));
      lane.hold("a");
      List<Future<String>> rest = lane.callLater("b", "lost", "c");
      lane.openForGood();
      for (Future<String> answer : rest) {
        assertThatThrownBy(answer::get)
            .cause()
            .isInstanceOf(Store.OutcomeUnknown.class)
            .hasRootCause(cut)
            .satisfies(e -> assertThat(e.getSuppressed()).as("its own caller").hasSize(1));
      }
      assertThat(lane.batches()).containsExactly(List.of("a"), List.of("b", "lost", "c"));
      assertThat(lane.call("d")).isEqualTo("D");
    }
  }

  @Test
  void an_unreachable_store_is_not_tried_once_per_command() throws Exception {
    try (GatedLane lane = new GatedLane(10, 10)) {
      Exception cut = new RuntimeException("cut");
      lane.refuse("lost", new Store.Unavailable("nobody answers", cut));
      lane.hold("a");
      List<Future<String>> rest = lane.callLater("b", "lost", "c");
      lane.openForGood();
      for (Future<String> answer : rest) {
        assertThatThrownBy(answer::get).cause().isInstanceOf(Store.Unavailable.class);
      }
      assertThat(lane.batches()).containsExactly(List.of("a"), List.of("b", "lost", "c"));
    }
  }

  @Test
  void a_handler_that_answers_too_few_is_not_run_again() throws Exception {
    try (GatedLane lane = new GatedLane(10, 10)) {
      lane.hold("a");
      List<Future<String>> rest = lane.callLater("b", GatedLane.UNANSWERED, "c");
      lane.openForGood();
      for (Future<String> answer : rest) {
        assertThatThrownBy(answer::get).hasMessageContaining("2 answers to 3 commands");
      }
      assertThat(lane.batches()).hasSize(2);
    }
  }

  @Test
  void a_full_lane_refuses_at_once_and_keeps_what_it_took() throws Exception {
    try (GatedLane lane = new GatedLane(10, 2)) {
      lane.hold("a");
      List<Future<String>> waiting = lane.callLater("b", "c");
      assertThatThrownBy(() -> lane.call("d")).isInstanceOf(LaneFull.class);
      lane.openForGood();
      assertThat(answers(waiting)).containsExactly("B", "C");
      assertThat(lane.call("e")).isEqualTo("E");
      assertThat(lane.batches()).doesNotContain(List.of("d"));
    }
  }

  @Test
  void a_caller_that_is_interrupted_stops_waiting_but_its_command_runs() throws Exception {
    try (GatedLane lane = new GatedLane(10, 10)) {
      lane.hold("a");
      Future<String> impatient = lane.callLater("b").getFirst();
      lane.interruptNewestCaller();
      assertThatThrownBy(impatient::get).hasCauseInstanceOf(InterruptedException.class);
      lane.openForGood();
      assertThat(lane.call("c")).isEqualTo("C");
      assertThat(lane.batches().stream().flatMap(List::stream)).containsExactly("a", "b", "c");
    }
  }

  @Test
  void a_lane_without_room_does_not_open() {
    assertThatThrownBy(() -> new GatedLane(0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new GatedLane(1, 0)).isInstanceOf(IllegalArgumentException.class);
  }

  private static List<String> answers(List<Future<String>> futures)
      throws InterruptedException, ExecutionException {
    List<String> answers = new ArrayList<>();
    for (Future<String> future : futures) {
      answers.add(future.get());
    }
    return answers;
  }
}
