package dev.millrace.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.sketch.painter.Style;
import dev.millrace.spi.provider.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How an attempt goes: progress, patience, cancel and rehearsed trouble. */
class SketchAttemptTest {

  @ParameterizedTest
  @EnumSource(Style.class)
  void progress_only_rises_and_ends_at_100(Style style) {
    Desk desk = Desk.asking("a fox").with("style", style.label()).with("variants", 2);
    desk.run();

    List<Integer> percents = desk.reports().stream().map(Desk.Report::percent).toList();
    assertThat(percents).isSortedAccordingTo(Comparator.naturalOrder());
    assertThat(percents.getFirst()).isZero();
    assertThat(percents.getLast()).isEqualTo(100);
    assertThat(percents.subList(0, percents.size() - 1)).allMatch(percent -> percent < 100);
    assertThat(desk.reports()).extracting(Desk.Report::step).contains("composing", "encoding");
  }

  @Test
  void a_delay_is_spent_in_full_and_in_slices_short_enough_to_notice_a_cancel() {
    List<Duration> slices = new ArrayList<>();
    Desk desk = Desk.asking("a fox").with("delay_seconds", 7);

    Outcome outcome = desk.run(slices::add);

    assertThat(outcome).isInstanceOf(Outcome.Succeeded.class);
    assertThat(slices.stream().reduce(Duration.ZERO, Duration::plus))
        .isCloseTo(Duration.ofSeconds(7), Duration.ofMillis(1));
    assertThat(slices).allMatch(slice -> slice.compareTo(Duration.ofMillis(500)) < 0);
    assertThat(desk.reports()).hasSizeGreaterThan(60);
    assertThat(desk.reports().stream().map(Desk.Report::percent).toList())
        .isSortedAccordingTo(Comparator.naturalOrder());
  }

  @Test
  void a_cancel_during_the_delay_ends_the_attempt_with_the_next_slice() {
    List<Duration> slices = new ArrayList<>();
    Desk desk = Desk.asking("a fox").with("delay_seconds", 600).canceledAfterReports(5);

    assertThat(desk.run(slices::add)).isEqualTo(new Outcome.Canceled());
    assertThat(slices).hasSize(5);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4, 7, 10})
  void a_cancel_between_steps_ends_the_attempt(int reports) {
    Desk desk = Desk.asking("a fox").with("variants", 2).canceledAfterReports(reports);

    assertThat(desk.run()).isEqualTo(new Outcome.Canceled());
    assertThat(desk.reports()).hasSize(reports);
  }

  @Test
  void an_interrupt_during_the_delay_is_passed_on() {
    SketchProvider provider =
        new SketchProvider(_ -> {
          throw new InterruptedException();
        });

    assertThatThrownBy(() -> provider.execute(Desk.asking("a fox").with("delay_seconds", 1)))
        .isInstanceOf(InterruptedException.class);
  }

  @Test
  void retryable_trouble_is_unavailable_on_every_attempt() {
    assertThat(Desk.asking("a fox").with("fail", "retryable").run())
        .isInstanceOf(Outcome.Unavailable.class);
    assertThat(Desk.asking("a fox").with("fail", "retryable").onAttempt(3).run())
        .isInstanceOf(Outcome.Unavailable.class);
  }

  @Test
  void trouble_once_is_gone_on_the_second_attempt() {
    assertThat(Desk.asking("a fox").with("fail", "once").run())
        .isInstanceOf(Outcome.Unavailable.class);
    assertThat(Desk.asking("a fox").with("fail", "once").onAttempt(2).run())
        .isInstanceOf(Outcome.Succeeded.class);
  }

  @Test
  void permanent_trouble_fails_and_safety_rejects() {
    assertThat(Desk.asking("a fox").with("fail", "permanent").run())
        .isInstanceOf(Outcome.Failed.class);
    assertThat(Desk.asking("a fox").with("fail", "safety").run())
        .isInstanceOf(Outcome.Rejected.class);
  }

  @Test
  void what_the_filter_holds_back_is_counted_and_not_delivered() {
    Desk desk = Desk.asking("a fox").with("variants", 4).with("block", 1);

    Outcome.Succeeded outcome = (Outcome.Succeeded) desk.run();

    assertThat(outcome.outputs()).hasSize(3);
    assertThat(outcome.summary())
        .containsEntry("variants", 4)
        .containsEntry("blocked", 1)
        .containsEntry("delivered", 3);
    assertThat(Desk.bytes(outcome.outputs().getFirst())).isEqualTo(Desk.asking("a fox").picture());
    assertThat(desk.reports().getLast().percent()).isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void a_filter_that_holds_back_everything_rejects_the_whole(int block) {
    Desk desk = Desk.asking("a fox").with("variants", 2).with("block", block);

    assertThat(desk.run()).isInstanceOf(Outcome.Rejected.class);
    assertThat(desk.reports().getLast().percent()).isBetween(20, 80);
  }

  @Test
  void a_crash_escapes_as_an_exception() {
    Desk desk = Desk.asking("a fox").with("fail", "crash");

    assertThatThrownBy(desk::run).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void trouble_comes_after_some_progress() {
    Desk desk = Desk.asking("a fox").with("fail", "permanent");
    desk.run();

    assertThat(desk.reports()).hasSizeGreaterThan(2);
    assertThat(desk.reports().getLast().percent()).isBetween(20, 80);
  }
}
