package dev.millrace.service.catalogue.reading;

import static dev.millrace.service.catalogue.reading.TestCatalogue.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.catalogue.Resolution.InputError;
import dev.millrace.service.catalogue.Resolution.Invalid;
import dev.millrace.service.catalogue.Resolution.Resolved;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class EffectInputTest {

  private static final String CLIP =
      """
      workflow: clip
      title: Clip
      executor: worker
      properties:
        prompt: {type: string, minLength: 1, maxLength: 20, title: Prompt, description: Say it.}
        mood: {type: string, enum: [calm, wild], default: calm}
        frames: {type: integer, minimum: 1, maximum: 240, default: 24}
        size: {type: integer, enum: [1, 2], default: 1}
        camera:
          type: object
          properties: {lens: {type: string}}
          required: [lens]
          additionalProperties: false
      required: [prompt, mood]
      effects:
        - effect: clip/wild
          title: Wild clip
          description: Not calm.
          credits_cost: 5
          overrides: {mood: wild, frames: 48.0}
          fixed: {size: 2}
        - effect: clip/titled
          title: Titled clip
          credits_cost: 5
          overrides: {prompt: A title}
      """;

  private final Effect wild = TestCatalogue.effect(CLIP, "clip/wild");

  @Test
  void overrides_win_over_defaults_and_the_user_wins_over_both() {
    assertThat(resolved("{'prompt': 'x'}"))
        .hasToString(json("{'prompt': 'x', 'mood': 'wild', 'frames': 48, 'size': 2}").toString());
    assertThat(resolved("{'prompt': 'x', 'mood': 'calm', 'frames': 7}"))
        .isEqualTo(json("{'prompt': 'x', 'mood': 'calm', 'frames': 7, 'size': 2}"));
  }

  @Test
  void a_fixed_value_cannot_be_changed() {
    assertThat(errors("{'prompt': 'x', 'size': 1}"))
        .containsExactly(
            new InputError("/input/size", "is fixed by this effect and can't be changed"));
  }

  @Test
  void the_schema_is_what_a_form_needs() {
    assertThat(wild.inputSchema())
        .isEqualTo(
            json(
                """
                {
                  '$schema': 'https://json-schema.org/draft/2020-12/schema',
                  'type': 'object',
                  'title': 'Wild clip',
                  'description': 'Not calm.',
                  'properties': {
                    'prompt': {'type': 'string', 'minLength': 1, 'maxLength': 20,
                      'title': 'Prompt', 'description': 'Say it.'},
                    'mood': {'type': 'string', 'enum': ['calm', 'wild'], 'default': 'wild'},
                    'frames': {'type': 'integer', 'minimum': 1, 'maximum': 240, 'default': 48},
                    'camera': {'type': 'object', 'properties': {'lens': {'type': 'string'}},
                      'required': ['lens'], 'additionalProperties': false}
                  },
                  'required': ['prompt'],
                  'additionalProperties': false
                }
                """));
    assertThat(wild.inputSchema().path("properties").propertyNames())
        .containsExactly("prompt", "mood", "frames", "camera");
  }

  @Test
  void what_an_override_gives_is_not_asked_of_the_user() {
    Effect titled = TestCatalogue.effect(CLIP, "clip/titled");

    assertThat(titled.inputSchema().path("required").values()).isEmpty();
    assertThat(titled.resolve(json("{}"))).isInstanceOf(Resolved.class);
  }

  @Test
  void every_mistake_of_an_input_is_told_at_once() {
    assertThat(errors("{'mood': 'sad', 'frames': 'many', 'promt': 'x', 'camera': {'lense': 1}}"))
        .containsExactlyInAnyOrder(
            new InputError("/input/prompt", "is required"),
            new InputError("/input/mood", "must be one of calm, wild"),
            new InputError("/input/frames", "must be a whole number, not text"),
            new InputError("/input/promt", "is not an input of this effect; did you mean prompt?"),
            new InputError("/input/camera/lens", "is required"),
            new InputError("/input/camera/lense", "is not known here"));
  }

  @Test
  void limits_are_told_in_words() {
    assertThat(errors("{'prompt': '', 'frames': 0}"))
        .containsExactly(
            new InputError("/input/prompt", "must not be empty"),
            new InputError("/input/frames", "must be at least 1"));
    assertThat(errors("{'prompt': '" + "x".repeat(21) + "', 'frames': 99999999999999999999}"))
        .containsExactly(
            new InputError("/input/prompt", "must have at most 20 characters"),
            new InputError("/input/frames", "must be at most 240"));
    assertThat(errors("{'prompt': null, 'frames': 1.5, 'a/b': 1}"))
        .contains(
            new InputError("/input/prompt", "must be text, not null"),
            new InputError("/input/frames", "must be a whole number, not a fraction"),
            new InputError("/input/a~1b", "is not an input of this effect"));
  }

  @Test
  void messages_do_not_follow_the_machines_language() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.GERMANY);
      assertThat(errors("{'prompt': 'x', 'camera': 1}"))
          .containsExactly(
              new InputError("/input/camera", "must be an object, not a whole number"));
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void a_text_that_the_database_cannot_keep_is_the_users_mistake() {
    String complaint = "must be text without NUL or broken characters";

    assertThat(errors("{'prompt': 'a\\u0000b', 'camera': {'lens': '\\ud83d'}}"))
        .containsExactly(
            new InputError("/input/prompt", complaint),
            new InputError("/input/camera/lens", complaint));
    assertThat(resolved("{'prompt': '\\ud83d\\ude80'}").path("prompt").asString())
        .isEqualTo("\ud83d\ude80");
  }

  @Test
  void an_input_that_is_no_object_is_refused() {
    JsonNode list = JsonMapper.shared().readTree("[1]");

    assertThat(wild.resolve(list))
        .isEqualTo(new Invalid(List.of(new InputError("/input", "must be an object, not a list"))));
  }

  @Test
  void a_whole_number_written_as_a_fraction_reaches_the_executor_whole() {
    assertThat(resolved("{'prompt': 'x', 'frames': 2.0}").path("frames").isIntegralNumber())
        .isTrue();
  }

  @Test
  void a_snapshot_cannot_be_changed_through_what_it_hands_out() {
    ObjectNode input = resolved("{'prompt': 'x'}");
    input.put("mood", "changed");
    wild.inputSchema().removeAll();
    wild.workflow().properties().schemas().removeAll();

    assertThat(resolved("{'prompt': 'x'}").path("mood").asString()).isEqualTo("wild");
    assertThat(wild.inputSchema().has("properties")).isTrue();
    assertThat(wild.workflow().properties().schemas().has("prompt")).isTrue();
  }

  private ObjectNode resolved(String input) {
    assertThat(wild.resolve(json(input))).isInstanceOf(Resolved.class);
    return ((Resolved) wild.resolve(json(input))).input();
  }

  private List<InputError> errors(String input) {
    assertThat(wild.resolve(json(input))).isInstanceOf(Invalid.class);
    return ((Invalid) wild.resolve(json(input))).errors();
  }
}
