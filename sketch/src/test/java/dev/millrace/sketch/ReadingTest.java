package dev.millrace.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.sketch.subject.Figure;
import dev.millrace.sketch.subject.Hour;
import dev.millrace.sketch.subject.Land;
import dev.millrace.sketch.subject.Reading;
import dev.millrace.sketch.subject.Touch;
import org.junit.jupiter.api.Test;

/** What words mean. */
class ReadingTest {

  @Test
  void subjects_keep_the_order_of_the_prompt() {
    assertThat(Reading.of("two owls watch a whale, and an owl").cast())
        .extracting(Figure::name)
        .containsExactly("owl", "whale");
  }

  @Test
  void land_hour_colour_and_touches_are_read_from_words() {
    Reading reading = Reading.of("a yellow stag in the mountains at dawn under the moon");

    assertThat(reading.land()).isEqualTo(Land.MOUNTAINS);
    assertThat(reading.hour()).isEqualTo(Hour.DAWN);
    assertThat(reading.color()).isEqualTo("gold");
    assertThat(reading.has(Touch.MOON)).isTrue();
    assertThat(reading.cast()).extracting(Figure::name).containsExactly("deer");
  }

  @Test
  void a_swimmer_brings_the_sea_along() {
    assertThat(Reading.of("a dolphin").land()).isEqualTo(Land.SEA);
  }

  @Test
  void a_slug_is_short_and_plain() {
    assertThat(Reading.slug("A Red Fox, at the lake!")).isEqualTo("red-fox-lake");
    assertThat(Reading.slug("../../etc/passwd")).isEqualTo("etc-passwd");
    assertThat(Reading.slug("long ".repeat(50))).hasSizeLessThanOrEqualTo(45);
    assertThat(Reading.slug("赤い狐")).isEqualTo("sketch");
  }
}
