package dev.millrace.service.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class EndpointAnswerTest {

  private static final List<Row> ROWS =
      List.of(
          Row.good(1, 2, "k-1", JsonMapper.shared().createObjectNode()),
          Row.good(2, 3, "k-2", JsonMapper.shared().createObjectNode()),
          Row.good(3, 4, "k-3", JsonMapper.shared().createObjectNode()));

  private static Optional<Destination.Answer.Counted> read(String answer) {
    return EndpointAnswer.read(answer.getBytes(StandardCharsets.UTF_8), ROWS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "''!3!0!0",
        "{}!3!0!0",
        "{\"imported\":2,\"skipped\":1}!2!0!1",
        "{\"applied\":3,\"anything\":[]}!3!0!0",
        "{\"failed\":1}!2!1!0",
        "{\"errors\":[{\"key\":\"k-2\",\"message\":\"no\"},{\"key\":\"foreign\"}]}!2!1!0",
        "{\"imported\":1}!1!0!0"
      })
  void an_answer_counts_what_it_says_and_the_rest_was_taken(
      String answer, long taken, long failed, long skipped) {
    Counts counts = read(answer).orElseThrow().counts();
    assertThat(counts.of(Counts.TAKEN)).isEqualTo(taken);
    assertThat(counts.of(Counts.FAILED)).isEqualTo(failed);
    assertThat(counts.of(Counts.SKIPPED)).isEqualTo(skipped);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<html>",
        "[1]",
        "3",
        "{\"imported\":4}",
        "{\"imported\":2,\"failed\":2}",
        "{\"imported\":-1}",
        "{\"imported\":\"3\"}",
        "{\"imported\":1.5}",
        "{\"tags_created\":99999999999999999999}"
      })
  void an_answer_that_can_not_be_true_is_none(String answer) {
    assertThat(read(answer)).isEmpty();
  }

  @Test
  void an_error_is_that_of_its_row_and_what_is_left_is_the_newest_word() {
    var known =
        read("{\"imported\":2,\"failed\":1,\"remaining\":7,\"errors\":[{\"key\":\"k-3\",\"field\":\"name\",\"message\":\"taken\"}]}")
            .orElseThrow();
    assertThat(known.errors()).hasSize(1);
    assertThat(known.errors().getFirst().line()).isEqualTo(4);
    assertThat(known.errors().getFirst().field()).isEqualTo("name");
    Counts sum = Counts.NONE.plus(Counts.REMAINING, 9).plus(known.counts());
    assertThat(sum.of(Counts.REMAINING)).isEqualTo(7);
  }
}
