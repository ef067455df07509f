package dev.millrace.service.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.port.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is woken where polls wait. */
@Timeout(60)
class PollRoomTest {

  private static final long LONG = Duration.ofSeconds(30).toNanos();

  private final PollRoom room = new PollRoom();

  private static Signal work(Integer... workflows) {
    return new Signal(Set.of(workflows), Set.of(), Set.of(), false);
  }

  private PollRoom.WaitingPoll poll(Integer... workflows) {
    PollRoom.WaitingPoll poll = room.enter(UUID.randomUUID());
    poll.watch(List.of(workflows));
    return poll;
  }

  @Test
  void news_before_the_wait_is_not_missed() throws Exception {
    PollRoom.WaitingPoll poll = poll(1);
    room.tell(work(1));
    assertThat(poll.await(LONG)).isTrue();
    poll.watch(List.of(1));
    assertThat(poll.await(1)).isFalse();
  }

  @Test
  void work_in_other_queues_wakes_nobody() throws Exception {
    PollRoom.WaitingPoll poll = poll(1, 2);
    room.tell(work(3));
    assertThat(poll.await(1)).isFalse();
  }

  @Test
  void one_that_was_woken_and_leaves_passes_it_on() throws Exception {
    List<PollRoom.WaitingPoll> polls = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      polls.add(poll(1));
    }
    room.tell(work(1));
    assertThat(polls.getLast().await(1)).isFalse();
    polls.getFirst().close();
    assertThat(polls.getLast().await(LONG)).isTrue();
  }

  @Test
  void a_change_of_a_worker_wakes_its_own_polls_only() throws Exception {
    UUID worker = UUID.randomUUID();
    PollRoom.WaitingPoll own = room.enter(worker);
    PollRoom.WaitingPoll other = room.enter(UUID.randomUUID());
    room.tell(Signal.ofWorker(worker));
    assertThat(own.await(LONG)).isTrue();
    assertThat(own.takeChanged()).isTrue();
    assertThat(own.takeChanged()).isFalse();
    assertThat(other.await(1)).isFalse();
  }

  @Test
  void whoever_leaves_is_forgotten() {
    PollRoom.WaitingPoll poll = poll(1, 2);
    assertThat(room.waiting()).isEqualTo(1);
    poll.close();
    assertThat(room.waiting()).isZero();
    assertThat(room.watched()).isEmpty();
  }

  @Test
  void one_job_among_five_thousand_polls_makes_a_few_look_and_many_jobs_reach_all()
      throws Exception {
    int polls = 5_000;
    AtomicInteger looks = new AtomicInteger();
    AtomicInteger jobs = new AtomicInteger();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < polls; i++) {
        all.add(
            threads.submit(() -> {
              try (PollRoom.WaitingPoll poll = room.enter(UUID.randomUUID())) {
                poll.watch(List.of(1));
                while (poll.await(LONG)) {
                  looks.incrementAndGet();
                  poll.watch(List.of(1));
                  if (jobs.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    room.more(List.of(1));
                    return null;
                  }
                }
                return null;
              }
            }));
      }
      Awaitility.await().until(() -> room.waiting() == polls);

      jobs.set(1);
      room.tell(work(1));
      Awaitility.await().until(() -> room.waiting() == polls - 1);
      assertThat(looks.get()).isLessThan(30);

      jobs.set(polls - 1);
      room.tell(work(1));
      Awaitility.await().until(() -> room.waiting() == 0);
      for (Future<?> each : all) {
        each.get();
      }
    }
  }

  @Test
  void a_closed_dock_lets_nobody_wait() throws Exception {
    PollRoom.WaitingPoll poll = poll(1);
    room.close();
    assertThat(poll.await(LONG)).isFalse();
  }
}
