package dev.millrace.spi.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a service claims, the records keep it within bounds. */
class ClaimsTest {

  @ParameterizedTest
  @CsvSource({"-5, 1", "0, 1", "1, 1", "60, 60", "300, 300", "301, 300", "999999999, 300"})
  void a_pause_is_neither_a_hurry_nor_a_farewell(long wanted, long seconds) {
    Duration pause = Duration.ofSeconds(wanted);
    Duration bounded = Duration.ofSeconds(seconds);

    assertThat(new Standing.Going(OptionalInt.empty(), "a", "b", pause).askAfter())
        .isEqualTo(bounded);
    assertThat(new Standing.NoAnswer("a", pause).askAfter()).isEqualTo(bounded);
    assertThat(new Finding.Unknown("a", pause).askAfter()).isEqualTo(bounded);
    assertThat(new Submission.Accepted("a", pause).askAfter()).isEqualTo(bounded);
  }

  @ParameterizedTest
  @CsvSource({"-1, 0", "40, 40", "101, 100"})
  void progress_is_a_percentage(int claimed, int percent) {
    assertThat(
            new Standing.Going(OptionalInt.of(claimed), "a", "b", Duration.ofSeconds(1)).percent())
        .hasValue(percent);
  }

  @Test
  void figures_that_can_not_be_are_left_out() {
    Map<String, Double> claimed = new HashMap<>();
    claimed.put("predict_time", 2.4);
    claimed.put("cost", -1.0);
    claimed.put("endless", Double.POSITIVE_INFINITY);
    claimed.put("nothing", Double.NaN);
    claimed.put("Not A Name", 1.0);

    Usage usage = Usage.of(claimed, "predict_time");

    assertThat(usage.metrics()).isEqualTo(Map.of("predict_time", 2.4));
    assertThat(usage.computing()).contains(Duration.ofMillis(2_400));
    assertThat(Usage.of(Map.of("t", -1.0), "t").computing()).isEmpty();
    assertThat(Usage.of(Map.of("t", 1e300), "t").computing()).isEmpty();
    assertThat(Usage.of(Map.of("t", Double.NaN), "t").computing()).isEmpty();
  }

  @Test
  void there_are_never_more_figures_than_a_receipt_can_hold() {
    Map<String, Double> claimed = new HashMap<>();
    for (int i = 0; i < 1_000; i++) {
      claimed.put("figure_" + i, 1.0);
    }

    assertThat(Usage.of(claimed, "none").metrics()).hasSize(32);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a\nb", "a\0b"})
  void a_reference_is_one_line_of_text(String reference) {
    assertThatThrownBy(() -> new Finding.Found(reference))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Finding.Found("x".repeat(513)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void what_is_over_is_not_uncertain_and_what_was_declined_did_not_succeed() {
    Outcome uncertain = new Outcome.Uncertain("?");

    assertThatThrownBy(() -> new Standing.Ended(uncertain, Usage.none()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Submission.Finished("a", uncertain, Usage.none()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Submission.Declined(new Outcome.Canceled()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Order order(String intent, String callback) {
    return new Order(
        intent,
        "job_1",
        1,
        Map.of(),
        Map.of("prompt", "a secret plan"),
        Optional.of(URI.create(callback)),
        Instant.EPOCH,
        Optional.empty());
  }

  @Test
  void a_callbacks_address_ends_with_the_intent() {
    assertThat(order("int_0001", "https://a.example/hooks/int_0001").callback()).isPresent();
    assertThat(order("int_0001", "https://a.example/hooks?intent=int_0001").callback()).isPresent();
    for (String astray :
        List.of("https://a.example/", "https://a.example/xint_0001", "https://a/int_0001/x")) {
      assertThatThrownBy(() -> order("int_0001", astray))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> order("a/../b..", "https://a.example/a/../b.."))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void not_listed_means_absent_only_when_the_latest_submit_has_settled() {
    Duration settling = Duration.ofMinutes(1);
    Order once = order("int_0001", "https://a.example/int_0001");
    Order again = once.lastSubmittedAt(Instant.EPOCH.plusSeconds(100));

    assertThat(Finding.notListed(once, settling, Instant.EPOCH.plusSeconds(59)))
        .isEqualTo(new Finding.Unknown("It is too early to say.", Duration.ofSeconds(1)));
    assertThat(Finding.notListed(once, settling, Instant.EPOCH.plusSeconds(60)))
        .isEqualTo(new Finding.Absent());
    assertThat(Finding.notListed(again, settling, Instant.EPOCH.plusSeconds(159)))
        .isInstanceOf(Finding.Unknown.class);
    assertThat(Finding.notListed(again, settling, Instant.EPOCH.plusSeconds(160)))
        .isEqualTo(new Finding.Absent());
    assertThat(again.intendedAt()).isEqualTo(once.intendedAt());
  }

  @Test
  void an_orders_text_tells_nothing_of_the_customers() {
    assertThat(order("int_0001", "https://a.example/int_0001").toString())
        .doesNotContain("secret plan");
  }

  @Test
  void content_that_lies_elsewhere_can_not_be_written_or_told() {
    Elsewhere there =
        new Elsewhere(URI.create("https://f.example/key-in-the-path"), Map.of("A", "token"));

    assertThatThrownBy(() -> there.writeTo(new ByteArrayOutputStream()))
        .isInstanceOf(IOException.class);
    assertThat(there.toString()).doesNotContain("key-in-the-path", "token");
    assertThatThrownBy(() -> new Elsewhere(URI.create("file:///etc/passwd"), Map.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
