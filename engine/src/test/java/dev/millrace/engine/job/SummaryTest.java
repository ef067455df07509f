package dev.millrace.engine.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SummaryTest {

  @Test
  void a_patch_adds_replaces_and_removes_key_by_key() {
    Summary before = summary(Map.of("model", "\"x\"", "seed", "1", "gone", "true"));
    Summary patch = summary(Map.of("seed", "2", "gone", "null", "size", "[1,2]"));
    assertThat(before.merge(patch))
        .isEqualTo(summary(Map.of("model", "\"x\"", "seed", "2", "size", "[1,2]")));
  }

  @Test
  void removing_what_is_not_there_changes_nothing() {
    Summary before = summary(Map.of("a", "1"));
    assertThat(before.merge(summary(Map.of("b", "null")))).isEqualTo(before);
    assertThat(Summary.EMPTY.merge(summary(Map.of("b", "null")))).isEqualTo(Summary.EMPTY);
  }

  @Test
  void an_empty_patch_changes_nothing() {
    Summary before = summary(Map.of("a", "1"));
    assertThat(before.merge(Summary.EMPTY)).isEqualTo(before);
  }

  @Test
  void the_word_null_in_quotes_is_a_value() {
    assertThat(Summary.EMPTY.merge(summary(Map.of("a", "\"null\""))).values())
        .containsEntry("a", "\"null\"");
  }

  @Test
  void a_summary_does_not_change_after_it_was_made() {
    SortedMap<String, String> values = new TreeMap<>(Map.of("a", "1"));
    Summary summary = new Summary(values);
    values.put("a", "2");
    assertThat(summary.values()).containsEntry("a", "1");
    assertThatThrownBy(() -> summary.values().put("a", "3"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void what_is_reported_in_many_pieces_does_not_grow_without_end() {
    Summary summary = Summary.EMPTY;
    for (int i = 0; i < 100; i++) {
      summary = summary.mergeReported(summary(Map.of("k" + i, "\"" + "x".repeat(10_000) + "\"")));
    }
    assertThat(summary.values()).containsOnlyKeys("k0", "k1", "k2");
    for (int i = 0; i < 2_000; i++) {
      summary = summary.mergeReported(summary(Map.of("n" + i, "1")));
    }
    assertThat(summary.values()).hasSize(Summary.MOST_KEYS).containsKey("n0");
  }

  @Test
  void a_report_is_taken_as_a_whole_or_not_at_all() {
    Summary before = summary(Map.of("a", "1"));
    Summary patch =
        summary(Map.of("a", "2", "b", "\"" + "x".repeat(Summary.MOST_CHARACTERS) + "\""));
    assertThat(before.mergeReported(patch)).isEqualTo(before);
    assertThat(before.has(patch)).isFalse();
  }

  @Test
  void a_full_summary_can_be_made_smaller() {
    Summary full = summary(Map.of("a", "1".repeat(2 * Summary.MOST_CHARACTERS), "b", "2"));
    Summary patch = summary(Map.of("b", "null"));
    assertThat(full.mergeReported(patch).values()).containsOnlyKeys("a");
    assertThat(full.mergeReported(patch).has(patch)).isTrue();
  }

  @Test
  void a_summary_may_be_exactly_full_and_not_one_character_more() {
    Summary one = summary(Map.of("a", "1"));
    Summary patch = summary(Map.of("b", "2".repeat(Summary.MOST_CHARACTERS - 3)));
    assertThat(one.mergeReported(patch).has(patch)).isTrue();
    Summary more = summary(Map.of("b", "2".repeat(Summary.MOST_CHARACTERS - 2)));
    assertThat(one.mergeReported(more)).isEqualTo(one);
  }

  @Test
  void one_that_is_too_large_may_change_as_long_as_it_does_not_grow() {
    String long1 = "1".repeat(2 * Summary.MOST_CHARACTERS);
    Summary full = summary(Map.of("a", long1, "b", "2"));
    assertThat(full.mergeReported(summary(Map.of("b", "3"))).values()).containsEntry("b", "3");
    assertThat(full.mergeReported(summary(Map.of("b", "33")))).isEqualTo(full);
    assertThat(
            full.mergeReported(summary(Map.of("a", "1".repeat(Summary.MOST_CHARACTERS), "c", ""))))
        .as("smaller, in more pieces")
        .isEqualTo(full);
  }

  @Test
  void the_last_event_that_repeats_a_summary_is_the_one_that_fills_its_share() {
    Summary summary = summary(Map.of("k", "x".repeat(9_999)));
    assertThat(summary.repeatedBy(100)).isTrue();
    assertThat(summary.repeatedBy(101)).isFalse();
  }

  private static Summary summary(Map<String, String> values) {
    return new Summary(new TreeMap<>(values));
  }
}
