package dev.millrace.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MediaTypesTest {

  @Test
  void a_name_tells_the_type_by_its_last_ending_in_any_case() {
    assertThat(MediaTypes.ofName("a.b.PNG")).isEqualTo("image/png");
    assertThat(MediaTypes.ofName("photo.jpeg")).isEqualTo("image/jpeg");
    assertThat(MediaTypes.ofName("notes.md")).isEqualTo("text/markdown");
    assertThat(MediaTypes.ofName("clip.mov")).isEqualTo("video/quicktime");
    for (String name : List.of("", "png", "a.", "a.exe", ".")) {
      assertThat(MediaTypes.ofName(name)).as(name).isEqualTo(MediaTypes.UNKNOWN);
    }
  }

  @Test
  void a_type_loses_its_parameters_and_its_case() {
    assertThat(MediaTypes.plain("Text/Plain; charset=utf-8")).isEqualTo("text/plain");
    assertThat(MediaTypes.plain(" image/svg+xml ")).isEqualTo("image/svg+xml");
    for (String type : List.of("", "png", "a/b/c", "image/", "image/\u0000", "image/p ng")) {
      assertThat(MediaTypes.plain(type)).as(type).isEqualTo(MediaTypes.UNKNOWN);
    }
  }

  @Test
  void a_telling_type_counts_more_than_the_name() {
    assertThat(MediaTypes.of("image/webp", "a.png")).isEqualTo("image/webp");
    assertThat(MediaTypes.of("application/octet-stream", "a.png")).isEqualTo("image/png");
    assertThat(MediaTypes.of("nonsense", "a.png")).isEqualTo("image/png");
    assertThat(MediaTypes.of("", "a")).isEqualTo(MediaTypes.UNKNOWN);
  }

  @Test
  void a_type_has_its_shortest_ending() {
    assertThat(MediaTypes.extension("image/jpeg")).isEqualTo("jpg");
    assertThat(MediaTypes.extension("audio/ogg")).isEqualTo("ogg");
    assertThat(MediaTypes.extension("application/x-strange")).isEqualTo("bin");
  }

  @Test
  void a_strange_ending_tells_nothing_and_is_not_taken_for_a_file_of_any_kind() {
    assertThat(MediaTypes.knownOfName("a.bin")).contains(MediaTypes.UNKNOWN);
    assertThat(MediaTypes.knownOfName("a.exe")).isEmpty();
    assertThat(MediaTypes.knownOfName("bin")).isEmpty();
  }
}
