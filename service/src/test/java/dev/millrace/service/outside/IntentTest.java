package dev.millrace.service.outside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.job.JobId;
import dev.millrace.service.attempt.Turn;
import dev.millrace.spi.provider.Order;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class IntentTest {

  private final Turn turn =
      new Turn(new JobId(999_999_999, UUID.randomUUID()), 12, UUID.randomUUID());

  @Test
  void an_intent_is_read_back_as_it_was_written() {
    Intent intent = Intent.of(turn);
    assertThat(Intent.parse(intent.toString())).contains(intent);
    assertThat(intent.isOf(turn.token())).isTrue();
    assertThat(Order.intentIn("https://mill.example/callbacks/fal/" + intent))
        .contains(intent.toString());
  }

  @Test
  void who_does_not_know_the_token_can_not_make_its_stamp() {
    assertThat(Intent.of(turn).isOf(UUID.randomUUID())).isFalse();
    String written = Intent.of(turn).toString();
    String guessed = written.substring(0, written.length() - 12) + "AAAAAAAAAAAA";
    assertThat(Intent.parse(guessed))
        .hasValueSatisfying(intent -> assertThat(intent.isOf(turn.token())).isFalse());
    assertThat(written).doesNotContain(turn.token().toString());
  }

  @Test
  void what_is_no_intent_is_not_read() {
    for (String text :
        List.of("", "nobody", "1_2_3_4", "-1_" + "a".repeat(32) + "_1_AAAAAAAAAAAA", "1\n")) {
      assertThat(Intent.parse(text)).as(text).isEmpty();
    }
  }
}
