package dev.millrace.engine.memory;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Store;
import dev.millrace.engine.port.Transaction;
import java.time.Instant;
import java.util.function.Function;

/** Keeps everything in {@link MemoryTables}; its clock is set by hand. */
public final class MemoryStore implements Store {

  private final MemoryTables tables = new MemoryTables();
  private Instant now = Instant.parse("2026-03-01T12:00:00Z");

  @Override
  public <R> R transact(Function<Transaction, R> work) {
    R result = work.apply(new MemoryTransaction(tables, now));
    Laws.check(tables);
    return result;
  }

  public MemoryTables tables() {
    return tables;
  }

  public Instant now() {
    return now;
  }

  /** Moves the clock; backwards too, as clocks do. */
  public void setNow(Instant time) {
    now = time;
  }

  public Job job(JobId id) {
    Job job = tables.jobs.get(id);
    if (job == null) {
      throw new IllegalArgumentException("there is no " + id);
    }
    return job;
  }

  public long balance(Wallet.Owner owner) {
    return tables.walletOf(owner).balance();
  }

  /** For what no command can do yet; the laws hold for it as well. */
  public void write(Changes changes) {
    tables.write(changes);
    Laws.check(tables);
  }
}
