package dev.millrace.engine.sim.bugs;

import dev.millrace.engine.command.CommandBatch;
import dev.millrace.engine.command.LeaseBatch;
import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Attempt;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Transaction;
import dev.millrace.engine.sim.Bug;
import dev.millrace.engine.sim.Catalogue;
import dev.millrace.engine.sim.Delegate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/** Work that goes to the wrong worker, in the wrong order, or at the wrong time. */
final class QueueBugs {

  static final List<Planted> ALL =
      List.of(
          new Planted(
              "give work to who does not know it",
              "a worker is offered every workflow there is",
              () ->
                  Plant.commands(
                      LeaseJobs.class,
                      ask -> new LeaseJobs(ask.worker(), Catalogue.WORKFLOWS, ask.max()))),
          new Planted(
              "give more than was asked for",
              "a worker gets one job more than it has room for",
              () ->
                  Plant.commands(
                      LeaseJobs.class,
                      ask -> new LeaseJobs(ask.worker(), ask.workflowIds(), ask.max() + 1))),
          new Planted(
              "serve the last first",
              "the queue is read backwards",
              () ->
                  Plant.transaction(tx ->
                      new Delegate(tx) {
                        @Override
                        public List<Claim> claim(SortedMap<Integer, Integer> limits, Full full) {
                          SortedMap<Integer, Integer> all = new TreeMap<>(limits);
                          all.replaceAll((_, _) -> 1000);
                          return super.claim(all, full).reversed();
                        }
                      })),
          new Planted(
              "ignore fairness",
              "every job starts at the head of the queue, so who floods it wins",
              () ->
                  Plant.written(edit ->
                      edit.created.replaceAll(row ->
                          new Changes.NewJob(
                              row.job(),
                              0,
                              row.input(),
                              row.key(),
                              row.fingerprint(),
                              row.links())))),
          new Planted(
              "forget a tenant's share",
              "where a tenant's newest job ends is not stored",
              () -> Plant.written(edit -> edit.shares.clear())),
          new Planted(
              "leave a leased job in the queue",
              "the attempt is stored, the job's new state is not",
              () ->
                  Plant.written(edit -> {
                    if (edit.attempts.stream().anyMatch(a -> a instanceof Attempt.Begun)) {
                      edit.changed.clear();
                    }
                  })),
          new Planted(
              "give one job to two workers",
              "the answer to one asker is also given to the next",
              QueueBugs::twice),
          new Planted(
              "lease before it is due", "a pending job is claimed like a queued one", Early::new),
          new Planted(
              "queue a delayed job at once",
              "a job with a later start is stored as queued",
              () -> Plant.written(edit -> edit.created.replaceAll(QueueBugs::queued))),
          new Planted(
              "retry without a pause",
              "the backoff is computed and not used",
              () ->
                  Plant.commands(
                      Report.Fail.class, f -> Plant.fail(f, f.kind(), f.retryAfter(), 0))),
          new Planted(
              "ignore Retry-After",
              "what the provider asked for is not heard",
              () ->
                  Plant.commands(
                      Report.Fail.class, f -> Plant.fail(f, f.kind(), null, f.jitter()))),
          new Planted(
              "keep some workers waiting",
              "of a batch of askers only the first is served",
              QueueBugs::firstOnly));

  private QueueBugs() {}

  private static Changes.NewJob queued(Changes.NewJob row) {
    Job job = row.job();
    if (job.state() != State.PENDING) {
      return row;
    }
    return new Changes.NewJob(
        job.in(State.QUEUED, job.times(), null),
        row.virtualStart(),
        row.input(),
        row.key(),
        row.fingerprint(),
        row.links());
  }

  private static Bug twice() {
    return new Bug() {
      @Override
      @SuppressWarnings("unchecked") // Lists of leases for lists of leases.
      public <C, R> CommandBatch<C, R> around(CommandBatch<C, R> batch) {
        return (tx, commands) -> {
          CommandBatch.Decided<R> decided = batch.decide(tx, commands);
          if (!(batch instanceof LeaseBatch) || commands.size() < 2) {
            return decided;
          }
          List<R> results = new ArrayList<>(decided.results());
          List<Leased> both = new ArrayList<>((List<Leased>) results.get(1));
          both.addAll((List<Leased>) results.get(0));
          results.set(1, (R) both);
          return new CommandBatch.Decided<>(decided.changes(), results);
        };
      }
    };
  }

  private static Bug firstOnly() {
    return new Bug() {
      @Override
      @SuppressWarnings("unchecked") // A list without leases for a list of leases.
      public <C, R> CommandBatch<C, R> around(CommandBatch<C, R> batch) {
        return (tx, commands) -> {
          if (!(batch instanceof LeaseBatch)) {
            return batch.decide(tx, commands);
          }
          CommandBatch.Decided<R> decided = batch.decide(tx, commands.subList(0, 1));
          List<R> results = new ArrayList<>(decided.results());
          while (results.size() < commands.size()) {
            results.add((R) List.<Leased>of());
          }
          return new CommandBatch.Decided<>(decided.changes(), results);
        };
      }
    };
  }

  /** Knows every job that was written, and takes the pending ones for queued. */
  private static final class Early implements Bug {
    private final Map<UUID, Job> written = new HashMap<>();

    @Override
    public Transaction around(Transaction transaction) {
      return new Delegate(transaction) {
        @Override
        public void write(Changes changes) {
          changes.created().forEach(row -> written.put(row.job().id().uuid(), row.job()));
          changes.changed().forEach(job -> written.put(job.id().uuid(), job));
          super.write(changes);
        }

        @Override
        public List<Claim> claim(SortedMap<Integer, Integer> limits, Full full) {
          List<Claim> claims = new ArrayList<>(super.claim(limits, full));
          var pending =
              written.values().stream()
                  .filter(job -> job.state() == State.PENDING)
                  .filter(job -> limits.containsKey(job.terms().workflowId()))
                  .map(Job::id)
                  .collect(Collectors.toSet());
          lockJobs(pending)
              .values()
              .forEach(job -> {
                if (job.state() == State.PENDING) {
                  claims.add(new Claim(job, 0, "{}"));
                }
              });
          return claims;
        }
      };
    }
  }
}
