package dev.millrace.web.console.frame;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.lifecycle.State;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Things in words. */
class WordsTest {

  @Test
  void every_state_has_a_word_and_an_icon_of_its_own_where_colours_are_the_same() {
    for (State one : State.values()) {
      assertThat(Words.state(one.label())).isNotBlank().doesNotContain("_");
      long alike =
          Arrays.stream(State.values())
              .filter(other -> Words.state(other.label()).equals(Words.state(one.label())))
              .count();
      assertThat(alike).as(one.label()).isEqualTo(1);
    }
  }

  @Test
  void spans_have_as_much_detail_as_matters() {
    assertThat(Words.span(0.25)).isEqualTo("250 ms");
    assertThat(Words.span(12.34)).isEqualTo("12.3 s");
    assertThat(Words.span(125)).isEqualTo("2 min 5 s");
    assertThat(Words.span(7_380)).isEqualTo("2 h 3 min");
    assertThat(Words.span(-1)).isEqualTo("–");
  }

  @Test
  void numbers_agree_with_their_nouns() {
    assertThat(Words.credits(1)).isEqualTo("1 credit");
    assertThat(Words.credits(1_234)).isEqualTo("1,234 credits");
    assertThat(Words.bytes(900)).isEqualTo("900 B");
    assertThat(Words.bytes(5_000_000)).isEqualTo("4.8 MB");
  }
}
