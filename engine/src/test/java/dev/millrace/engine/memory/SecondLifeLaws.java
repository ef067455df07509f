package dev.millrace.engine.memory;

import static dev.millrace.engine.memory.BrokenLaw.require;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.money.LedgerLine;
import dev.millrace.engine.money.LedgerType;

/** What is always true of a job that was retried in place: each life is paid for by itself. */
final class SecondLifeLaws {

  private final MemoryTables tables;

  SecondLifeLaws(MemoryTables tables) {
    this.tables = tables;
  }

  void check(Job job) {
    int fundings = job.hold().fundingSeq();
    int retries = 0;
    for (JobEvent event : tables.eventsOf(job.id())) {
      retries += event.trigger() == Trigger.RETRY_IN_PLACE ? 1 : 0;
    }
    require(
        fundings == 0 ? retries == 0 : fundings == retries + 1,
        "each life has a funding of its own",
        job,
        retries);
    for (int funding = 1; funding < fundings; funding++) {
      earlier(job, funding);
    }
    require(!job.afterEnd().deleted() || job.state().terminal(), "a deleted job stays dead", job);
  }

  /** Only what came to nothing lives again. */
  private void earlier(Job job, int funding) {
    int reserves = 0;
    int refunds = 0;
    long left = 0;
    for (LedgerLine line : tables.ledgerOf(job.id())) {
      if (line.fundingSeq() == funding) {
        reserves += line.type() == LedgerType.JOB_RESERVE ? 1 : 0;
        refunds += line.type() == LedgerType.JOB_REFUND ? 1 : 0;
        left += line.amount();
        require(line.captured() == 0, "a life that came to nothing costs nothing", job, line);
      }
    }
    require(
        left == 0 && reserves <= 1 && refunds <= 1,
        "a life that came to nothing is paid back once",
        job,
        funding,
        left);
  }
}
