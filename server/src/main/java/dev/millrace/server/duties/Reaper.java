package dev.millrace.server.duties;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.postgres.records.Overdue;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what nobody else will: leases that ran out, deadlines that passed, waits that are over. What
 * it finds is only a suspicion; the engine looks again under the lock.
 */
public final class Reaper implements Duty {

  private static final Logger LOG = LoggerFactory.getLogger(Reaper.class);
  private static final int MOST_PER_PAGE = 500;
  private static final int MOST_PAGES = 20;

  private final Overdue overdue;
  private final Engine engine;

  public Reaper(Overdue overdue, Engine engine) {
    this.overdue = overdue;
    this.engine = engine;
  }

  @Override
  public String name() {
    return "reaper";
  }

  @Override
  public void run() throws InterruptedException {
    for (int page = 0; page < MOST_PAGES; page++) {
      List<Report> found = overdue.find(MOST_PER_PAGE);
      reportAll(found);
      if (found.size() < MOST_PER_PAGE) {
        return;
      }
    }
  }

  /** Gives back what a worker held that is known to be gone, without waiting for its leases. */
  public void giveUp(String worker) throws InterruptedException {
    reportAll(overdue.abandonedBy(worker));
  }

  /** All at once, so that the lane can make one batch of them. */
  private void reportAll(List<Report> reports) throws InterruptedException {
    CountDownLatch open = new CountDownLatch(reports.size());
    for (Report report : reports) {
      Thread.ofVirtual()
          .name("reaper-report")
          .start(() -> {
            try {
              report(report);
            } finally {
              open.countDown();
            }
          });
    }
    open.await();
  }

  private void report(Report report) {
    try {
      engine.report(report);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.warn("The reaper will try again", e);
    }
  }
}
