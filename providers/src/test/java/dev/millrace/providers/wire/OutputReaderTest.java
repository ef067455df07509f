package dev.millrace.providers.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.spi.provider.Elsewhere;
import dev.millrace.spi.provider.Output;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What services call their output, and what becomes of it. */
class OutputReaderTest {

  private final OutputReader reader =
      new OutputReader(
          uri -> uri.getHost().equals("files.example") ? Map.of("X-Key", "k") : Map.of(),
          _ -> true);

  private List<Output> read(String json) throws OutputReader.Unreadable {
    return reader.read(WireJson.any(json).orElseThrow());
  }

  private static String text(Output output) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    output.content().writeTo(out);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void an_address_is_a_file_with_the_headers_of_its_host() throws OutputReader.Unreadable {
    List<Output> outputs =
        read("[\"https://files.example/a/b.png?x=1\", \"https://other.example/c\"]");

    assertThat(outputs).extracting(Output::name).containsExactly("b.png", "c");
    assertThat(outputs)
        .extracting(Output::mediaType)
        .containsExactly("image/png", "application/octet-stream");
    assertThat(((Elsewhere) outputs.get(0).content()).headers()).containsEntry("X-Key", "k");
    assertThat(((Elsewhere) outputs.get(1).content()).headers()).isEmpty();
  }

  @Test
  void addresses_anywhere_in_an_object_count() throws OutputReader.Unreadable {
    assertThat(
            read(
                """
                {"video": {"url": "https://f.example/v", "content_type": "video/mp4; a=b",
                           "file_name": "my clip.mp4", "thumb": "https://f.example/t.png"},
                 "frames": ["https://f.example/1.jpg", "https://f.example/2.jpg"], "seed": 1}
                """))
        .extracting(output -> output.name() + " " + output.mediaType())
        .containsExactly("my_clip.mp4 video/mp4", "1.jpg image/jpeg", "2.jpg image/jpeg");
  }

  @Test
  void a_data_url_is_a_file_that_needs_no_fetching() throws Exception {
    List<Output> outputs =
        read("[\"data:text/plain;base64,aGVsbG8=\", \"data:,a%20b+c\", \"data:image/png,x\"]");

    assertThat(outputs)
        .extracting(Output::mediaType)
        .containsExactly("text/plain", "text/plain", "image/png");
    assertThat(text(outputs.get(0))).isEqualTo("hello");
    assertThat(text(outputs.get(1))).isEqualTo("a b+c");
    assertThat(outputs).extracting(Output::name).contains("output-3.png");
  }

  @Test
  void pieces_of_text_are_one_text() throws Exception {
    assertThat(text(read("[\"Once\", \" upon\", \" a time\"]").getFirst()))
        .isEqualTo("Once upon a time");
    assertThat(read("\"result for put\"").getFirst().mediaType()).isEqualTo("text/plain");
  }

  @Test
  void what_has_no_address_and_is_no_text_is_json() throws Exception {
    Output output = read("{\"score\": 0.5, \"label\": \"cat\"}").getFirst();

    assertThat(output.mediaType()).isEqualTo("application/json");
    assertThat(text(output)).isEqualTo("{\"score\":0.5,\"label\":\"cat\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "[]", "{}", "\"\"", "[\"\"]", "[null, []]"})
  void nothing_is_not_an_output(String nothing) {
    assertThatThrownBy(() -> read(nothing)).isInstanceOf(OutputReader.Unreadable.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "file:///etc/passwd",
        "ftp://f.example/a",
        "https://",
        "https:///a",
        "https://user:pw@f.example/a",
        "javascript:alert(1)",
        "https://f.example/a b"
      })
  void what_can_not_be_fetched_is_only_text(String text) throws OutputReader.Unreadable {
    assertThat(read("[\"" + text + "\"]").getFirst().content()).isNotInstanceOf(Elsewhere.class);
  }

  @Test
  void a_prompt_that_is_an_address_is_no_output() throws OutputReader.Unreadable {
    OutputReader strict = new OutputReader(_ -> Map.of(), key -> key.endsWith("url"));

    assertThat(
            strict.read(
                WireJson.any(
                        """
                        {"prompt": "https://evil.example/x", "image_url": "https://f.example/a.png"}
                        """)
                    .orElseThrow()))
        .extracting(Output::name)
        .containsExactly("a.png");
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://f.example/../../x.png", "https://f.example/%2e%2e%2fx.png"})
  void a_files_name_has_no_path(String url) throws OutputReader.Unreadable {
    assertThat(read("\"" + url + "\"").getFirst().name()).matches("[A-Za-z0-9][A-Za-z0-9._-]*");
  }
}
