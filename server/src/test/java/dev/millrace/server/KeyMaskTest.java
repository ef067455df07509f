package dev.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeyMaskTest {

  @Test
  void a_long_key_shows_its_kind_and_its_end() {
    assertThat(KeyMask.of("r8_0123456789abcdef0123456789abcdef1a2b")).isEqualTo("r8_••••••1a2b");
    assertThat(KeyMask.of("sk-0123456789abcdef0123456789wxyz")).isEqualTo("sk-••••••wxyz");
    assertThat(KeyMask.of("0123456789abcdef:0123456789abcdef")).isEqualTo("••••••cdef");
  }

  @Test
  void a_short_key_shows_nothing_not_even_its_length() {
    assertThat(KeyMask.of("sk-short")).isEqualTo(KeyMask.of("r8_0123456789abcdef"));
    assertThat(KeyMask.of("")).isEqualTo("••••••");
  }
}
