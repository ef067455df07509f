package dev.millrace.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.spi.provider.Outcome;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Inputs that can't be used are refused with a sentence. */
class SketchInputTest {

  static Stream<Arguments> unusable() {
    return Stream.of(
        Arguments.of("prompt", "", "prompt"),
        Arguments.of("prompt", "  ", "prompt"),
        Arguments.of("prompt", 7, "must be text"),
        Arguments.of("prompt", "x".repeat(10_001), "longer than"),
        Arguments.of("style", "rococo", "poster, papercut, botanical, night, bauhaus, flow"),
        Arguments.of("style", List.of("poster"), "must be text"),
        Arguments.of("seed", "seven", "whole number"),
        Arguments.of("seed", 1.5, "whole number"),
        Arguments.of("width", 255, "between 256 and 2048"),
        Arguments.of("width", "512", "whole number"),
        Arguments.of("height", 2049, "between 256 and 2048"),
        Arguments.of("height", 3_000_000_000L, "between 256 and 2048"),
        Arguments.of("variants", 0, "between 1 and 4"),
        Arguments.of("variants", 5, "between 1 and 4"),
        Arguments.of("variants", true, "whole number"),
        Arguments.of("delay_seconds", -1, "between 0 and 600"),
        Arguments.of("delay_seconds", 601, "between 0 and 600"),
        Arguments.of("delay_seconds", Double.NaN, "between 0 and 600"),
        Arguments.of("delay_seconds", Map.of(), "must be a number"),
        Arguments.of("block", 4, "between 0 and 3"),
        Arguments.of("block", -1, "between 0 and 3"),
        Arguments.of("items", "a fox", "list of texts"),
        Arguments.of("items", List.of("a fox", 7), "list of texts"),
        Arguments.of("items", Collections.nCopies(65, "x"), "at most 64"),
        Arguments.of("fail", "sometimes", "retryable"));
  }

  @ParameterizedTest
  @MethodSource("unusable")
  void an_unusable_input_fails_with_a_sentence(String key, Object value, String part) {
    Desk desk = Desk.asking("a fox").with(key, value);

    Outcome outcome = desk.run();

    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    assertThat(((Outcome.Failed) outcome).message()).contains(part).endsWith(".");
    assertThat(desk.reports()).isEmpty();
  }

  @Test
  void a_missing_prompt_fails() {
    assertThat(Desk.asking("a fox").without("prompt").run()).isInstanceOf(Outcome.Failed.class);
  }

  @Test
  void whole_numbers_may_come_as_any_kind_of_number() {
    Outcome outcome =
        Desk.asking("a fox")
            .with("width", 300.0)
            .with("height", 256L)
            .with("delay_seconds", 0.5)
            .run();

    assertThat(outcome).isInstanceOf(Outcome.Succeeded.class);
  }

  @Test
  void a_prompt_in_any_script_is_drawn() {
    assertThat(Desk.asking("赤い狐 🦊").run()).isInstanceOf(Outcome.Succeeded.class);
    assertThat(Desk.asking("!!!").outputs().getFirst().name()).isEqualTo("sketch-poster-1.png");
  }
}
