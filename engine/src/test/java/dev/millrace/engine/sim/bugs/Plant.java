package dev.millrace.engine.sim.bugs;

import dev.millrace.engine.command.CommandBatch;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.JobTerms;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Transaction;
import dev.millrace.engine.sim.Bug;
import dev.millrace.engine.sim.Delegate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The ways to plant a bug. */
final class Plant {

  private Plant() {}

  /** The same failure, told otherwise. */
  static Report.Fail fail(
      Report.Fail f, Report.Fail.Kind kind, @Nullable Duration retryAfter, double jitter) {
    return new Report.Fail(f.job(), f.token(), kind, f.failure(), retryAfter, jitter, f.cause());
  }

  /** Somebody meddles with what is written. */
  static Bug written(Consumer<Edit> meddling) {
    return transaction(tx ->
        new Delegate(tx) {
          @Override
          public void write(Changes changes) {
            Edit edit = new Edit(changes);
            meddling.accept(edit);
            super.write(edit.done());
          }
        });
  }

  /** Some jobs are written otherwise than decided. */
  static Bug jobsWritten(BiFunction<Edit, Job, Job> meddling) {
    return written(edit -> edit.changed.replaceAll(job -> meddling.apply(edit, job)));
  }

  static Bug transaction(UnaryOperator<Transaction> meddling) {
    return new Bug() {
      @Override
      public Transaction around(Transaction transaction) {
        return meddling.apply(transaction);
      }
    };
  }

  /** Commands of one class are taken for others. */
  static <T> Bug commands(Class<T> type, Function<T, T> meddling) {
    return new Bug() {
      @Override
      public <C, R> CommandBatch<C, R> around(CommandBatch<C, R> batch) {
        return (tx, commands) ->
            batch.decide(tx, commands.stream().map(c -> swap(type, meddling, c)).toList());
      }
    };
  }

  /** Answers of one class are taken for others. */
  static <T, U> Bug results(Class<T> type, Function<T, U> meddling) {
    return new Bug() {
      @Override
      public <C, R> CommandBatch<C, R> around(CommandBatch<C, R> batch) {
        return (tx, commands) -> {
          CommandBatch.Decided<R> decided = batch.decide(tx, commands);
          List<R> results =
              decided.results().stream().map(r -> Plant.swap(type, meddling, r)).toList();
          return new CommandBatch.Decided<>(decided.changes(), results);
        };
      }
    };
  }

  @SuppressWarnings("unchecked") // A bug keeps to the type of the command that it replaces.
  private static <T, U, X> X swap(Class<T> type, Function<T, U> meddling, X thing) {
    return type.isInstance(thing) ? (X) meddling.apply(type.cast(thing)) : thing;
  }

  /** A job is seen otherwise than it is by the first report of this class about it. */
  static <T extends Report> Bug seen(Class<T> type, BiFunction<T, Job, Job> lens) {
    return new Bug() {
      @Override
      public <C, R> CommandBatch<C, R> around(CommandBatch<C, R> batch) {
        return (tx, commands) ->
            batch.decide(
                new Delegate(tx) {
                  @Override
                  public Map<JobId, Job> lockJobs(Set<JobId> ids) {
                    Map<JobId, Job> jobs = new HashMap<>(super.lockJobs(ids));
                    jobs.replaceAll((id, job) -> look(type, lens, commands, job));
                    return jobs;
                  }
                },
                commands);
      }
    };
  }

  /** A report of this class is decided by other rules than the job's, and nobody can see it. */
  static <T extends Report> Bug ruled(Class<T> type, UnaryOperator<JobTerms.Rules> change) {
    Bug lens = seen(type, (_, job) -> LifeBugs.with(job, change.apply(job.terms().rules())));
    return new Bug() {
      @Override
      @SuppressWarnings("unchecked") // A report's answer for a report's answer.
      public <C, R> CommandBatch<C, R> around(CommandBatch<C, R> batch) {
        return (tx, commands) -> {
          Map<JobId, JobTerms.Rules> rules = new HashMap<>();
          Transaction noting =
              new Delegate(tx) {
                @Override
                public Map<JobId, Job> lockJobs(Set<JobId> ids) {
                  Map<JobId, Job> jobs = super.lockJobs(ids);
                  jobs.forEach((id, job) -> rules.put(id, job.terms().rules()));
                  return jobs;
                }
              };
          CommandBatch.Decided<R> decided = lens.around(batch).decide(noting, commands);
          Edit edit = new Edit(decided.changes());
          edit.changed.replaceAll(job -> restored(job, rules));
          List<R> results = new ArrayList<>(decided.results());
          results.replaceAll(result ->
              result instanceof Report.Result.Done(Job job)
                  ? (R) new Report.Result.Done(restored(job, rules))
                  : result);
          return new CommandBatch.Decided<>(edit.done(), results);
        };
      }
    };
  }

  private static Job restored(Job job, Map<JobId, JobTerms.Rules> rules) {
    return LifeBugs.with(job, rules.getOrDefault(job.id(), job.terms().rules()));
  }

  private static <T extends Report> Job look(
      Class<T> type, BiFunction<T, Job, Job> lens, List<?> commands, Job job) {
    for (Object command : commands) {
      if (command instanceof Report report && report.job().equals(job.id())) {
        return type.isInstance(report) ? lens.apply(type.cast(report), job) : job;
      }
    }
    return job;
  }

  /** Commands of this class are each decided on the rows as they were before the batch. */
  static Bug eachAlone(Class<?> type) {
    return new Bug() {
      @Override
      public <C, R> CommandBatch<C, R> around(CommandBatch<C, R> batch) {
        return (tx, commands) -> {
          if (!type.isInstance(commands.getFirst()) || commands.size() == 1) {
            return batch.decide(tx, commands);
          }
          Remembering rows = new Remembering(tx);
          batch.decide(rows, commands);
          List<R> results = new ArrayList<>();
          Edit all = new Edit(batch.decide(rows, commands.subList(0, 1)).changes());
          for (int i = 0; i < commands.size(); i++) {
            CommandBatch.Decided<R> one = batch.decide(rows, commands.subList(i, i + 1));
            results.addAll(one.results());
            if (i > 0) {
              all.add(new Edit(one.changes()));
            }
          }
          return new CommandBatch.Decided<>(all.done(), results);
        };
      }
    };
  }
}
