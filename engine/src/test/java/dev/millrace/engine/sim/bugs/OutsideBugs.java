package dev.millrace.engine.sim.bugs;

import dev.millrace.engine.command.Callbacks;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Attempt;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.port.Callback;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.sim.Bug;
import dev.millrace.engine.sim.Delegate;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Outside providers that are asked twice or not heard. */
final class OutsideBugs {

  static final List<Planted> ALL =
      List.of(
          new Planted(
              "drop the early webhook",
              "a callback that comes before its reference is stored is not kept",
              OutsideBugs::dropEarly),
          new Planted(
              "apply a callback twice",
              "a callback that was judged is taken for one that waits",
              () ->
                  Plant.transaction(tx ->
                      new Delegate(tx) {
                        @Override
                        public Map<Callback.Id, Callback> lockCallbacks(Set<Callback.Id> ids) {
                          Map<Callback.Id, Callback> found =
                              new HashMap<>(super.lockCallbacks(ids));
                          found.replaceAll((_, c) -> c.as(Callback.Verdict.WAITING));
                          return found;
                        }
                      })),
          new Planted(
              "leave a callback waiting",
              "the job is decided, but the callback is not judged with it",
              () -> Plant.written(edit -> edit.judged.clear())),
          new Planted(
              "call a late callback applied",
              "every callback that is judged counts as applied",
              () ->
                  Plant.written(edit ->
                      edit.judged.replaceAll(
                          j -> new Changes.Judged(j.id(), Callback.Verdict.APPLIED, j.job())))),
          new Planted(
              "give up too early",
              "a callback is unmatched at once, while its reference is on the way",
              () ->
                  Plant.commands(
                      Callbacks.GiveUp.class,
                      g -> new Callbacks.GiveUp(g.callback(), Duration.ZERO))),
          new Planted(
              "call without an intent",
              "the intent is not stored before the provider is called",
              () ->
                  Plant.written(
                      edit -> edit.attempts.removeIf(a -> a instanceof Attempt.Intended))),
          new Planted(
              "forget the provider's reference",
              "the job is submitted, its reference is not stored",
              () ->
                  Plant.written(
                      edit -> edit.attempts.removeIf(a -> a instanceof Attempt.Accepted))),
          new Planted(
              "submit again when the worker is gone",
              "a lost lease puts back into the queue what a provider has",
              () -> Plant.seen(Report.LoseLease.class, (_, job) -> running(job))),
          new Planted(
              "put back what the provider has",
              "a worker may requeue a job that was handed over",
              () -> Plant.seen(Report.Requeue.class, (_, job) -> running(job))),
          new Planted(
              "shorten the provider's time",
              "a heartbeat gives a submitted job no longer than a lease",
              () ->
                  Plant.jobsWritten((edit, job) ->
                      job.state() == State.SUBMITTED && job.lease() != null
                          ? job.leased(job.lease().until(edit.at.plusSeconds(30)))
                          : job)));

  private OutsideBugs() {}

  private static Job running(Job job) {
    return job.state() == State.SUBMITTED ? job.in(State.RUNNING, job.times(), job.lease()) : job;
  }

  private static Bug dropEarly() {
    Set<String> known = new HashSet<>();
    return Plant.written(edit -> {
      for (Attempt attempt : edit.attempts) {
        if (attempt instanceof Attempt.Accepted accepted) {
          known.add(accepted.reference());
        }
      }
      edit.received.removeIf(callback -> !known.contains(callback.reference()));
    });
  }
}
