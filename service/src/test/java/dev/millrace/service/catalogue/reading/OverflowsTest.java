package dev.millrace.service.catalogue.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.service.catalogue.Overflow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where an effect's jobs may go when their queue is too slow. */
class OverflowsTest {

  private static final String CLOUD =
      """
      workflow: cloud
      title: Cloud
      executor: replicate
      properties:
        prompt: {type: string}
        images: {type: integer, maximum: 8, default: 1}
      """;

  private static final String AT = "a.yaml:14: effects[0].overflow[0].";

  private static String own(String way) {
    return """
    workflow: own
    title: Own
    executor: worker
    properties:
      prompt: {type: string}
      images: {type: integer, maximum: 8, default: 1}
    effects:
      - effect: own/one
        title: One
        credits_cost: 10
        price: {per: output, most: images}
        overflow:
          # The one place that differs.
          - {%s}
    """
        .formatted(way);
  }

  private static List<String> problems(String way) {
    return TestCatalogue.problems(Map.of("a.yaml", own(way), "b.yaml", CLOUD));
  }

  @Test
  void a_job_goes_where_it_costs_no_more_than_it_may() {
    assertThat(way("workflow: cloud, after_seconds: 60"))
        .isEqualTo(new Overflow("cloud", Duration.ofMinutes(1), Long.MAX_VALUE));
    assertThat(way("workflow: cloud, after_seconds: 0, cost: 10").mostHeld())
        .isEqualTo(Long.MAX_VALUE);
    // Three images cost 36 there, a fourth would cost 48; who has three of them holds 30.
    assertThat(way("workflow: cloud, after_seconds: 0, cost: 12, max_cost: 40").mostHeld())
        .isEqualTo(30);
  }

  private static Overflow way(String text) {
    assertThat(problems(text)).isEmpty();
    return TestCatalogue.effect(Map.of("a.yaml", own(text), "b.yaml", CLOUD), "own/one")
        .overflow()
        .getFirst();
  }

  @Test
  void a_cost_that_would_let_nobody_go_is_a_mistake() {
    assertThat(problems("workflow: cloud, after_seconds: 1, cost: 11"))
        .containsExactly(
            AT
                + "cost is more than the price, 10, so no job could go there; add a max_cost to"
                + " allow it");
    assertThat(problems("workflow: cloud, after_seconds: 1, cost: 11, max_cost: 9"))
        .containsExactly(
            AT + "cost is more than max_cost, 9, so no job could go there; raise it to allow it");
    assertThat(problems("workflow: cloud, after_seconds: 1, max_cost: 9"))
        .containsExactly(AT + "max_cost needs a cost, which says what one unit costs there");
  }

  @Test
  void a_workflow_that_is_not_there_is_told_with_the_nearest_name() {
    assertThat(problems("workflow: clout, after_seconds: 1"))
        .containsExactly(
            AT + "workflow names \"clout\", which is no workflow; did you mean cloud?");
    assertThat(problems("workflow: own, after_seconds: 1"))
        .containsExactly(AT + "workflow names \"own\", which is the effect's own");
    assertThat(problems("workflow: cloud")).containsExactly(AT + "after_seconds is missing");
  }

  @Test
  void the_other_workflow_must_take_the_same_input() {
    String way = own("workflow: cloud, after_seconds: 1");
    assertThat(
            TestCatalogue.problems(
                Map.of("a.yaml", way, "b.yaml", CLOUD.replace("prompt:", "text:"))))
        .containsExactly(
            AT + "workflow names \"cloud\", which lacks the property prompt",
            AT + "workflow names \"cloud\", which has a property that its jobs lack, text");
    assertThat(
            TestCatalogue.problems(
                Map.of("a.yaml", way, "b.yaml", CLOUD.replace("type: string", "type: boolean"))))
        .containsExactly(
            AT + "workflow names \"cloud\", which has another type for the property prompt");
    assertThat(TestCatalogue.problems(Map.of("a.yaml", way, "b.yaml", CLOUD + "active: false\n")))
        .containsExactly(AT + "workflow names \"cloud\", which is not active");
  }
}
