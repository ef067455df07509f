package dev.millrace.worker.run;

import dev.millrace.worker.control.NotAllowed;
import dev.millrace.worker.control.Refused;
import dev.millrace.worker.control.StaleLease;
import dev.millrace.worker.control.TryLater;
import dev.millrace.worker.http.Backoff;
import dev.millrace.worker.log.WorkerLog;
import java.time.Duration;

/**
 * Says something to the server again and again until it is heard or the lease has ended, and then
 * once more: a heartbeat is stale too when the report was heard and only its answer was lost.
 */
final class ReportRetries {

  private final Lease lease;
  private final WorkerLog log;

  ReportRetries(Lease lease, WorkerLog log) {
    this.lease = lease;
    this.log = log;
  }

  /** One call. */
  @FunctionalInterface
  interface Call<T> {
    T run() throws StaleLease, NotAllowed, TryLater, Refused, InterruptedException;
  }

  /**
   * Calls.
   *
   * @throws TryLater if the lease ended before an answer came
   */
  <T> T call(String name, Call<T> call)
      throws StaleLease, NotAllowed, Refused, TryLater, InterruptedException {
    Backoff backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5));
    while (true) {
      boolean last = !lease.alive();
      try {
        return call.run();
      } catch (TryLater e) {
        if (last) {
          throw e;
        }
        log.warn("report.failed", "call", name, "reason", e);
        Thread.sleep(backoff.next(e.atLeast()));
      }
    }
  }
}
