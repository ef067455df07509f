package dev.millrace.service.catalogue.reading;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CatalogueMistakesTest {

  /** Line 4 is the executor, line 6 the prompt, line 11 the cost. */
  private static final String GOOD =
      """
      workflow: clip
      version: 1
      title: Clip
      executor: worker
      properties:
        prompt: {type: string, minLength: 1}
        frames: {type: integer, minimum: 1, maximum: 240, default: 24}
      required: [prompt]
      effects:
        - effect: clip/short
          credits_cost: 5
          title: Short clip
          overrides: {frames: 12}
      """;

  /** What to replace in the good file, by what, and what must then be said. */
  static Stream<Arguments> mistakes() {
    return Stream.of(
        // Numbers.
        row("cost: 5", "cost: -5", 11, "effects[0].credits_cost " + COST + "-5"),
        row("cost: 5", "cost: 1000001", 11, "effects[0].credits_cost " + COST + "1000001"),
        row("cost: 5", "cost: 5.5", 11, "effects[0].credits_cost " + COST + "5.5"),
        row("cost: 5", "cost: .nan", 11, "effects[0].credits_cost " + COST + "\".nan\""),
        row("cost: 5", "cost: -.inf", 11, "effects[0].credits_cost " + COST + "\"-.inf\""),
        row("cost: 5", "cost: 1e400", 11, "effects[0].credits_cost " + COST + "\"1e400\""),
        row("cost: 5", "cost: 010", 11, "effects[0].credits_cost " + COST + "\"010\""),
        row("cost: 5", "cost: '5'", 11, "effects[0].credits_cost " + COST + "\"5\""),
        row("cost: 5", "cost:", 11, "effects[0].credits_cost " + COST + "nothing"),
        row("cost: 5", "cost: [5]", 11, "effects[0].credits_cost " + COST + "a list"),
        row(
            "cost: 5",
            "cost: 18446744073709551616",
            11,
            "effects[0].credits_cost " + COST + "18446744073709551616"),
        row(
            "cost: 5",
            "cost: " + "9".repeat(99),
            11,
            "effects[0].credits_cost " + COST + "9".repeat(40) + "..."),
        row(
            "version: 1",
            "version: 0",
            2,
            "version must be a whole number from 1 to 2147483647, not 0"),
        row(
            "required: [prompt]",
            "limits: {run_seconds: 0}",
            8,
            "limits.run_seconds must be a whole number from 1 to 604800, not 0"),
        row(
            "title: Short clip",
            "title: Short clip\n    retry: {max_failures: 0}",
            13,
            "effects[0].retry.max_failures must be a whole number from 1 to 100, not 0"),

        // Names.
        row("    credits_cost", "    credit_cost", 10, "effects[0].credits_cost is missing"),
        row(
            "title: Short clip",
            "title: Short clip\n    creditscost: 4",
            13,
            "effects[0].creditscost is not a known key; did you mean credits_cost?"),
        row(
            "version: 1",
            "colour: red",
            2,
            "colour is not a known key; known here are workflow, effects_of, version, title,"
                + " description, executor, provider, active, properties, required, limits, assets,"
                + " template, output_node, settings, effects"),
        row("title: Clip", "titel: Clip", 3, "titel is not a known key; did you mean title?"),
        row(
            "executor: worker",
            "executor: replicat",
            4,
            "executor must be one of replicate, sketch, worker, not \"replicat\";"
                + " did you mean replicate?"),
        row(
            "workflow: clip",
            "workflow: My Clip",
            1,
            "workflow must be " + SLUG + ", not \"My Clip\""),
        row("workflow: clip", "workflow: a--b", 1, "workflow must be " + SLUG + ", not \"a--b\""),
        row("workflow: clip", "workflow: a/b", 1, "workflow must be " + SLUG + ", not \"a/b\""),
        row(
            "effect: clip/short",
            "effect: clip//short",
            10,
            "effects[0].effect must be " + SLUG + ", with / between segments, not \"clip//short\""),
        row(
            "  frames:",
            "  1frames:",
            7,
            "properties.1frames must be named by a letter, then letters, digits, _ or -"),
        row(
            "required: [prompt]",
            "required: [prompt, frame]",
            8,
            "required[1] must be the name of a property, not \"frame\"; did you mean frames?"),

        // Types.
        row("title: Clip", "title: [Clip]", 3, "title must be text, not a list"),
        row("title: Clip", "title: 12", 3, "title must be text, not 12"),
        row("title: Clip", "title: ' '", 3, "title must not be empty"),
        row(
            "title: Clip",
            "title: " + "x".repeat(121),
            3,
            "title must have at most 120 characters, not 121"),
        row("version: 1", "active: yes", 2, "active must be true or false, not \"yes\""),
        row(
            "title: Short clip",
            "title: Short clip\n    review: maybe",
            13,
            "effects[0].review must be none or required, not \"maybe\""),
        row("required: [prompt]", "required: prompt", 8, "required must be a list, not \"prompt\""),
        row(
            "overrides: {frames: 12}",
            "overrides: 12",
            13,
            "effects[0].overrides must be a mapping, not 12"),

        // Schemas.
        row(
            "{type: string, minLength: 1}",
            "text",
            6,
            "properties.prompt must be a mapping (a JSON Schema), not \"text\""),
        row(
            "type: string",
            "type: strin",
            6,
            "properties.prompt.type must be a JSON type, not \"strin\"; did you mean string?"),
        row(
            "type: string",
            "type: text",
            6,
            "properties.prompt.type must be a JSON type, not \"text\"; use array, boolean, integer,"
                + " null, number, object, string"),
        row(
            "minLength: 1",
            "minLenght: 1",
            6,
            "properties.prompt.minLenght is not a JSON Schema keyword; did you mean minLength?"),
        row(
            "minLength: 1",
            "colour: red",
            6,
            "properties.prompt.colour is not a JSON Schema keyword;"
                + " a keyword of your own must begin with x-"),
        row("minLength: 1", "minLength: -1", 6, "properties.prompt.minLength must be at least 0"),
        row(
            "minLength: 1",
            "minLength: one",
            6,
            "properties.prompt.minLength must be a whole number, not text"),
        row("minLength: 1", "pattern: '('", 6, "properties.prompt.pattern must be a valid regex"),
        row("minLength: 1", "enum: []", 6, "properties.prompt.enum must list at least one value"),
        row(
            "minLength: 1",
            "$ref: 'http://127.0.0.1:1/schema.json'",
            6,
            "properties.prompt.$ref can't be used; a property's schema stands on its own"),
        row(
            "minLength: 1",
            "anyOf: [{$ref: '#/x'}]",
            6,
            "properties.prompt.anyOf[0].$ref can't be used; a property's schema stands on its own"),

        // Values against their schemas.
        row("default: 24", "default: 241", 7, "properties.frames.default must be at most 240"),
        row(
            "default: 24",
            "default: many",
            7,
            "properties.frames.default must be a whole number, not text"),
        row(
            "default: 24",
            "default: .nan",
            7,
            "properties.frames.default must be a whole number, not text"),
        row("{frames: 12}", "{frames: 0}", 13, "effects[0].overrides.frames must be at least 1"),
        row(
            "{frames: 12}",
            "{frame: 12}",
            13,
            "effects[0].overrides.frame is not a property of clip; did you mean frames?"),
        row(
            "overrides: {frames: 12}",
            "fixed: {frames: 1.5}",
            13,
            "effects[0].fixed.frames must be a whole number, not a fraction"),
        row(
            "overrides: {frames: 12}",
            "overrides: {frames: 12}\n    fixed: {frames: 12}",
            14,
            "effects[0].fixed.frames is in overrides too; keep one of them"),

        // YAML itself.
        row("version: 1", "workflow: again", 2, "workflow is given twice, first on line 1"),
        row(
            "title: Clip",
            "title: *name",
            3,
            "anchors (&name) and aliases (*name) can't be used here; write the value out"),
        row("title: Clip", "title: !!str Clip", 3, "tags (!name) can't be used here; leave it out"),
        row("[prompt]", "[prompt", 9, "this is not valid YAML: expected ',' or ']', but got :"));
  }

  private static final String COST = "must be a whole number from 0 to 1000000, not ";
  private static final String SLUG = "lower case letters, digits and single dashes";

  @ParameterizedTest(name = "{3}")
  @MethodSource("mistakes")
  void a_mistake_is_told_with_its_line_and_what_must_hold(
      String good, String bad, int line, String message) {
    assertThat(GOOD).contains(good);

    assertThat(
            TestCatalogue.problems(
                GOOD.replaceFirst(Pattern.quote(good), Matcher.quoteReplacement(bad))))
        .contains("a.yaml:" + line + ": " + message);
  }

  @Test
  void the_good_file_of_these_tests_is_good() {
    assertThat(TestCatalogue.problems(GOOD)).isEmpty();
  }

  @Test
  void one_mistake_is_one_problem() {
    assertThat(TestCatalogue.problems(GOOD.replace("cost: 5", "cost: -5"))).hasSize(1);
    assertThat(TestCatalogue.problems(GOOD.replace("type: string", "type: strin"))).hasSize(1);
    assertThat(TestCatalogue.problems(GOOD.replace("workflow: clip", "workflow: A"))).hasSize(1);
  }

  @Test
  void every_mistake_of_every_file_is_told_at_once() {
    String other =
        "effects_of: clop\neffects:\n  - {effect: a, title: A, credits_cost: 1}\n  - 7\n";

    List<String> problems =
        TestCatalogue.problems(
            Map.of(
                "a.yaml",
                GOOD.replace("title: Clip\n", "").replace("cost: 5", "cost: -5").replace("12", "0"),
                "b.yaml",
                other,
                "c.yaml",
                "a: [",
                "d.yaml",
                "# nothing yet\n",
                "e.yaml",
                "- a\n",
                "f.yaml",
                "title: F\n"));

    assertThat(problems)
        .containsExactly(
            "a.yaml:10: effects[0].credits_cost " + COST + "-5",
            "a.yaml:12: effects[0].overrides.frames must be at least 1",
            "a.yaml: title is missing",
            "b.yaml:1: effects_of names \"clop\", which is no workflow; did you mean clip?",
            "b.yaml:4: effects[1] must be a mapping, not 7",
            "c.yaml:1: this is not valid YAML: expected the node content, but found '<stream end>'",
            "d.yaml: the file is empty",
            "e.yaml:1: the file must be a mapping, with one \"key: value\" on each line",
            "f.yaml: the file must have \"workflow: <slug>\" if it describes a workflow, or"
                + " \"effects_of: <slug>\" if it adds effects to one of another file");
  }

  @Test
  void a_slug_belongs_to_one_file() {
    assertThat(TestCatalogue.problems(Map.of("a.yaml", GOOD, "b.yaml", GOOD)))
        .containsExactly(
            "b.yaml:1: workflow \"clip\" is already taken in a.yaml line 1",
            "b.yaml:10: effects[0].effect \"clip/short\" is already taken in a.yaml line 10");
  }

  @Test
  void a_file_of_effects_takes_no_keys_of_a_workflow() {
    String more =
        "effects_of: clip\ntitle: X\neffects:\n  - {effect: b, title: B, credits_cost: 1}";

    assertThat(TestCatalogue.problems(Map.of("a.yaml", GOOD, "b.yaml", more)))
        .containsExactly(
            "b.yaml:2: title is not a known key; known here are workflow, effects_of, effects");
    assertThat(TestCatalogue.problems(Map.of("a.yaml", GOOD, "b.yaml", "effects_of: clip")))
        .containsExactly("b.yaml: effects must list at least one effect");
    assertThat(TestCatalogue.problems("workflow: a\neffects_of: a"))
        .contains("a.yaml:2: effects_of can't be given beside workflow; a file has one of them");
  }

  @Test
  void a_second_document_in_a_file_is_refused() {
    assertThat(TestCatalogue.problems(GOOD + "---\na: 1\n"))
        .containsExactly(
            "a.yaml:15: only one document fits in a file; put the second in its own file");
  }

  @Test
  void an_alias_bomb_is_refused_without_unfolding() {
    StringBuilder bomb = new StringBuilder("l0: &l0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 30; i++) {
      bomb.append("l%d: &l%d [%s]\n".formatted(i, i, "*l%d, ".formatted(i - 1).repeat(9) + "x"));
    }

    assertThat(TestCatalogue.problems(bomb.toString()))
        .hasSize(51)
        .endsWith("a.yaml: there are more mistakes than these")
        .first()
        .isEqualTo(
            "a.yaml:1: anchors (&name) and aliases (*name) can't be used here;"
                + " write the value out");
  }

  @Test
  void a_bottomless_document_is_refused() {
    assertThat(TestCatalogue.problems("a: " + "[".repeat(100_000)))
        .singleElement()
        .asString()
        .contains("nesting depth");
  }

  private static Arguments row(String good, String bad, int line, String message) {
    return Arguments.of(good, bad, line, message);
  }
}
