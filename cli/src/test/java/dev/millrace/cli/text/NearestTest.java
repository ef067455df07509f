package dev.millrace.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {

  private static final List<String> NAMES = List.of("retry", "cancel", "delete", "recheck");

  @Test
  void a_slip_of_the_finger_is_understood() {
    assertThat(Nearest.to("retyr", NAMES)).contains("retry");
    assertThat(Nearest.to("Cancle", NAMES)).contains("cancel");
    assertThat(Nearest.to("recheck", NAMES)).contains("recheck");
  }

  @Test
  void something_else_altogether_is_not_guessed_at() {
    assertThat(Nearest.to("explode", NAMES)).isEmpty();
    assertThat(Nearest.to("", NAMES)).isEmpty();
    assertThat(Nearest.to("retry", List.of())).isEmpty();
  }
}
