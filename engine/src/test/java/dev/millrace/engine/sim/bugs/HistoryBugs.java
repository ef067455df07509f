package dev.millrace.engine.sim.bugs;

import dev.millrace.engine.job.Attempt;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.job.Tries;
import dev.millrace.engine.port.Changes;
import java.time.Instant;
import java.util.List;

/** Histories that leave out, repeat or bend what happened. */
final class HistoryBugs {

  static final List<Planted> ALL =
      List.of(
          new Planted(
              "lose an event of progress",
              "a heartbeat's event is not written, though it is counted",
              () -> Plant.written(edit -> edit.events.removeIf(e -> !e.transition()))),
          new Planted(
              "lose the last event of a batch",
              "the loop that writes events stops one too early",
              () ->
                  Plant.written(edit -> {
                    if (edit.events.size() > 2) {
                      edit.events.removeLast();
                    }
                  })),
          new Planted(
              "number events from zero",
              "an event's number is the count before it",
              () -> Plant.written(edit -> edit.events.replaceAll(HistoryBugs::numberedLow))),
          new Planted(
              "write what the clock says",
              "when the clock goes back, so does the history",
              () -> Plant.written(edit -> edit.events.replaceAll(e -> at(e, edit.at)))),
          new Planted(
              "decrement attempts",
              "a lost lease takes back the attempt, as if it had never been",
              () ->
                  Plant.jobsWritten((edit, job) ->
                      edit.endedAs(job.id(), "lease_lost")
                          ? job.with(attempts(job.tries(), job.tries().attempts() - 1))
                          : job)),
          new Planted(
              "reuse the attempt's number",
              "an attempt after the first is stored with the number before it",
              () -> Plant.written(edit -> edit.attempts.replaceAll(HistoryBugs::earlier))),
          new Planted(
              "leave an attempt open",
              "a lost lease does not end its attempt",
              () -> Plant.written(edit -> edit.attempts.removeIf(e -> is(e, "lease_lost")))),
          new Planted(
              "end an attempt twice",
              "a failed attempt is ended two times",
              () ->
                  Plant.written(edit ->
                      edit.attempts.addAll(
                          edit.attempts.stream().filter(e -> is(e, "failed")).toList()))),
          new Planted(
              "forgive failures at each start",
              "a new attempt counts failures from zero again",
              () ->
                  Plant.jobsWritten((edit, job) ->
                      edit.attempts.stream()
                              .anyMatch(b -> b instanceof Attempt.Begun && b.job().equals(job.id()))
                          ? job.with(failures(job.tries(), 0))
                          : job)),
          new Planted(
              "complete without outputs",
              "the result is stored, its files are not",
              () -> Plant.written(edit -> edit.outputs.clear())),
          new Planted(
              "store outputs under the wrong attempt",
              "an output is filed under the attempt before",
              () ->
                  Plant.written(edit ->
                      edit.outputs.replaceAll(o ->
                          new Changes.JobOutput(
                              o.job(), o.walletId(), o.attempt() - 1, o.file())))));

  private HistoryBugs() {}

  private static boolean is(Attempt attempt, String outcome) {
    return attempt instanceof Attempt.Ended ended && ended.outcome().equals(outcome);
  }

  private static JobEvent numberedLow(JobEvent e) {
    return new JobEvent(
        e.job(),
        e.seq() - 1,
        new JobEvent.Move(e.trigger(), e.from(), e.state()),
        e.progress(),
        e.summary(),
        e.attempt(),
        e.at());
  }

  private static JobEvent at(JobEvent e, Instant time) {
    return new JobEvent(
        e.job(),
        e.seq(),
        new JobEvent.Move(e.trigger(), e.from(), e.state()),
        e.progress(),
        e.summary(),
        e.attempt(),
        time);
  }

  private static Attempt earlier(Attempt attempt) {
    return !(attempt instanceof Attempt.Begun begun) || begun.number() == 1
        ? attempt
        : new Attempt.Begun(
            begun.job(), begun.number() - 1, begun.token(), begun.worker(), begun.at());
  }

  static Tries attempts(Tries tries, int attempts) {
    return new Tries(
        attempts,
        tries.failures(),
        tries.interruptions(),
        tries.maxFailures(),
        tries.maxInterruptions());
  }

  static Tries failures(Tries tries, int failures) {
    return new Tries(
        tries.attempts(),
        failures,
        tries.interruptions(),
        tries.maxFailures(),
        tries.maxInterruptions());
  }

  static Job capped(Job job, int moreFailures, int moreInterruptions) {
    Tries tries = job.tries();
    return job.with(
        new Tries(
            tries.attempts(),
            tries.failures(),
            tries.interruptions(),
            tries.maxFailures() + moreFailures,
            tries.maxInterruptions() + moreInterruptions));
  }
}
