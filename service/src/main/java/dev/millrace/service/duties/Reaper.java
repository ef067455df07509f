package dev.millrace.service.duties;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.postgres.jobs.OverdueJobs;
import java.util.List;

/**
 * Ends what nobody else will: leases that ran out, deadlines that passed, waits that are over. What
 * it finds is only a suspicion; the engine looks again under the lock.
 */
public final class Reaper implements Duty {

  private static final int MOST_PER_PAGE = 500;
  private static final int MOST_PAGES = 20;

  /** The longest time that a job can give itself, and a bit; looked back at now and then only. */
  private static final int A_DAY_AND_MORE = 26;

  private static final int FEW = 600;

  private final OverdueJobs overdue;
  private final Reports reports;
  private int rounds;

  public Reaper(OverdueJobs overdue, Engine engine) {
    this.overdue = overdue;
    this.reports = new Reports(engine);
  }

  @Override
  public String name() {
    return "reaper";
  }

  @Override
  public void run() throws InterruptedException {
    reports.all(overdue.unwanted(rounds++ % FEW == 0 ? A_DAY_AND_MORE : 1, MOST_PER_PAGE));
    for (int page = 0; page < MOST_PAGES; page++) {
      List<Report> found = overdue.find(MOST_PER_PAGE);
      reports.all(found);
      if (found.size() < MOST_PER_PAGE) {
        return;
      }
    }
  }

  /** Gives back what a worker held that is known to be gone, without waiting for its leases. */
  public void giveUp(String worker) throws InterruptedException {
    reports.all(overdue.abandonedBy(worker));
  }
}
