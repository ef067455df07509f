package dev.millrace.engine.memory;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.port.Changes;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;

/** Checks the laws: after a commit only of what it touched, in the end of everything. */
public final class Watch {

  private final MemoryTables tables;
  private final MoneyLaws money;
  private final JobLaws jobs;
  private final SecondLifeLaws lives;
  private final QueueLaws queues;

  public Watch(MemoryTables tables) {
    this.tables = tables;
    this.money = new MoneyLaws(tables);
    this.jobs = new JobLaws(tables);
    this.lives = new SecondLifeLaws(tables);
    this.queues = new QueueLaws(tables);
  }

  public void committed(Changes changes) {
    money.check(changes);
    Set<JobId> touched = new LinkedHashSet<>();
    changes.created().forEach(row -> touched.add(row.job().id()));
    changes.changed().forEach(job -> touched.add(job.id()));
    changes.events().forEach(event -> touched.add(event.job()));
    changes.attempts().forEach(attempt -> touched.add(attempt.job()));
    changes.outputs().forEach(output -> touched.add(output.job()));
    for (JobId id : touched) {
      Job job = tables.jobs.get(id);
      BrokenLaw.require(job != null, "every row belongs to a job", id);
      check(Objects.requireNonNull(job));
    }
  }

  private void check(Job job) {
    money.check(job);
    jobs.check(job);
    lives.check(job);
  }

  /** What holds at every moment. */
  void always() {
    money.checkAll();
    tables.jobs.values().forEach(this::check);
  }

  /** What holds when all is over. */
  public void everything() {
    always();
    queues.checkShares();
    queues.checkInbox();
  }

  /** To be asked right after a sweep of the reaper. */
  public void swept(Instant now) {
    queues.checkSwept(now);
  }
}
