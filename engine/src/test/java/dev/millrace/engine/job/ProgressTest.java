package dev.millrace.engine.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProgressTest {

  private static final String GRIN = "\uD83D\uDE00";

  @ParameterizedTest
  @CsvSource({"-2147483648,0", "-1,0", "0,0", "37,37", "100,100", "101,100", "2147483647,100"})
  void a_percentage_is_clamped(int said, int kept) {
    assertThat(new Progress(said, null, null).percent()).isEqualTo(kept);
    assertThat(Progress.NONE.withPercent(said).percent()).isEqualTo(kept);
  }

  @Test
  void a_text_up_to_the_limit_is_kept_and_a_longer_one_is_cut() {
    String fits = "a".repeat(Progress.TEXT_LIMIT);
    Progress progress = new Progress(0, fits, fits + "b");
    assertThat(progress.step()).isEqualTo(fits);
    assertThat(progress.message()).isEqualTo(fits);
    assertThat(Progress.NONE.saying(fits + "b", null)).isEqualTo(new Progress(0, fits, null));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void a_cut_never_splits_a_character(int shift) {
    String text = "a".repeat(shift) + GRIN.repeat(Progress.TEXT_LIMIT);
    String cut = Objects.requireNonNull(new Progress(0, null, text).message());
    assertThat(cut).hasSize(shift == 0 ? Progress.TEXT_LIMIT : Progress.TEXT_LIMIT - 1);
    assertThat(Character.isLowSurrogate(cut.charAt(cut.length() - 1))).isTrue();
    assertThat(text).startsWith(cut);
  }
}
