package dev.millrace.service.duties;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the engine what a duty found. What can't be told now is found again the next time. */
record Reports(Engine engine) {

  private static final Logger LOG = LoggerFactory.getLogger(Reports.class);

  /** A store that is frozen must not keep a duty for ever, nor a server that has to end. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** All at once, so that the lane can make one batch of them. */
  void all(List<Report> reports) throws InterruptedException {
    CountDownLatch open = new CountDownLatch(reports.size());
    for (Report report : reports) {
      Thread.ofVirtual()
          .name("duty-report")
          .start(() -> {
            try {
              tell(report);
            } finally {
              open.countDown();
            }
          });
    }
    if (!open.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
      LOG.warn("{} reports of a duty were not answered in time", open.getCount());
    }
  }

  private void tell(Report report) {
    try {
      engine.report(report);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.warn("What a duty found could not be told; it will try again", e);
    }
  }
}
