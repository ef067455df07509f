package dev.millrace.service.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class SharedLookupsTest {

  private static final Duration LONG = Duration.ofHours(1);

  @Test
  void those_who_ask_at_once_share_one_look_and_its_failure() throws Exception {
    CountDownLatch away = new CountDownLatch(1);
    AtomicInteger begun = new AtomicInteger();
    SharedLookups<String> looks =
        new SharedLookups<>(
            LONG,
            10,
            _ -> {
              begun.incrementAndGet();
              uninterrupted(away);
              throw new IllegalStateException("nobody answers");
            });
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> asked = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        asked.add(threads.submit(() -> looks.get("key")));
      }
      await().until(() -> begun.get() > 0);
      assertThat(begun).hasValue(1);
      away.countDown();
      for (Future<String> each : asked) {
        assertThatThrownBy(each::get).hasRootCauseMessage("nobody answers");
      }
    }
  }

  @Test
  void trouble_is_told_to_those_who_asked_and_not_to_the_log() {
    List<LogRecord> records = new CopyOnWriteArrayList<>();
    Handler handler = recording(records);
    Logger log = Logger.getLogger("com.github.benmanes.caffeine");
    log.addHandler(handler);
    try {
      SharedLookups<String> looks =
          new SharedLookups<>(
              LONG,
              10,
              _ -> {
                throw new IllegalStateException("nobody answers");
              });
      for (int i = 0; i < 10; i++) {
        assertThatThrownBy(() -> looks.get("key")).hasMessage("nobody answers");
      }
    } finally {
      log.removeHandler(handler);
    }
    assertThat(records).isEmpty();
  }

  private static Handler recording(List<LogRecord> records) {
    return new Handler() {
      @Override
      public void publish(LogRecord record) {
        records.add(record);
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  private static void uninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void a_failure_is_not_remembered_and_what_was_found_is() {
    AtomicInteger begun = new AtomicInteger();
    SharedLookups<String> looks =
        new SharedLookups<>(
            LONG,
            10,
            key -> {
              if (begun.incrementAndGet() == 1) {
                throw new IllegalStateException("nobody answers");
              }
              return key + begun.get();
            });
    assertThatThrownBy(() -> looks.get("a")).isInstanceOf(IllegalStateException.class);
    assertThat(looks.get("a")).isEqualTo("a2");
    assertThat(looks.get("a")).isEqualTo("a2");
    looks.forget("a");
    assertThat(looks.get("a")).isEqualTo("a3");
    looks.put("a", "other");
    assertThat(looks.get("a")).isEqualTo("other");
  }
}
