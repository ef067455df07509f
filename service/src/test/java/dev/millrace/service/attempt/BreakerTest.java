package dev.millrace.service.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.spi.provider.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BreakerTest {

  private static final Outcome DOWN = new Outcome.Unavailable("down", Optional.empty());

  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private final Breaker breaker = new Breaker(() -> now);

  private void troubles(int count) {
    for (int i = 0; i < count; i++) {
      breaker.hear(DOWN);
    }
  }

  @Test
  void a_few_troubles_keep_nobody_away() {
    troubles(4);
    assertThat(breaker.allowed(8)).isEqualTo(8);
    breaker.hear(new Outcome.Failed("a bad input is not the service's trouble"));
    troubles(4);
    assertThat(breaker.allowed(8)).isEqualTo(8);
  }

  @Test
  void useless_answers_to_some_inputs_keep_nobody_away() {
    for (int i = 0; i < 20; i++) {
      breaker.hear(new Outcome.BadAnswer("prose where JSON was asked for"));
    }
    assertThat(breaker.allowed(8)).isEqualTo(8);
    assertThat(breaker.open()).isFalse();
  }

  @Test
  void doubt_that_an_input_can_bring_about_says_nothing_for_or_against_the_service() {
    troubles(4);
    for (int i = 0; i < 20; i++) {
      breaker.hear(Outcome.Uncertain.blameless("a model that thinks for too long"));
    }
    assertThat(breaker.allowed(8)).isEqualTo(8);
    troubles(1);
    assertThat(breaker.allowed(8)).isZero();
  }

  @Test
  void calls_of_which_nobody_knows_whether_they_were_taken_are_troubles_too() {
    for (int i = 0; i < 5; i++) {
      breaker.hear(new Outcome.Uncertain("no answer in time"));
    }
    assertThat(breaker.allowed(8)).isZero();
    breaker.hear(new Outcome.Uncertain("503", Optional.of(Duration.ofSeconds(60))));
    assertThat(breaker.rest()).isEqualTo(Duration.ofSeconds(60));
  }

  @Test
  void after_many_it_rests_and_then_one_tries() {
    troubles(5);
    assertThat(breaker.allowed(8)).isZero();
    assertThat(breaker.rest()).isEqualTo(Duration.ofSeconds(5));
    now = now.plusSeconds(5);
    assertThat(breaker.allowed(8)).isEqualTo(1);
    breaker.hear(DOWN);
    assertThat(breaker.rest()).isEqualTo(Duration.ofSeconds(10));
    now = now.plusSeconds(10);
    breaker.good();
    assertThat(breaker.allowed(8)).isEqualTo(8);
    assertThat(breaker.open()).isFalse();
  }

  @Test
  void calls_that_fail_together_are_one_reason_to_rest() {
    troubles(16);
    assertThat(breaker.rest()).isEqualTo(Duration.ofSeconds(5));
    now = now.plusSeconds(4);
    troubles(3);
    assertThat(breaker.rest()).isEqualTo(Duration.ofSeconds(1));
    now = now.plusSeconds(1);
    assertThat(breaker.allowed(8)).isEqualTo(1);
    breaker.hear(DOWN);
    assertThat(breaker.rest()).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void it_says_since_when_work_is_kept_away_until_it_goes_well_again() {
    assertThat(breaker.standing().state()).isEqualTo(Breaker.Position.CLOSED);
    Instant began = now;
    troubles(5);
    assertThat(breaker.standing())
        .isEqualTo(new Breaker.Standing(Breaker.Position.OPEN, began, now.plusSeconds(5), 5));
    now = now.plusSeconds(5);
    assertThat(breaker.standing())
        .isEqualTo(new Breaker.Standing(Breaker.Position.TRYING, began, null, 5));
    breaker.hear(DOWN);
    assertThat(breaker.standing().since()).isEqualTo(began);
    breaker.good();
    assertThat(breaker.standing().since()).isNull();
    now = now.plusSeconds(60);
    breaker.hear(new Outcome.Throttled(Optional.of(Duration.ofSeconds(7))));
    assertThat(breaker.standing().since()).isEqualTo(now);
  }

  @Test
  void a_rest_is_never_longer_than_five_minutes() {
    for (int i = 0; i < 40; i++) {
      troubles(5);
      now = now.plus(breaker.rest());
    }
    troubles(1);
    assertThat(breaker.rest()).isEqualTo(Duration.ofMinutes(5));
    breaker.hear(new Outcome.Throttled(Optional.of(Duration.ofDays(9))));
    assertThat(breaker.rest()).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void who_asks_for_a_pause_gets_it_at_once() {
    breaker.hear(new Outcome.Throttled(Optional.of(Duration.ofSeconds(7))));
    assertThat(breaker.rest()).isEqualTo(Duration.ofSeconds(7));
    assertThat(breaker.open()).isTrue();
    now = now.plusSeconds(7);
    assertThat(breaker.allowed(3)).isEqualTo(3);
  }
}
