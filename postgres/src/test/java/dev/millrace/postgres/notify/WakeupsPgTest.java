package dev.millrace.postgres.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.Engine;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.port.Signal;
import dev.millrace.engine.port.Store;
import dev.millrace.postgres.EngineRig;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A commit on one node wakes whoever waits on another. */
class WakeupsPgTest {

  private static final String LISTENERS =
      """
      select count(*)
      from pg_stat_activity
      where datname = current_database()
        and (query = 'listen millrace' or query like '%pg_walfile_name%')
        and pid <> pg_backend_pid()
      """;

  private final EngineRig rig = EngineRig.open();
  private final Engine other = rig.node();
  private final BlockingQueue<Signal> heard = new LinkedBlockingQueue<>();
  private final Wakeups wakeups = rig.database().wakeups();

  @BeforeEach
  void fill_the_wallet() {
    rig.pay(rig.user("ada"), 100);
  }

  @AfterEach
  void the_doctor_finds_nothing() {
    rig.close();
  }

  @Test
  void a_commit_on_another_node_names_the_queue_and_the_job() throws Exception {
    try (var _ = wakeups.listen(heard::add)) {
      assertThat(next()).isEqualTo(Signal.EVERYTHING);
      Job job = EngineRig.accepted(other.submit(rig.order().build()));
      assertThat(next()).isEqualTo(signal(Set.of(rig.workflow("sketch")), job));
      other.lease(rig.asking("w", 1));
      assertThat(next()).isEqualTo(signal(Set.of(), job));
    }
  }

  @Test
  void what_the_own_node_committed_is_not_told_again() throws Exception {
    try (var _ = wakeups.listen(heard::add)) {
      assertThat(next()).isEqualTo(Signal.EVERYTHING);
      EngineRig.accepted(rig.engine().submit(rig.order().build()));
      Job job = EngineRig.accepted(other.submit(rig.order().build()));
      assertThat(next().jobs()).containsExactly(job.id().uuid());
    }
  }

  @Test
  void what_rolled_back_wakes_nobody() throws Exception {
    try (var _ = wakeups.listen(heard::add)) {
      assertThat(next()).isEqualTo(Signal.EVERYTHING);
      try {
        other.submit(rig.order().input("no json").build());
      } catch (Store.RolledBack e) {
        assertThat(e).hasMessageContaining("22P02");
      }
      Job job = EngineRig.accepted(other.submit(rig.order().build()));
      assertThat(next().jobs()).containsExactly(job.id().uuid());
    }
  }

  @Test
  void a_listener_whose_connection_is_killed_comes_back_and_wakes_everybody() throws Exception {
    try (var _ = wakeups.listen(heard::add)) {
      assertThat(next()).isEqualTo(Signal.EVERYTHING);
      rig.place().execute(LISTENERS.replace("count(*)", "count(pg_terminate_backend(pid, 5000))"));
      assertThat(next()).isEqualTo(Signal.EVERYTHING);
      Job job = EngineRig.accepted(other.submit(rig.order().build()));
      assertThat(next().jobs()).containsExactly(job.id().uuid());
    }
  }

  @Test
  void a_listener_that_throws_is_called_again() throws Exception {
    try (var _ =
        wakeups.listen(signal -> {
          heard.add(signal);
          throw new IllegalStateException("trouble of the listener's own");
        })) {
      assertThat(next()).isEqualTo(Signal.EVERYTHING);
      Job job = EngineRig.accepted(other.submit(rig.order().build()));
      assertThat(next().jobs()).containsExactly(job.id().uuid());
    }
  }

  @Test
  void a_closed_listener_gives_its_connection_back() throws Exception {
    var listening = wakeups.listen(heard::add);
    assertThat(next()).isEqualTo(Signal.EVERYTHING);
    // One that is just being opened looks the same for a moment.
    Awaitility.await().until(() -> "1".equals(rig.place().ask(LISTENERS)));
    listening.close();
    Awaitility.await().until(() -> "0".equals(rig.place().ask(LISTENERS)));
  }

  private Signal next() throws InterruptedException {
    Signal signal = heard.poll(1, TimeUnit.MINUTES);
    assertThat(signal).isNotNull();
    return signal;
  }

  private static Signal signal(Set<Integer> workflows, Job job) {
    return new Signal(workflows, Set.of(job.id().uuid()), Set.of(), false);
  }
}
