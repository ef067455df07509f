package dev.millrace.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressLineTest {

  private static final Duration ELAPSED = Duration.ofSeconds(75);

  @Test
  void the_bar_shows_state_percent_step_message_and_time() {
    String bar =
        new ProgressLine("running", 50, "render", "Drawing.")
            .bar(ELAPSED, 100, new TextStyle(false, true));
    assertThat(bar)
        .startsWith("\u2588".repeat(12) + "\u2591".repeat(12))
        .contains(" 50%", "1:15", "running", "render: Drawing.");
  }

  @Test
  void without_unicode_every_character_is_ascii() {
    String bar =
        new ProgressLine("running", 25, "render", "A long message that has to be cut somewhere.")
            .bar(ELAPSED, 70, new TextStyle(false, false));
    assertThat(bar).startsWith("[######------------------]").endsWith("...");
    assertThat(StandardCharsets.US_ASCII.newEncoder().canEncode(bar)).isTrue();
  }

  @Test
  void the_bar_never_gets_longer_than_the_line() {
    for (int width = 5; width < 120; width++) {
      String bar =
          new ProgressLine("waiting_review", 100, "step", "A message of some length, and more.")
              .bar(ELAPSED, width, new TextStyle(false, true));
      assertThat(Clip.width(bar)).isLessThanOrEqualTo(width);
    }
  }

  @Test
  void a_percentage_out_of_range_is_clamped() {
    assertThat(new ProgressLine("running", 400, "", "").percent()).isEqualTo(100);
    assertThat(new ProgressLine("running", -4, "", "").plain()).isEqualTo("  0%  running");
  }
}
