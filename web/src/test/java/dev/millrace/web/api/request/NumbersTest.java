package dev.millrace.web.api.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class NumbersTest {

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  @Test
  void what_is_whole_but_longer_than_a_long_is_written_out() {
    JsonNode input = JSON.readTree("{\"a\":1e19,\"b\":[-2.50e20]}");

    Numbers.settle(input);
    assertThat(input.toString())
        .isEqualTo("{\"a\":10000000000000000000,\"b\":[-250000000000000000000]}");
  }

  @Test
  void everything_else_stays_as_it_was_sent() {
    String text =
        "{\"a\":1.50,\"b\":2.0,\"c\":9223372036854775808,\"d\":-7,\"e\":\"1e999\",\"f\":[null,true]}";
    JsonNode input = JSON.readTree(text);

    Numbers.settle(input);
    assertThat(input.toString()).isEqualTo(text);
  }
}
