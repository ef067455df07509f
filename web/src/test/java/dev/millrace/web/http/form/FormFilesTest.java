package dev.millrace.web.http.form;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.RequestHead;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FormFilesTest {

  private static FormFiles read(String body) {
    return read(body.getBytes(ISO_8859_1), "multipart/form-data; boundary=\"xyz\"");
  }

  private static FormFiles read(byte[] body, String type) {
    RequestHead head =
        new RequestHead("id", "POST", "/", "", Map.of("content-type", List.of(type)), "127.0.0.1");
    return FormFiles.of(new Request(head, Map.of(), body));
  }

  private static String part(String name, String more, String content) {
    return "--xyz\r\nContent-Disposition: form-data; name=\"%s\"%s\r\n\r\n%s\r\n"
        .formatted(name, more, content);
  }

  @Test
  void a_form_is_split_into_its_fields_and_files() {
    String form =
        "preamble\r\n"
            + part("title", "", "a red fox")
            + part(
                "image", "; filename=\"a.png\"\r\nContent-Type: image/png", "\r\n--xy\r\r\n-\r\n")
            + part("empty", "", "")
            + "--xyz--\r\nepilogue";
    try (FormFiles read = read(form)) {
      assertThat(read.parts())
          .extracting(FormFiles.Part::name)
          .containsExactly("title", "image", "empty");
      assertThat(read.part("title").orElseThrow().text()).isEqualTo("a red fox");
      assertThat(read.part("image").orElseThrow().filename()).isEqualTo("a.png");
      assertThat(read.part("image").orElseThrow().contentType()).isEqualTo("image/png");
      assertThat(read.part("image").orElseThrow().text()).isEqualTo("\r\n--xy\r\r\n-\r\n");
      assertThat(read.part("empty").orElseThrow().text()).isEmpty();
      assertThat(read.part("none")).isEmpty();
    }
  }

  @Test
  void a_large_file_comes_through_byte_by_byte() throws IOException {
    byte[] bytes = new byte[300_000];
    new Random(7).nextBytes(bytes);
    String form = part("f", "; filename=\"f\"", new String(bytes, ISO_8859_1)) + "--xyz--";
    try (FormFiles read = read(form);
        InputStream in = read.part("f").orElseThrow().open()) {
      assertThat(in.readAllBytes()).isEqualTo(bytes);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--xyz",
        "--xyz\r\n",
        "--xyz\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nno end",
        "--xyz\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nno end\r\n--xyz",
        "--xyz\r\n\r\nno name\r\n--xyz--",
        "--xyzzy\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n--xyz--",
      })
  void what_is_no_form_or_breaks_off_is_refused(String body) {
    assertThatThrownBy(() -> read(body))
        .isInstanceOfSatisfying(
            ProblemException.class, e -> assertThat(e.problem().status()).isEqualTo(400));
  }

  @Test
  void a_form_with_too_many_parts_or_too_long_a_head_is_refused() {
    assertThatThrownBy(() -> read(part("a", "", "b").repeat(201) + "--xyz--"))
        .isInstanceOf(ProblemException.class);
    assertThatThrownBy(() -> read(part("a", "; x=\"" + "y".repeat(9_000) + "\"", "b") + "--xyz--"))
        .isInstanceOf(ProblemException.class);
  }

  @Test
  void another_type_of_body_is_refused() {
    assertThatThrownBy(() -> read(new byte[0], "application/json"))
        .isInstanceOfSatisfying(
            ProblemException.class, e -> assertThat(e.problem().status()).isEqualTo(415));
  }
}
