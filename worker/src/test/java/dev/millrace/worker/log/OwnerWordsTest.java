package dev.millrace.worker.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a job's owner reads is cleaned first and cut afterwards. */
class OwnerWordsTest {

  @Test
  void half_a_secret_is_never_left_over_by_a_cut() {
    String far = "https://gpu-7.internal/" + "x".repeat(5_969);
    assertThat(Clean.forOwner(far + " mrw_canary0123456")).doesNotContain("mrw_", "canary");
    String near = "y".repeat(280) + " AKIACANARY0123456789";
    assertThat(Clean.forOwner(near)).doesNotContain("AKIA").hasSizeLessThanOrEqualTo(300);
  }

  @Test
  void what_helps_an_attacker_is_replaced_whoever_names_it() {
    assertThat(Clean.forOwner("no route to 10.0.0.7, password=canary in /opt/comfy/models/x"))
        .doesNotContain("10.0.0.7", "canary", "/opt");
  }

  @Test
  void of_several_lines_the_first_is_shown() {
    assertThat(Clean.forOwner("\nno face found\nTraceback (most recent call last)"))
        .isEqualTo("no face found");
    assertThat(Clean.forOwner(null)).isEmpty();
  }
}
