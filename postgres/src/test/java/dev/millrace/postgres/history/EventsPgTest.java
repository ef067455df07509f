package dev.millrace.postgres.history;

import static dev.millrace.postgres.EngineRig.heartbeat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.EngineRig;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What streams read when they are woken. */
class EventsPgTest {

  private final EngineRig rig = EngineRig.open();
  private final Events events = rig.database().events();

  @BeforeEach
  void fill_the_wallet() {
    rig.pay(rig.user("ada"), 1000);
  }

  @AfterEach
  void the_doctor_finds_nothing() {
    rig.close();
  }

  private static List<Integer> upTo(int first, int last) {
    return IntStream.rangeClosed(first, last).boxed().toList();
  }

  private List<Integer> next(JobId job, int after) {
    return events.next(job, after).stream().map(EventView::seq).toList();
  }

  @Test
  void of_many_who_ask_at_once_each_gets_what_follows_its_own_cursor() throws Exception {
    // The first is submitted and leased, so its reports are events from the third on.
    Leased first = rig.running();
    Leased second = rig.running();
    for (int i = 1; i <= 5; i++) {
      rig.report(heartbeat(first, i));
    }
    JobId stranger = new JobId(rig.zenith(), first.job().id().uuid());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        int after = i % 8;
        all.add(
            threads.submit(() -> {
              assertThat(next(first.job().id(), after)).isEqualTo(upTo(after + 1, 7));
              assertThat(next(second.job().id(), after)).isEqualTo(upTo(after + 1, 2));
              assertThat(next(stranger, after)).isEmpty();
            }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    assertThat(events.next(first.job().id(), 2))
        .isEqualTo(events.after(rig.acme(), first.job().id().uuid(), 2, 100));
  }

  @Test
  void a_long_history_comes_in_pages() throws Exception {
    Leased leased = rig.running();
    for (int i = 1; i <= Events.MOST_NEXT; i++) {
      rig.report(heartbeat(leased, i % 100));
    }
    JobId id = leased.job().id();
    assertThat(next(id, 0)).isEqualTo(upTo(1, Events.MOST_NEXT));
    assertThat(next(id, Events.MOST_NEXT))
        .isEqualTo(upTo(Events.MOST_NEXT + 1, Events.MOST_NEXT + 2));
  }
}
