package dev.millrace.web.console.studio;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Forms from schemas, and inputs from forms. */
class SchemaFormTest {

  private static final JsonNode SCHEMA =
      JsonMapper.shared()
          .readTree(
              """
              {"properties": {
                 "prompt": {"type": "string", "maxLength": 2000, "title": "Prompt"},
                 "name": {"type": "string", "maxLength": 40},
                 "style": {"type": "string", "enum": ["flat", "deep"], "default": "flat"},
                 "steps": {"type": "integer", "minimum": 1, "maximum": 50, "default": 20},
                 "seed": {"type": "integer", "minimum": 0, "maximum": 2147483647},
                 "strength": {"type": "number"},
                 "loop": {"type": "boolean"},
                 "picture": {"type": "string", "format": "uuid", "x-file": {"media_types": ["image/png"]}},
                 "points": {"type": "array"}},
               "required": ["prompt"]}
              """);

  @Test
  void each_kind_of_property_gets_its_kind_of_field() {
    assertThat(
            SchemaForm.fields(SCHEMA, JsonMapper.shared().createObjectNode(), Map.of()).stream()
                .map(FormField::kind))
        .containsExactly(
            "area", "text", "choice", "slider", "number", "number", "flag", "file", "json");
  }

  @Test
  void a_field_starts_with_what_was_sent_before_or_else_the_default() {
    var values = JsonMapper.shared().createObjectNode().put("steps", 7);
    List<FormField> fields = SchemaForm.fields(SCHEMA, values, Map.of("prompt", "is missing"));
    assertThat(fields.get(3).value()).isEqualTo("7");
    assertThat(fields.get(2).value()).isEqualTo("flat");
    assertThat(fields.getFirst().wrong()).isEqualTo("is missing");
    assertThat(fields.getFirst().required()).isTrue();
  }

  @Test
  void what_was_filled_in_has_the_types_of_the_schema() {
    Map<String, List<String>> form =
        Map.of(
            "in.prompt", List.of("two\r\nlines"),
            "in.style", List.of("deep"),
            "in.steps", List.of("30"),
            "in.strength", List.of("0.5"),
            "in.loop", List.of("on"),
            "in.seed", List.of(""),
            "in.points", List.of("[1,2]"),
            "in.unknown", List.of("x"));
    assertThat(SchemaForm.input(SCHEMA, form).toString())
        .isEqualTo(
            "{\"prompt\":\"two\\nlines\",\"style\":\"deep\",\"steps\":30,\"strength\":0.5,"
                + "\"loop\":true,\"points\":[1,2]}");
  }

  @Test
  void what_can_not_be_read_is_left_to_the_schema_to_complain_about() {
    Map<String, List<String>> form =
        Map.of("in.steps", List.of("many"), "in.points", List.of("[1,"), "in.style", List.of("x"));
    assertThat(SchemaForm.input(SCHEMA, form).toString())
        .isEqualTo("{\"style\":\"x\",\"steps\":\"many\",\"loop\":false,\"points\":\"[1,\"}");
  }

  @Test
  void a_number_that_nothing_can_hold_is_never_written_out() {
    for (String number : List.of("1e999999999", "1e-999999999", "9".repeat(5_000))) {
      Map<String, List<String>> form = Map.of("in.strength", List.of(number));
      assertThat(SchemaForm.input(SCHEMA, form).path("strength").isString()).isTrue();
    }
  }
}
