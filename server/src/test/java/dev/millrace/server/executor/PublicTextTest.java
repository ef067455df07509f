package dev.millrace.server.executor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PublicTextTest {

  @Test
  void control_characters_become_spaces_and_the_ends_are_trimmed() {
    assertThat(PublicText.of("\u0000one\ntwo\u0007three\u001b[0m ")).isEqualTo("one two three [0m");
  }

  @Test
  void characters_beyond_the_first_plane_survive_and_halves_of_them_do_not() {
    assertThat(PublicText.of("a \uD83E\uDD8A fox \uD836\uDC00"))
        .isEqualTo("a \uD83E\uDD8A fox \uD836\uDC00");
    assertThat(PublicText.of("half \uD83E of \uDD8A it")).isEqualTo("half  of  it");
  }

  @Test
  void what_is_too_long_is_cut_between_characters() {
    assertThat(PublicText.of("\uD83E\uDD8A".repeat(500))).isEqualTo("\uD83E\uDD8A".repeat(300));
  }
}
