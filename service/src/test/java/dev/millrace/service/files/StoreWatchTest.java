package dev.millrace.service.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.service.files.StoreWatch.Standing;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.s3.S3ObjectStore;
import dev.millrace.storage.s3.S3Rig;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StoreWatchTest {

  private static final Duration LONG = Duration.ofMinutes(2);

  @Test
  void whoever_asks_is_told_of_now_and_not_of_the_last_look() throws Exception {
    S3Rig rig = S3Rig.start();
    try (S3ObjectStore store = rig.store()) {
      StoreWatch watch = new StoreWatch(store, LONG);
      assertThat(watch.now()).isEqualTo(Standing.GOOD);
      rig.close();
      await().until(() -> watch.now() == Standing.AWAY);
    }
  }

  @Test
  void a_clock_that_differs_from_the_stores_is_noticed_in_both_directions() throws Exception {
    try (S3Rig rig = S3Rig.start()) {
      for (Duration off : List.of(Duration.ofMinutes(5), Duration.ofMinutes(-5))) {
        try (S3ObjectStore store = rig.store(() -> Instant.now().plus(off))) {
          assertThat(new StoreWatch(store, LONG).now()).isEqualTo(Standing.OTHER_TIME);
          assertThat(store.clockSkew().plus(off).abs()).isLessThan(Duration.ofMinutes(1));
        }
      }
      try (S3ObjectStore store = rig.store()) {
        assertThat(new StoreWatch(store, LONG).now()).isEqualTo(Standing.GOOD);
      }
    }
  }

  @Test
  void a_store_that_does_not_answer_keeps_nobody_waiting() {
    CountDownLatch never = new CountDownLatch(1);
    try (ObjectStore silent = store(never, new AtomicInteger())) {
      assertThat(new StoreWatch(silent, Duration.ofMillis(1)).now()).isEqualTo(Standing.AWAY);
    } finally {
      never.countDown();
    }
  }

  @Test
  void many_who_ask_at_once_are_one_look() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    AtomicInteger looks = new AtomicInteger();
    try (ObjectStore store = store(answer, looks);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      StoreWatch watch = new StoreWatch(store, LONG);
      List<Future<Standing>> asked = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        asked.add(threads.submit(watch::now));
      }
      await().until(() -> looks.get() > 0);
      assertThat(looks).hasValue(1);
      answer.countDown();
      for (Future<Standing> each : asked) {
        assertThat(each.get()).isEqualTo(Standing.GOOD);
      }
    }
  }

  /** Answers once it is let; nothing else is asked of it. */
  private static ObjectStore store(CountDownLatch answer, AtomicInteger looks) {
    return (ObjectStore)
        Proxy.newProxyInstance(
            StoreWatchTest.class.getClassLoader(),
            new Class<?>[] {ObjectStore.class},
            (_, method, _) ->
                switch (method.getName()) {
                  case "check" -> {
                    looks.incrementAndGet();
                    answer.await();
                    yield null;
                  }
                  case "clockSkew" -> Duration.ZERO;
                  case "inWords" -> "a store";
                  case "close" -> null;
                  default -> throw new IllegalStateException(method.getName());
                });
  }
}
