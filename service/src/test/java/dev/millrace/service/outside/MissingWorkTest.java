package dev.millrace.service.outside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class MissingWorkTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Standing GONE = new Standing.Missing("not here", MINUTE);
  private static final Standing GOING =
      new Standing.Going(OptionalInt.empty(), "processing", "At work", MINUTE);

  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private final MissingWork missing = new MissingWork(() -> now);

  private Standing asked(Standing word) {
    return missing.believed("clips", "clip-1", word);
  }

  @Test
  void work_is_gone_only_when_it_was_missing_several_times_over_some_minutes() {
    for (int i = 0; i < 3; i++) {
      assertThat(asked(GONE)).isEqualTo(new Standing.NoAnswer("not here", MINUTE));
      now = now.plus(MINUTE);
    }
    assertThat(asked(GONE))
        .isInstanceOfSatisfying(
            Standing.Ended.class,
            ended -> assertThat(ended.outcome()).isInstanceOf(Outcome.Unavailable.class));
  }

  @Test
  void asking_often_in_a_short_time_proves_nothing() {
    for (int i = 0; i < 100; i++) {
      assertThat(asked(GONE)).isInstanceOf(Standing.NoAnswer.class);
      now = now.plusMillis(100);
    }
  }

  @Test
  void asking_seldom_over_a_long_time_proves_nothing() {
    for (int i = 0; i < 3; i++) {
      assertThat(asked(GONE)).isInstanceOf(Standing.NoAnswer.class);
      now = now.plus(Duration.ofHours(1));
    }
  }

  @Test
  void any_other_word_about_the_work_begins_it_anew() {
    for (int i = 0; i < 3; i++) {
      asked(GONE);
      now = now.plus(MINUTE);
    }
    assertThat(asked(GOING)).isEqualTo(GOING);
    now = now.plus(MINUTE);
    assertThat(asked(GONE)).isInstanceOf(Standing.NoAnswer.class);
  }

  @Test
  void each_piece_of_work_is_doubted_for_itself() {
    for (int i = 0; i < 3; i++) {
      asked(GONE);
      now = now.plus(MINUTE);
    }
    assertThat(missing.believed("clips", "clip-2", GONE)).isInstanceOf(Standing.NoAnswer.class);
  }
}
