package dev.millrace.service.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.port.Signal;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class HubTest {

  private static final Duration LONG = Duration.ofSeconds(30);

  private final Hub hub = new Hub();
  private final UUID job = UUID.randomUUID();
  private final Signal news = new Signal(Set.of(), Set.of(job), Set.of(), false);

  @Test
  void a_wake_up_that_comes_before_the_wait_is_kept_once() throws InterruptedException {
    try (Waiter waiter = hub.forJob(job)) {
      hub.tell(news);
      hub.tell(news);
      assertThat(waiter.await(LONG)).isTrue();
      assertThat(waiter.await(Duration.ZERO)).isFalse();
    }
  }

  @Test
  void only_those_who_wait_for_it_are_woken_unless_everything_happened()
      throws InterruptedException {
    try (Waiter other = hub.forJob(UUID.randomUUID());
        Waiter queues = hub.forQueues(List.of(1, 2))) {
      hub.tell(news);
      assertThat(other.await(Duration.ZERO)).isFalse();
      hub.tell(Signal.ofQueue(2));
      assertThat(queues.await(LONG)).isTrue();
      hub.tell(Signal.EVERYTHING);
      assertThat(other.await(LONG)).isTrue();
      assertThat(queues.await(LONG)).isTrue();
    }
  }

  @Test
  void a_waiter_that_joins_while_another_leaves_is_woken() throws InterruptedException {
    AtomicBoolean over = new AtomicBoolean();
    Thread comings =
        Thread.ofPlatform()
            .start(() -> {
              while (!over.get()) {
                hub.forJob(job).close();
              }
            });
    try {
      for (int round = 0; round < 20_000; round++) {
        try (Waiter waiter = hub.forJob(job)) {
          hub.tell(news);
          assertThat(waiter.await(Duration.ZERO)).as("round %d", round).isTrue();
        }
      }
    } finally {
      over.set(true);
      comings.join();
    }
  }
}
