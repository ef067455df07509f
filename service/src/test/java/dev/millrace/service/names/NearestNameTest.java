package dev.millrace.service.names;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNameTest {

  private static final List<String> NAMES = List.of("retry", "cancel", "delete", "recheck");

  @Test
  void a_slip_of_the_finger_is_understood() {
    assertThat(NearestName.of("retyr", NAMES)).contains("retry");
    assertThat(NearestName.of("Cancle", NAMES)).contains("cancel");
    assertThat(NearestName.of("recheck", NAMES)).contains("recheck");
  }

  @Test
  void something_else_altogether_is_not_guessed_at() {
    assertThat(NearestName.of("explode", NAMES)).isEmpty();
    assertThat(NearestName.of("", NAMES)).isEmpty();
    assertThat(NearestName.of("retry", List.of())).isEmpty();
  }

  @Test
  void case_and_the_signs_between_words_do_not_count() {
    assertThat(NearestName.of("Max-Size", List.of("max_size", "min_size"))).contains("max_size");
  }

  @Test
  void of_two_that_are_equally_near_the_first_in_the_alphabet_is_said() {
    assertThat(NearestName.of("cat", List.of("hat", "bat"))).contains("bat");
  }

  @Test
  void a_name_longer_than_anybody_types_is_not_compared() {
    assertThat(NearestName.of("a".repeat(81), List.of("a".repeat(80)))).isEmpty();
    assertThat(NearestName.of("a".repeat(79), List.of("a".repeat(80)))).isPresent();
  }

  @Test
  void an_abbreviation_means_the_name_that_has_its_letters() {
    List<String> names = List.of("URL", "DATABASE_URL", "HTTP_PUBLIC_URL");

    assertThat(NearestName.ofAbbreviated("DB_URL", names)).contains("DATABASE_URL");
    assertThat(NearestName.ofAbbreviated("URLS", names)).contains("URL");
    assertThat(NearestName.ofAbbreviated("XYZZY", names)).isEmpty();
  }
}
