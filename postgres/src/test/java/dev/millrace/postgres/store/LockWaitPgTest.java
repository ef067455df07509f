package dev.millrace.postgres.store;

import static dev.millrace.postgres.EngineRig.complete;
import static dev.millrace.postgres.EngineRig.heartbeat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.CommandBatch;
import dev.millrace.engine.command.LeaseBatch;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.ReportBatch;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.Lease;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.EngineRig;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A transaction that waited decides on what is true after the wait, not on what was before. */
class LockWaitPgTest {

  private final EngineRig rig = EngineRig.open();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void the_doctor_finds_nothing() {
    threads.close();
    rig.close();
  }

  @Test
  void a_lease_counts_from_after_the_wait() throws Exception {
    Leased leased = rig.running();
    Future<Job> waiting;
    Instant late;
    try (var _ = rig.block("select 1 from job for update")) {
      waiting = threads.submit(() -> rig.report(heartbeat(leased, 30)));
      rig.awaitLockWaits(1);
      late = rig.database().store().transact(tx -> tx.now());
    }
    Lease lease = Objects.requireNonNull(waiting.get().lease());
    assertThat(lease.expiresAt()).isAfterOrEqualTo(late.plus(EngineRig.TIMINGS.lease()));
  }

  @Test
  void a_cancel_that_waited_for_a_lease_sees_the_lease() throws Exception {
    rig.pay(rig.user("ada"), 5);
    Job job = rig.submit(rig.order());
    Leased leased =
        holding(
                new LeaseBatch(EngineRig.TIMINGS, UUID::randomUUID),
                rig.asking("w", 1),
                () -> rig.report(new Report.Cancel(job.id())))
            .getFirst();
    assertThat(rig.state(job.id())).isEqualTo(State.CANCELING);
    assertThat(rig.report(heartbeat(leased, 10)).state()).isEqualTo(State.CANCELING);
    rig.report(new Report.AcknowledgeCancel(job.id(), leased.token()));
  }

  @Test
  void a_heartbeat_that_waited_for_the_result_is_stale() throws Exception {
    Leased leased = rig.running();
    holding(
        new ReportBatch(EngineRig.TIMINGS),
        complete(leased, 5),
        () ->
            assertThat(rig.engine().report(heartbeat(leased, 99)))
                .isInstanceOf(Report.Result.StaleLease.class));
    assertThat(rig.state(leased.job().id())).isEqualTo(State.COMPLETED);
  }

  @Test
  void a_reaper_that_waited_for_a_heartbeat_leaves_the_lease_alone() throws Exception {
    Leased leased = rig.running();
    rig.place()
        .execute("update job set lease_expires_at = clock_timestamp() + interval '8 seconds'");
    holding(
        new ReportBatch(EngineRig.TIMINGS),
        heartbeat(leased, 50),
        () -> {
          // The heartbeat came in time; its lease runs out before it is written.
          Awaitility.await().until(() -> !rig.database().overdueJobs().find(10).isEmpty());
          return rig.report(new Report.LoseLease(leased.job().id(), leased.token(), false));
        });
    Job alive = rig.report(heartbeat(leased, 51));
    assertThat(Objects.requireNonNull(alive.lease()).token()).isEqualTo(leased.token());
    assertThat(alive.tries().interruptions()).isZero();
  }

  @Test
  void a_result_that_waited_for_a_lost_lease_is_stale() throws Exception {
    Leased leased = rig.running();
    holding(
        new ReportBatch(EngineRig.TIMINGS),
        new Report.LoseLease(leased.job().id(), leased.token(), true),
        () ->
            assertThat(rig.engine().report(complete(leased, 5)))
                .isInstanceOf(Report.Result.StaleLease.class));
    assertThat(rig.state(leased.job().id())).isEqualTo(State.QUEUED);
    assertThat(rig.balance(rig.user("ada"))).isZero();
  }

  /** Decides the first command, and writes it only when the second one waits for its locks. */
  private <C, R> R holding(CommandBatch<C, R> batch, C first, Callable<?> second) throws Exception {
    Future<?>[] waiting = new Future<?>[1];
    // On a connection without limits: a transaction of a node's own must not be idle for so long.
    R result =
        new PgStore(rig.place().dataSource())
            .transact(tx -> {
              CommandBatch.Decided<R> decided = batch.decide(tx, List.of(first));
              waiting[0] = threads.submit(second);
              rig.awaitLockWaits(1);
              tx.write(decided.changes());
              return decided.results().getFirst();
            });
    waiting[0].get();
    return result;
  }
}
