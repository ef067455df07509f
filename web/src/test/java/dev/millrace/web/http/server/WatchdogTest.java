package dev.millrace.web.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.web.http.Watchdog;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is watched, and for how long. */
@Timeout(30)
class WatchdogTest {

  private final ScheduledThreadPoolExecutor clock = Watchdog.clock();

  @AfterEach
  void stop() {
    clock.shutdownNow();
  }

  @Test
  void a_guard_that_is_closed_in_time_is_forgotten_and_bites_nobody() {
    Watchdog watchdog = Watchdog.of(clock, Duration.ofMinutes(5));
    try (var _ = watchdog.guard()) {
      assertThat(watchdog.watched()).isEqualTo(1);
    }
    assertThat(watchdog.watched()).isZero();
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void whoever_takes_too_long_is_interrupted_once() throws Exception {
    Watchdog watchdog = Watchdog.of(clock, Duration.ofMillis(1));
    CountDownLatch bitten = new CountDownLatch(1);
    Thread slow =
        Thread.ofVirtual()
            .start(() -> {
              try (var _ = watchdog.guard()) {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                bitten.countDown();
              }
            });
    assertThat(bitten.await(20, TimeUnit.SECONDS)).isTrue();
    slow.join();
    assertThat(watchdog.watched()).isZero();
  }

  @Test
  void a_guard_that_nobody_closes_is_forgotten_when_its_time_is_over() throws Exception {
    Watchdog watchdog = Watchdog.of(clock, Duration.ofMillis(1));
    Thread.ofVirtual().start(watchdog::guard).join();
    await().untilAsserted(() -> assertThat(watchdog.watched()).isZero());
  }
}
