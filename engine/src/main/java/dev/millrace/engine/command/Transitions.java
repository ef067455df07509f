package dev.millrace.engine.command;

import dev.millrace.engine.command.Report.Result;
import dev.millrace.engine.command.WorkingSet.Target;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Moves a job along the table, and answers for it. */
record Transitions(WorkingSet set) {

  Result move(Job job, Trigger trigger, Target target) {
    return set.move(job, trigger, target)
        .<Result>map(Result.Done::new)
        .orElseGet(() -> new Result.Denied(job.state(), trigger));
  }

  /** Ends the job. */
  Result end(Job job, Trigger trigger, State state) {
    return move(job, trigger, new Target(state, job.times().finished(set.at(job)), null));
  }

  /** Where a job waits for so long, with no lease. */
  Target waiting(State state, Job job, Duration patience) {
    return new Target(state, job.times().deadline(set.now().plus(patience)), null);
  }

  static Job saying(Job job, @Nullable String message) {
    return job.with(job.progress().saying(job.progress().step(), message));
  }
}
