package dev.millrace.cli.command.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.shell.CommandFailure;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class InputsTest {

  private static final String SCHEMA =
      """
      {"additionalProperties":false,"properties":{
        "prompt":{"type":"string"}, "count":{"type":"integer"}, "scale":{"type":"number"},
        "fast":{"type":"boolean"}, "seed":{"type":["integer","null"]},
        "size":{"anyOf":[{"type":"integer"},{"type":"string"}]},
        "tags":{"type":"array","items":{"type":"string"}},
        "sizes":{"type":"array","items":{"type":"integer"}},
        "options":{"type":"object"}, "image":{"type":"string","x-file":{}}, "mode":{"enum":["a","b",3]}}}
      """;

  @TempDir Path folder;

  private static Inputs inputs(String typed) {
    return new Inputs(
        ApiJson.parse(SCHEMA),
        new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)),
        file -> "id-of-" + file.getFileName());
  }

  private static String convert(String... pairs) throws Exception {
    return ApiJson.line(inputs("").convert(ApiJson.object(), List.of(pairs)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          prompt=a red fox     | {"prompt":"a red fox"}
          prompt=4             | {"prompt":"4"}
          prompt=true          | {"prompt":"true"}
          prompt="quoted"      | {"prompt":"\\"quoted\\""}
          prompt=a=b           | {"prompt":"a=b"}
          prompt=              | {"prompt":""}
          count=4              | {"count":4}
          count=-12            | {"count":-12}
          scale=0.25           | {"scale":0.25}
          scale=2              | {"scale":2}
          fast=false           | {"fast":false}
          seed=null            | {"seed":null}
          size=64              | {"size":64}
          size=large           | {"size":"large"}
          tags=one             | {"tags":["one"]}
          tags=["a","b"]       | {"tags":["a","b"]}
          options={"x":[1]}    | {"options":{"x":[1]}}
          mode=b               | {"mode":"b"}
          mode=3               | {"mode":3}
          """)
  void the_schema_decides_what_a_typed_value_is(String pair, String json) throws Exception {
    assertThat(convert(pair)).isEqualTo(json);
  }

  @Test
  void a_list_is_typed_item_by_item() throws Exception {
    assertThat(convert("tags=a, b", "sizes=1", "tags=4", "sizes=2"))
        .isEqualTo("{\"tags\":[\"a, b\",\"4\"],\"sizes\":[1,2]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          count=four  | -i count= needs a whole number, not 'four'.
          count=1.5   | -i count= needs a whole number, not '1.5'.
          scale=wide  | -i scale= needs a number, not 'wide'.
          fast=yes    | -i fast= needs true or false, not 'yes'.
          sizes=x     | -i sizes= needs a whole number, not 'x'.
          options=[1] | -i options= needs a JSON object, not '[1]'.
          nonsense    | -i needs name=value, not 'nonsense'.
          =x          | -i needs name=value, not '=x'.
          promt=x     | The effect has no input 'promt'.
          """)
  void what_does_not_fit_is_told_by_name(String pair, String message) {
    assertThatThrownBy(() -> convert(pair)).isInstanceOf(CommandFailure.class).hasMessage(message);
  }

  @Test
  void a_mistyped_name_is_answered_with_the_one_that_was_meant() {
    assertThatThrownBy(() -> convert("promt=x"))
        .isInstanceOfSatisfying(
            CommandFailure.class,
            failure -> assertThat(failure.hint()).startsWith("prompt (all of them: "));
  }

  @Test
  void one_value_cannot_be_given_twice() {
    assertThatThrownBy(() -> convert("prompt=a", "prompt=b")).isInstanceOf(CommandFailure.class);
  }

  @Test
  void a_text_can_come_from_a_file_and_an_at_sign_can_be_escaped() throws Exception {
    Path file = Files.writeString(folder.resolve("prompt.txt"), "two\nlines \u00e9\n");
    assertThat(convert("prompt=@" + file)).isEqualTo("{\"prompt\":\"two\\nlines \u00e9\"}");
    assertThat(convert("prompt=@@home")).isEqualTo("{\"prompt\":\"@home\"}");
  }

  @Test
  void a_garbled_prompt_is_refused_before_it_costs_anything() {
    assertThatThrownBy(() -> convert("prompt=f\uFFFDx")).isInstanceOf(CommandFailure.class);
  }

  @Test
  void an_unknown_schema_takes_text() throws Exception {
    Inputs open = new Inputs(ApiJson.object(), new ByteArrayInputStream(new byte[0]), _ -> "");
    assertThat(ApiJson.line(open.convert(ApiJson.object(), List.of("x=4"))))
        .isEqualTo("{\"x\":\"4\"}");
  }

  @Test
  void a_typed_pair_wins_over_the_json_input() throws Exception {
    Inputs inputs = inputs("{\"prompt\":\"base\",\"count\":2}");
    ObjectNode base = inputs.readObject("-");
    assertThat(ApiJson.line(inputs.convert(base, List.of("prompt=typed"))))
        .isEqualTo("{\"prompt\":\"typed\",\"count\":2}");
  }

  @Test
  void the_json_input_must_be_one_object() {
    assertThatThrownBy(() -> inputs("[1]").readObject("-")).isInstanceOf(CommandFailure.class);
    assertThatThrownBy(() -> inputs("{\"a\":1} x").readObject("-"))
        .isInstanceOf(CommandFailure.class);
    assertThatThrownBy(() -> inputs("").readObject("-")).isInstanceOf(CommandFailure.class);
  }

  @Test
  void a_file_is_brought_and_its_id_sent() throws Exception {
    Path photo = Files.writeString(folder.resolve("photo.png"), "png");
    assertThat(convert("image=@" + photo)).isEqualTo("{\"image\":\"id-of-photo.png\"}");
    assertThat(convert("image=0197c3a1")).isEqualTo("{\"image\":\"0197c3a1\"}");
    assertThatThrownBy(() -> convert("image=@" + folder.resolve("gone.png")))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("no file");
  }
}
