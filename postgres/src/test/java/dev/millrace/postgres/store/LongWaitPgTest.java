package dev.millrace.postgres.store;

import static dev.millrace.postgres.EngineRig.fail;
import static dev.millrace.postgres.EngineRig.heartbeat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.Report.Fail.Kind;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.EngineRig;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * However long a transaction waited for a lock, what it grants counts from when it got the lock.
 * The waits are as short as a test can see; {@code -Dmillrace.long=true} waits 6 seconds, which is
 * less than anybody waits for a row in vain.
 */
class LongWaitPgTest {

  private final EngineRig rig = EngineRig.open();
  private final Meeting meeting = new Meeting(rig);

  @AfterEach
  void the_doctor_finds_nothing() {
    meeting.close();
  }

  @Test
  void a_heartbeat_that_waited_grants_a_full_lease() throws Exception {
    Leased leased = rig.running();
    Waited waited = wait("job", heartbeat(leased, 30), "0");
    assertThat(expiry(waited.job)).isAfterOrEqualTo(waited.until.plus(EngineRig.TIMINGS.lease()));
  }

  @Test
  @EnabledIfSystemProperty(named = "millrace.long", matches = "true")
  void a_heartbeat_that_waited_for_seconds_grants_a_full_lease() throws Exception {
    Leased leased = rig.running();
    Waited waited = wait("job", heartbeat(leased, 30), "6");
    assertThat(expiry(waited.job)).isAfterOrEqualTo(waited.until.plus(EngineRig.TIMINGS.lease()));
    Waited again = wait("job", heartbeat(leased, 31), "6");
    assertThat(again.job.state()).isEqualTo(State.RUNNING);
  }

  @Test
  void an_acceptance_that_waited_gives_the_provider_its_whole_time() throws Exception {
    Leased leased = rig.running();
    JobId id = leased.job().id();
    rig.report(new Report.Intend(id, leased.token(), "faraway"));
    Waited waited = wait("job", new Report.Accept(id, leased.token(), "their-1"), "0");
    Instant least = waited.until.plus(EngineRig.TIMINGS.callback());
    assertThat(expiry(waited.job)).isAfterOrEqualTo(least);
    assertThat(waited.job.times().deadlineAt()).isAfterOrEqualTo(least);
  }

  @Test
  void a_retry_in_place_that_waited_has_its_whole_queue_time() throws Exception {
    Job failed = rig.report(fail(rig.running(), Kind.PERMANENT));
    Report retry = new Report.RetryInPlace(failed.id(), "root", failed.terms().workflowId(), 1, 1);
    Waited waited = wait("wallet", retry, "0");
    assertThat(waited.job.times().deadlineAt())
        .isAfterOrEqualTo(waited.until.plusSeconds(failed.terms().queueSeconds()));
  }

  @Test
  void a_lease_waits_for_nobody_not_even_for_a_node_that_is_stuck_in_leasing() throws Exception {
    rig.running();
    String served = meeting.ask("select served from queue");
    rig.pay(rig.user("ada"), 10);
    rig.submit(rig.order());
    rig.submit(rig.order());
    try (var _ = rig.block("select 1 from queue for update")) {
      Instant before = rig.database().store().transact(tx -> tx.now());
      Leased leased = rig.lease();
      assertThat(expiry(leased.job())).isAfterOrEqualTo(before.plus(EngineRig.TIMINGS.lease()));
      assertThat(meeting.ask("select served from queue")).isEqualTo(served);
    }
    rig.lease();
    assertThat(meeting.ask("select served from queue"))
        .as("the next lease makes up for it")
        .isEqualTo(meeting.ask("select max(virtual_start) from dispatch"));
  }

  private record Waited(Job job, Instant until) {}

  private Waited wait(String table, Report report, String seconds) throws Exception {
    Future<Job> waiting;
    Instant until;
    try (var _ = rig.block("select 1 from " + table + " for update")) {
      waiting = meeting.start(() -> rig.report(report));
      rig.awaitLockWaits(1);
      meeting.ask("select pg_sleep(" + seconds + ")");
      until = rig.database().store().transact(tx -> tx.now());
    }
    return new Waited(waiting.get(), until);
  }

  private static Instant expiry(Job job) {
    return Objects.requireNonNull(job.lease()).expiresAt();
  }
}
