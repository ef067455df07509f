package dev.millrace.engine.memory;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Store;
import dev.millrace.engine.port.Transaction;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.Function;

/** Keeps everything in {@link MemoryTables}; its clock is set by hand, at any moment. */
public final class MemoryStore implements Store {

  private final MemoryTables tables = new MemoryTables();
  private final Locks locks = new Locks();
  private final Consumer<Changes> afterCommit;
  private Instant now = Instant.parse("2026-03-01T12:00:00Z");

  /** A store that checks all laws after each commit. */
  public MemoryStore() {
    this.afterCommit = _ -> Laws.check(tables());
  }

  /** A store whose commits are checked by somebody else. */
  public MemoryStore(Consumer<Changes> afterCommit) {
    this.afterCommit = afterCommit;
  }

  /**
   * Nothing of the work is in the tables before it returns, and nothing ever if it throws. The work
   * may run other transactions while it is open, as other nodes would meanwhile.
   */
  @Override
  public <R> R transact(Function<Transaction, R> work) {
    MemoryTransaction transaction = new MemoryTransaction(tables, locks, this::now);
    try {
      R result = work.apply(transaction);
      for (Changes changes : transaction.written()) {
        tables.write(changes);
        afterCommit.accept(changes);
      }
      return result;
    } finally {
      transaction.release();
    }
  }

  /** Somebody who is no node of ours locks this row: an owner, a share's key, a job's id. */
  public boolean holdByStranger(Object row) {
    return locks.takeByStranger(row);
  }

  public void releaseByStranger(Object row) {
    locks.releaseByStranger(row);
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
    afterCommit.accept(changes);
  }
}
