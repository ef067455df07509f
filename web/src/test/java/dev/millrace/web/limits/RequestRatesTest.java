package dev.millrace.web.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.postgres.tenants.TenantView;
import dev.millrace.service.access.Bounds;
import dev.millrace.service.access.Credential;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Role;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Response;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
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

    assertThat(rates.take(key(new UUID(0, 2))).granted()).isTrue();
  }

  @Test
  void the_headers_tell_what_is_left_and_when_there_is_more() {
    RequestRates rates = rates(60, 3, 0);

    assertThat(headers(rates.take(key(KEY))))
        .isEqualTo("\"default\";q=60;w=60 \"default\";r=2;t=1");
    assertThat(headers(rates.take(key(KEY))))
        .isEqualTo("\"default\";q=60;w=60 \"default\";r=1;t=2");
    assertThat(headers(rates.take(key(KEY))))
        .isEqualTo("\"default\";q=60;w=60 \"default\";r=0;t=1");
  }

  @Test
  void waiting_as_long_as_retry_after_says_is_enough() {
    RequestRates rates = rates(7, 1, 0);
    rates.take(key(KEY));
    pass(Duration.ofMillis(1));
    Allowance refused = rates.take(key(KEY));
    assertThat(refused.granted()).isFalse();

    Response answer = refused.refusal().response();
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.header("RateLimit")).contains("\"default\";r=0;t=9");
    pass(Duration.ofSeconds(Long.parseLong(answer.header("Retry-After").orElseThrow())));

    assertThat(rates.take(key(KEY)).granted()).isTrue();
  }

  @Test
  void without_a_limit_everything_is_granted_and_nothing_is_said() {
    RequestRates rates = new RequestRates(RequestRates.Limits.NONE);

    assertThat(granted(rates, 10_000)).isEqualTo(10_000);
    assertThat(rates.take(key(KEY)).on(Response.empty(204)).header("RateLimit")).isEmpty();
    for (int i = 0; i < 10_000; i++) {
      rates.countStranger("192.0.2.1");
    }
    assertThatCode(() -> rates.requirePatience("192.0.2.1")).doesNotThrowAnyException();
  }

  @Test
  void a_tenant_with_a_plan_of_its_own_is_counted_by_it() {
    RequestRates rates = rates(60, 1, 0);
    Principal slow = principal(KEY, 1, Role.USER, plan(6, null, 2));

    assertThat(headers(rates.take(slow))).isEqualTo("\"default\";q=6;w=60 \"default\";r=1;t=10");
    assertThat(rates.take(slow).granted()).isTrue();
    assertThat(rates.take(slow).granted()).isFalse();
    Principal free = principal(new UUID(0, 2), 2, Role.USER, plan(0, null, null));
    assertThat(headers(rates.take(free))).isEqualTo(" ");
  }

  @Test
  void all_keys_and_tokens_of_a_tenant_share_what_it_may_ask() {
    RequestRates rates = rates(600, 100, 0);
    TenantView.Limits plan = plan(null, 3, null);
    for (int i = 0; i < 3; i++) {
      assertThat(rates.take(principal(new UUID(0, i), 1, Role.USER, plan)).granted()).isTrue();
    }

    Allowance refused = rates.take(principal(new UUID(0, 9), 1, Role.ADMIN, plan));
    assertThat(refused.granted()).isFalse();
    Response answer = refused.refusal().response();
    assertThat(answer.header("RateLimit-Policy")).contains("\"tenant\";q=3;w=60");
    assertThat(answer.header("Retry-After")).contains("20");
    assertThat(rates.take(principal(new UUID(0, 9), 2, Role.USER, plan)).granted()).isTrue();
    pass(Duration.ofSeconds(20));
    assertThat(rates.take(principal(new UUID(0, 9), 1, Role.USER, plan)).granted()).isTrue();
  }

  @Test
  void what_the_tenant_is_refused_is_not_taken_from_the_key() {
    RequestRates rates = rates(60, 2, 0);
    Principal crowded = principal(KEY, 1, Role.USER, plan(null, 1, null));
    assertThat(rates.take(crowded).granted()).isTrue();
    assertThat(granted(rates, crowded, 5)).isZero();

    assertThat(rates.take(principal(KEY, 1, Role.USER, plan(null, 0, null))).granted()).isTrue();
  }

  @Test
  void the_headers_tell_of_the_limit_that_leaves_less() {
    RequestRates rates = rates(60, 5, 0);
    Principal key = principal(KEY, 1, Role.USER, plan(null, 4, null));

    assertThat(headers(rates.take(key))).isEqualTo("\"tenant\";q=4;w=60 \"tenant\";r=3;t=15");
    pass(Duration.ofHours(1));
    Principal careful = principal(KEY, 1, Role.USER, plan(60, 4, 2));
    assertThat(headers(rates.take(careful))).startsWith("\"default\";q=60");
  }

  @Test
  void who_runs_the_installation_is_not_held_up_by_a_tenants_plan() {
    RequestRates rates = rates(600, 100, 0);
    Principal operator = principal(KEY, 1, Role.OPERATOR, plan(1, 1, 1));

    assertThat(granted(rates, operator, 50)).isEqualTo(50);
    assertThat(rates.take(principal(new UUID(0, 2), 1, Role.USER, plan(null, 1, null))).granted())
        .isTrue();
  }

  @Test
  void a_changed_plan_takes_hold_at_once_and_fills_no_bucket() {
    RequestRates rates = rates(60, 2, 0);
    assertThat(granted(rates, 3)).isEqualTo(2);
    Principal faster = principal(KEY, 1, Role.USER, plan(6_000, null, 100));

    assertThat(rates.take(faster).granted()).isFalse();
    pass(Duration.ofSeconds(1));
    assertThat(granted(rates, faster, 200)).isEqualTo(100);
    pass(Duration.ofSeconds(1));
    assertThat(granted(rates, 5)).isEqualTo(2);
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
    return new RequestRates(new RequestRates.Limits(perMinute, burst, 0, strangers), clock);
  }

  private static Principal key(UUID id) {
    return principal(id, 1, Role.USER, TenantView.Limits.USUAL);
  }

  private static Principal principal(UUID id, int tenant, Role role, TenantView.Limits plan) {
    return new Principal(
        new TenantView(tenant, "acme", "", new TenantView.Standing(Instant.EPOCH, null), plan),
        new Credential(Credential.Kind.KEY, id, "mr_test"),
        role,
        Bounds.NONE);
  }

  /** As many requests of a key, of all of the tenant, and at once. */
  private static TenantView.Limits plan(
      @Nullable Integer perMinute, @Nullable Integer together, @Nullable Integer burst) {
    return new TenantView.Limits(null, null, null, null, null, perMinute, together, burst);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private static int granted(RequestRates rates, int requests) {
    return granted(rates, key(KEY), requests);
  }

  private static int granted(RequestRates rates, Principal principal, int requests) {
    int granted = 0;
    for (int i = 0; i < requests; i++) {
      granted += rates.take(principal).granted() ? 1 : 0;
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
