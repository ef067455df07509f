package dev.millrace.web.dialect.replicate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.web.http.Request;
import dev.millrace.web.http.RequestHead;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PredictionRequestTest {

  @ParameterizedTest
  @CsvSource({
    "wait, 60",
    "wait=5, 5",
    "wait=999999, 60",
    "wait=0, 0",
    "wait=-1, 0",
    "wait=x, 0",
    "respond-async, 0",
    "'respond-async; wait=7', 7",
    "'a, wait=7', 7",
    "wait=99999999999999, 0"
  })
  void nobody_waits_longer_than_a_minute(String preference, int seconds) {
    RequestHead head =
        new RequestHead("id", "POST", "/", "", Map.of("prefer", List.of(preference)), "127.0.0.1");

    assertThat(PredictionRequest.wait(new Request(head, Map.of(), new byte[0])))
        .isEqualTo(Duration.ofSeconds(seconds));
  }
}
