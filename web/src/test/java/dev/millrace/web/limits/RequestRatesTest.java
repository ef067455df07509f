package dev.millrace.web.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Response;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RequestRatesTest {

  private static final UUID KEY = new UUID(0, 1);

  private final AtomicLong nanos = new AtomicLong();
  private final TimeMeter clock =
      new TimeMeter() {
        @Override
        public long currentTimeNanos() {
          return nanos.get();
        }

        @Override
        public boolean isWallClockBased() {
          return false;
        }
      };

  @Test
  void a_quiet_key_may_ask_a_burst_at_once_and_then_as_often_as_the_rate_says() {
    RequestRates rates = rates(120, 3, 0);

    assertThat(granted(rates, 5)).isEqualTo(3);
    pass(Duration.ofMillis(500));
    assertThat(granted(rates, 5)).isEqualTo(1);
    pass(Duration.ofHours(1));
    assertThat(granted(rates, 5)).isEqualTo(3);
  }

  @Test
  void every_key_has_a_bucket_of_its_own() {
    RequestRates rates = rates(60, 1, 0);
    assertThat(granted(rates, 2)).isEqualTo(1);

    assertThat(rates.take(new UUID(0, 2)).granted()).isTrue();
  }

  @Test
  void the_headers_tell_what_is_left_and_when_there_is_more() {
    RequestRates rates = rates(60, 3, 0);

    assertThat(headers(rates.take(KEY))).isEqualTo("\"default\";q=60;w=60 \"default\";r=2;t=1");
    assertThat(headers(rates.take(KEY))).isEqualTo("\"default\";q=60;w=60 \"default\";r=1;t=2");
    assertThat(headers(rates.take(KEY))).isEqualTo("\"default\";q=60;w=60 \"default\";r=0;t=1");
  }

  @Test
  void waiting_as_long_as_retry_after_says_is_enough() {
    RequestRates rates = rates(7, 1, 0);
    rates.take(KEY);
    pass(Duration.ofMillis(1));
    Allowance refused = rates.take(KEY);
    assertThat(refused.granted()).isFalse();

    Response answer = refused.refusal().response();
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.header("RateLimit")).contains("\"default\";r=0;t=9");
    pass(Duration.ofSeconds(Long.parseLong(answer.header("Retry-After").orElseThrow())));

    assertThat(rates.take(KEY).granted()).isTrue();
  }

  @Test
  void without_a_limit_everything_is_granted_and_nothing_is_said() {
    RequestRates rates = new RequestRates(RequestRates.Limits.NONE);

    assertThat(granted(rates, 10_000)).isEqualTo(10_000);
    assertThat(rates.take(KEY).on(Response.empty(204)).header("RateLimit")).isEmpty();
    for (int i = 0; i < 10_000; i++) {
      rates.countStranger("192.0.2.1");
    }
    assertThatCode(() -> rates.requirePatience("192.0.2.1")).doesNotThrowAnyException();
  }

  @Test
  void strangers_that_come_all_at_once_wait_for_all_of_them() {
    RequestRates rates = rates(0, 1, 60);
    for (int i = 0; i < 90; i++) {
      rates.countStranger("192.0.2.1");
    }

    assertThatThrownBy(() -> rates.requirePatience("192.0.2.1"))
        .isInstanceOfSatisfying(
            ProblemException.class,
            e -> assertThat(e.response().header("Retry-After")).contains("31"));
    assertThatCode(() -> rates.requirePatience("192.0.2.2")).doesNotThrowAnyException();
    pass(Duration.ofSeconds(31));
    assertThatCode(() -> rates.requirePatience("192.0.2.1")).doesNotThrowAnyException();
  }

  @Test
  void an_ipv6_network_counts_as_one_client_and_a_mapped_address_as_its_ipv4() {
    assertThat(Network.of("2001:db8::1")).isEqualTo(Network.of("2001:db8:0:0:ffff::7"));
    assertThat(Network.of("2001:db8::1")).isNotEqualTo(Network.of("2001:db8:0:1::1"));
    assertThat(Network.of("::ffff:192.0.2.1")).isEqualTo(Network.of("192.0.2.1"));
    assertThat(Network.of("192.0.2.1")).isNotEqualTo(Network.of("192.0.2.2"));
    assertThat(Network.of("a name")).isEqualTo(Network.of("a name"));
  }

  private RequestRates rates(int perMinute, int burst, int strangers) {
    return new RequestRates(new RequestRates.Limits(perMinute, burst, strangers), clock);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private static int granted(RequestRates rates, int requests) {
    int granted = 0;
    for (int i = 0; i < requests; i++) {
      granted += rates.take(KEY).granted() ? 1 : 0;
    }
    return granted;
  }

  private static String headers(Allowance allowance) {
    Response response = allowance.on(Response.empty(204));
    return response.header("RateLimit-Policy").orElse("")
        + " "
        + response.header("RateLimit").orElse("");
  }
}
