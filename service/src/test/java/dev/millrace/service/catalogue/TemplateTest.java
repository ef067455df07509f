package dev.millrace.service.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class TemplateTest {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private static final String GRAPH =
      """
      {"3": {"class_type": "KSampler", "inputs": {"seed": "{{seed}}", "cfg": "{{ cfg }}",
             "tiled": "{{tiled}}", "model": ["4", 0], "note": "seed {{seed}} at {{cfg}}"}},
       "6": {"class_type": "CLIPTextEncode",
             "inputs": {"text": "{{prompt}}", "clip": ["4", 1]}},
       "7": {"class_type": "CLIPTextEncode",
             "inputs": {"text": "photo of {{prompt}}, {{prompt}}, sharp", "clip": ["4", 1]}}}
      """;

  /** Texts that would end a string, add or link a node, name a place, or confuse a replacement. */
  private static final List<String> HOSTILE =
      List.of(
          "\"",
          "\\",
          "\\\"",
          "\\\\\"",
          "\"}",
          "\"},",
          "\"}}",
          "\", \"clip\": [\"9\", 0], \"x\": \"",
          "\"}},\"99\":{\"class_type\":\"Shell\",\"inputs\":{\"cmd\":\"id\"}},\"98\":{\"a\":{\"b\":\"",
          "[\"4\", 0]",
          "{\"class_type\":\"Shell\"}",
          "null",
          "true",
          "1e999",
          "{{prompt}}",
          "{{seed}}",
          "{{ cfg }}",
          "{{unknown}}",
          "{{",
          "}}",
          "{{{{prompt}}}}",
          "{{pro{{prompt}}mpt}}",
          "$1",
          "${1}",
          "$0$&",
          "\\1\\E\\Q",
          "%s%n%1$s",
          "\n\",\"x\":1,\"",
          "\r\n",
          "\t",
          "\u0000",
          "\u0001\u001f",
          "\u2028\u2029",
          "\ufeff",
          "\u202e\"",
          "\u00e9\u0301",
          "\ud83d\ude00",
          "/* */",
          "// x",
          "<!--",
          "</script>",
          "\\u0022",
          "\\u0022}",
          "\\x22",
          "&quot;",
          "'",
          "`",
          "#{7*7}",
          "${jndi:ldap://x}",
          "__proto__",
          "../../etc/passwd",
          "a".repeat(10_000),
          "\"".repeat(1_000),
          "\\".repeat(999),
          "{".repeat(500),
          "[".repeat(500));

  private final Template template = new Template(graph(GRAPH));

  @Test
  void it_knows_its_places_in_the_order_of_the_graph() {
    assertThat(template.places()).containsExactly("seed", "cfg", "tiled", "prompt");
    assertThat(template.mistakes()).isEmpty();
    assertThat(template.hasNode("7")).isTrue();
    assertThat(template.hasNode("8")).isFalse();
  }

  @Test
  void numbers_and_truths_keep_their_type_when_they_are_the_whole_value() {
    ObjectNode filled = template.fill(values("a mill"));
    assertThat(filled.at("/3/inputs/seed").isIntegralNumber()).isTrue();
    assertThat(filled.at("/3/inputs/seed").longValue()).isEqualTo(123_456_789_012L);
    assertThat(filled.at("/3/inputs/cfg").doubleValue()).isEqualTo(7.5);
    assertThat(filled.at("/3/inputs/tiled").isBoolean()).isTrue();
    assertThat(filled.at("/3/inputs/note").stringValue()).isEqualTo("seed 123456789012 at 7.5");
  }

  @Test
  void a_text_of_digits_stays_a_text() {
    assertThat(template.fill(values("42")).at("/6/inputs/text").isString()).isTrue();
  }

  @Test
  void null_is_null_as_a_whole_and_nothing_within_a_text() {
    Map<String, JsonNode> values =
        Map.of(
            "seed", NODES.nullNode(),
            "cfg", NODES.numberNode(1),
            "tiled", NODES.booleanNode(false),
            "prompt", NODES.stringNode("x"));
    ObjectNode filled = template.fill(values);
    assertThat(filled.at("/3/inputs/seed").isNull()).isTrue();
    assertThat(filled.at("/3/inputs/note").stringValue()).isEqualTo("seed  at 1");
  }

  @Test
  void filling_leaves_the_template_as_it_is() {
    template.fill(values("first"));
    assertThat(template.fill(values("second")).at("/6/inputs/text").stringValue())
        .isEqualTo("second");
  }

  @Test
  void a_missing_value_is_refused_by_name() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> template.fill(Map.of("seed", NODES.numberNode(1))))
        .withMessageContaining("{{cfg}}");
  }

  @Test
  void lists_and_objects_are_never_filled_in_because_a_list_is_a_link_in_a_graph() {
    for (JsonNode hostile :
        List.of(
            NODES.arrayNode().add("4").add(0),
            NODES.objectNode().put("class_type", "ShellExecute"))) {
      Template small = new Template(graph("{\"1\":{\"class_type\":\"A\",\"inputs\":\"{{x}}\"}}"));
      assertThatIllegalArgumentException().isThrownBy(() -> small.fill(Map.of("x", hostile)));
    }
  }

  @Test
  void what_only_looks_like_a_place_is_a_mistake() {
    assertThat(mistakes("{\"1\": {\"text\": \"{{ not a name }}\"}}")).hasSize(1);
    assertThat(mistakes("{\"1\": {\"text\": \"{{prompt} and }}\"}}")).hasSize(1);
    assertThat(mistakes("{\"1\": {\"{{prompt}}\": 1}}")).hasSize(1);
    assertThat(mistakes("{\"1\": {\"list\": [{\"a{{\": 1}, \"{{\"]}}")).hasSize(2);
    assertThat(mistakes("{\"1\": {\"text\": \"{red|green} {{prompt}} }} {\"}}")).isEmpty();
  }

  @Test
  void a_graph_in_another_format_is_told_by_its_nodes() {
    assertThat(new Template(graph("{\"nodes\": [], \"links\": []}")).nodesWithoutClass())
        .containsExactly("nodes", "links");
    assertThat(template.nodesWithoutClass()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("hostileTexts")
  void no_text_leaves_its_place(String text) {
    ObjectNode calm = template.fill(values("CALM"));
    ObjectNode filled = template.fill(values(text));

    JsonNode read = JsonMapper.shared().readTree(JsonMapper.shared().writeValueAsString(filled));

    // As text in its own place, and everything else exactly as without it.
    assertThat(read.at("/6/inputs/text").stringValue()).isEqualTo(text);
    assertThat(read.at("/7/inputs/text").stringValue())
        .isEqualTo("photo of " + text + ", " + text + ", sharp");
    ((ObjectNode) read.at("/6/inputs")).put("text", "CALM");
    ((ObjectNode) read.at("/7/inputs")).put("text", "photo of CALM, CALM, sharp");
    assertThat(read).isEqualTo(JsonMapper.shared().readTree(calm.toString()));
  }

  static Stream<String> hostileTexts() {
    List<String> texts = new ArrayList<>(HOSTILE);
    HOSTILE.forEach(one -> texts.add("a" + one + "b"));
    HOSTILE.forEach(one -> texts.add(one + "{{seed}}" + one));
    Random random = new Random(2_026);
    String alphabet = "{}[]\"\\:,$ne0\u0000\n \u00ff\u2028";
    for (int i = 0; i < 300; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(1, 60); n > 0; n--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      texts.add(text.toString());
    }
    return texts.stream();
  }

  private static Map<String, JsonNode> values(String prompt) {
    return Map.of(
        "seed", NODES.numberNode(123_456_789_012L),
        "cfg", NODES.numberNode(7.5),
        "tiled", NODES.booleanNode(true),
        "prompt", NODES.stringNode(prompt),
        "unused", NODES.arrayNode());
  }

  private static List<String> mistakes(String json) {
    return new Template(graph(json)).mistakes();
  }

  private static ObjectNode graph(String json) {
    return (ObjectNode) JsonMapper.shared().readTree(json);
  }
}
