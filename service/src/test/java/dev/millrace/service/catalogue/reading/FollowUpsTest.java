package dev.millrace.service.catalogue.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.service.catalogue.Effect;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which effect may lead to which. */
class FollowUpsTest {

  private static final String DRAFT =
      """
      workflow: gallery
      title: Gallery
      executor: worker
      properties:
        prompt: {type: string}
      effects:
        - effect: gallery/draft
          title: Draft
          credits_cost: 1
          review: required
          follow_up: gallery/print
      """;

  private static final String PRINT =
      """
      workflow: print
      title: Print
      executor: worker
      properties:
        items: {type: array, items: {type: string}}
      effects:
        - effect: gallery/print
          title: Print
          credits_cost: 1
      """;

  private static final String AT = "a.yaml:11: effects[0].follow_up ";

  @Test
  void an_effect_leads_to_one_of_another_file() {
    assertThat(problems(DRAFT, PRINT)).isEmpty();
    Effect draft =
        TestCatalogue.effect(
            PRINT.replace("workflow: print", "workflow: gallery")
                + DRAFT.substring(DRAFT.indexOf("  - effect")),
            "gallery/draft");
    assertThat(draft.followUp()).isEqualTo("gallery/print");
  }

  @Test
  void an_unknown_follow_up_is_told_with_the_nearest_name() {
    assertThat(problems(DRAFT.replace("gallery/print", "gallery/pirnt"), PRINT))
        .containsExactly(
            AT + "names \"gallery/pirnt\", which is no effect; did you mean gallery/print?");
  }

  @Test
  void a_follow_up_needs_a_review() {
    assertThat(problems(DRAFT.replace("review: required", "review: none"), PRINT))
        .containsExactly(AT + "needs review: required, since it starts when a result is approved");
  }

  @Test
  void a_follow_up_needs_items_to_receive() {
    String complaint =
        AT
            + "names \"gallery/print\", whose workflow print has no property items,"
            + " an array of strings";

    assertThat(problems(DRAFT, PRINT.replace("items: {type: array", "things: {type: array")))
        .containsExactly(complaint);
    assertThat(problems(DRAFT, PRINT.replace("{type: string}", "{type: integer}")))
        .containsExactly(complaint);
    assertThat(problems(DRAFT, PRINT.replace("{type: array, items: {type: string}}", "{}")))
        .containsExactly(complaint);
    assertThat(problems(DRAFT, PRINT + "    fixed: {items: []}\n"))
        .containsExactly(
            AT + "names \"gallery/print\", which has items fixed, so nothing could be handed over");
  }

  @Test
  void a_follow_up_must_be_on_offer_unless_nobody_can_get_there() {
    String complaint = AT + "names \"gallery/print\", which is not active, so it could not start";

    assertThat(problems(DRAFT, PRINT + "    active: false\n")).containsExactly(complaint);
    assertThat(problems(DRAFT, PRINT + "active: false\n")).containsExactly(complaint);
    assertThat(problems(DRAFT + "    active: false\n", PRINT + "    active: false\n")).isEmpty();
  }

  @Test
  void an_effect_cannot_follow_itself() {
    assertThat(problems(DRAFT.replace("gallery/print", "gallery/draft"), PRINT))
        .containsExactly(AT + "can't be the effect itself");
  }

  @Test
  void a_cycle_is_told_once() {
    String items = "items: {type: array, items: {type: string}}";
    String back = PRINT + "    review: required\n    follow_up: gallery/draft\n";

    assertThat(problems(DRAFT.replace("prompt: {type: string}", items), back))
        .containsExactly(AT + "names \"gallery/print\", which leads back to gallery/draft");
  }

  @Test
  void an_effect_before_a_cycle_is_not_to_blame() {
    String items = "items: {type: array, items: {type: string}}";
    String more =
        """
          - effect: gallery/%s
            title: T
            credits_cost: 1
            review: required
            follow_up: gallery/%s
        """;

    List<String> problems =
        problems(
            DRAFT.replace("prompt: {type: string}", items).replace("print", "one")
                + more.formatted("one", "two")
                + more.formatted("two", "one"),
            PRINT);

    assertThat(problems)
        .containsExactly(
            "a.yaml:16: effects[1].follow_up names \"gallery/two\","
                + " which leads back to gallery/one");
  }

  private static List<String> problems(String draft, String print) {
    return TestCatalogue.problems(Map.of("a.yaml", draft, "b.yaml", print));
  }
}
