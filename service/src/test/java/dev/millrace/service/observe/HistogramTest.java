package dev.millrace.service.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HistogramTest {

  private static List<Double> of(DoubleStream seconds) {
    return Histogram.with(List.of(), seconds.boxed().toList());
  }

  @Test
  void nothing_observed_has_no_quantile() {
    assertThat(Histogram.quantile(List.of(), 0.5)).isEmpty();
  }

  @Test
  void quantiles_are_right_to_within_a_tenth() {
    List<Double> counts = of(IntStream.rangeClosed(1, 100).mapToDouble(i -> (i * 37) % 101));
    assertThat(Histogram.quantile(counts, 0.5).orElseThrow()).isCloseTo(50, within(8.0));
    assertThat(Histogram.quantile(counts, 0.9).orElseThrow()).isCloseTo(90, within(10.0));
  }

  @Test
  void what_was_long_ago_fades() {
    List<Double> counts = of(IntStream.range(0, 1_000).mapToDouble(_ -> 600));
    List<Double> later =
        Histogram.with(counts, IntStream.range(0, 300).mapToObj(_ -> 2.0).toList());
    assertThat(Histogram.quantile(later, 0.9).orElseThrow()).isCloseTo(2, within(0.2));
  }

  @Test
  void no_time_is_too_short_or_too_long() {
    List<Double> counts = of(DoubleStream.of(0, 1e12));
    assertThat(Histogram.quantile(counts, 0.1).orElseThrow()).isLessThan(0.1);
    assertThat(Histogram.quantile(counts, 1).orElseThrow()).isGreaterThan(1e6);
  }
}
