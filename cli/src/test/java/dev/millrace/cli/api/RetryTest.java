package dev.millrace.cli.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RetryTest {

  private final List<Duration> pauses = new ArrayList<>();
  private final Retry retry = new Retry(pauses::add);
  private int calls;

  private static RefusedException refused(int status, Duration retryAfter) {
    return new RefusedException(
        ApiProblem.of(status, new byte[] {'{', '}'}), Optional.of(retryAfter));
  }

  private static RefusedException refused(int status) {
    return new RefusedException(ApiProblem.of(status, new byte[] {'{', '}'}), Optional.empty());
  }

  @Test
  void what_succeeds_is_called_once() throws InterruptedException {
    assertThat(retry.<Integer>call(() -> ++calls)).isEqualTo(1);
    assertThat(pauses).isEmpty();
  }

  @Test
  void a_broken_connection_is_tried_again_until_it_works() throws InterruptedException {
    String answer =
        retry.call(() -> {
          if (++calls < 3) {
            throw new UnreachableException("gone");
          }
          return "there";
        });
    assertThat(answer).isEqualTo("there");
    assertThat(pauses).hasSize(2);
  }

  @Test
  void tries_are_bounded() {
    assertThatThrownBy(() ->
            retry.call(() -> {
              calls++;
              throw new UnreachableException("gone");
            }))
        .isInstanceOf(UnreachableException.class);
    assertThat(calls).isEqualTo(Retry.TRIES);
    assertThat(pauses).hasSize(Retry.TRIES - 1);
  }

  @Test
  void a_refusal_that_will_not_pass_is_not_repeated() {
    for (int status : new int[] {400, 401, 402, 404, 409, 422, 429, 500}) {
      calls = 0;
      assertThatThrownBy(() ->
              retry.call(() -> {
                calls++;
                throw refused(status);
              }))
          .isInstanceOf(RefusedException.class);
      assertThat(calls).as("calls after %s", status).isEqualTo(1);
    }
  }

  @Test
  void retry_after_is_honoured() throws InterruptedException {
    String answer =
        retry.call(() -> {
          if (++calls == 1) {
            throw refused(503, Duration.ofSeconds(7));
          }
          return "there";
        });
    assertThat(answer).isEqualTo("there");
    assertThat(pauses).containsExactly(Duration.ofSeconds(7));
  }

  @Test
  void nobody_waits_for_a_retry_after_of_an_hour() {
    assertThatThrownBy(() ->
            retry.call(() -> {
              throw refused(503, Duration.ofHours(1));
            }))
        .isInstanceOf(RefusedException.class);
    assertThat(pauses).isEmpty();
  }

  @Test
  void the_backoff_grows_and_has_a_cap() {
    for (int tried = 1; tried < 100; tried++) {
      assertThat(Retry.backoff(tried)).isBetween(Duration.ofMillis(150), Duration.ofSeconds(5));
    }
    assertThat(Retry.backoff(50)).isGreaterThan(Retry.backoff(1));
  }

  @Test
  void retry_after_may_be_seconds_or_a_date_and_nonsense_is_ignored() {
    Instant now = Instant.parse("2026-03-01T12:00:00Z");
    assertThat(RetryAfter.parse("3", now)).contains(Duration.ofSeconds(3));
    assertThat(RetryAfter.parse("Sun, 01 Mar 2026 12:00:10 GMT", now))
        .contains(Duration.ofSeconds(10));
    assertThat(RetryAfter.parse("Sun, 01 Mar 2026 11:00:00 GMT", now)).contains(Duration.ZERO);
    assertThat(RetryAfter.parse("soon", now)).isEmpty();
    assertThat(RetryAfter.parse("-1", now)).isEmpty();
    assertThat(RetryAfter.parse("99999999999999999999", now)).isEmpty();
  }
}
