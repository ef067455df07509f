package dev.millrace.web.dialect.generate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.lifecycle.State;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GenerateJsonTest {

  /** As the design's table of labels has it. */
  private static final String TABLE =
      """
      pending        pending
      queued         queued
      running        processing
      submitted      processing
      waiting_review processing
      canceling      processing
      completed      completed
      failed         failed
      dead_letter    failed
      rejected       failed
      canceled       canceled
      expired        expired
      blocked        failed
      """;

  @Test
  void each_state_has_the_name_that_the_design_gives_it() {
    Map<State, String> named = new EnumMap<>(State.class);
    TABLE
        .lines()
        .map(line -> line.split(" +"))
        .forEach(row -> named.put(State.ofLabel(row[0]), row[1]));

    for (State state : State.values()) {
      assertThat(GenerateJson.status(state)).as(state.label()).isEqualTo(named.get(state));
    }
  }

  @Test
  void a_type_is_told_by_the_effect_that_makes_it() {
    assertThat(GenerateType.labelOfEffect("ugc-video")).isEqualTo("video");
    assertThat(GenerateType.labelOfEffect("generate/copy")).isEqualTo("copy");
    assertThat(GenerateType.labelOfEffect("sketch/poster")).isEqualTo("sketch/poster");
  }
}
