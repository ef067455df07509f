package dev.millrace.engine.memory;

import static dev.millrace.engine.memory.BrokenLaw.require;

import dev.millrace.engine.job.Attempt;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.job.Lease;
import dev.millrace.engine.lifecycle.Lifecycle;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.port.Changes;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is always true of one job's rows, beside its money. */
final class JobLaws {

  private final MemoryTables tables;

  JobLaws(MemoryTables tables) {
    this.tables = tables;
  }

  void check(Job job) {
    history(job);
    tries(job);
    attempts(job);
    outputs(job);
    handover(job);
  }

  private void history(Job job) {
    List<JobEvent> events = tables.eventsOf(job.id());
    require(
        events.size() == job.events() && !events.isEmpty(),
        "events are gap-free",
        job,
        events.size());
    @Nullable State previous = null;
    Instant last = Instant.MIN;
    int attempt = 0;
    for (int i = 0; i < events.size(); i++) {
      JobEvent event = events.get(i);
      require(event.seq() == i + 1, "events are gap-free", event, i + 1);
      require(!event.at().isBefore(last), "times don't go back", event, last);
      require(event.from() == previous, "each step begins where the last one ended", event);
      step(event, previous);
      require(event.attempt() >= attempt, "attempt numbers only grow", event, attempt);
      previous = event.state();
      last = event.at();
      attempt = event.attempt();
    }
    require(previous == job.state(), "a job is where its last event is", job, previous);
    require(last.equals(job.times().changedAt()), "a job changed at its last event", job, last);
    boolean finished = job.times().finishedAt() != null;
    require(finished == job.state().terminal(), "a terminal job has an end", job);
    require(!finished || last.equals(job.times().finishedAt()), "the end is the last event", job);
  }

  private static void step(JobEvent event, @Nullable State previous) {
    Trigger trigger = event.trigger();
    boolean legal =
        trigger == null
            ? event.state() == previous
            : Lifecycle.edge(event.from(), trigger, event.state()).isPresent();
    require(legal, "every step is in the table", event);
    boolean afterTheEnd = previous != null && previous.terminal();
    require(
        !afterTheEnd || trigger == Trigger.RETRY_IN_PLACE,
        "nothing follows a terminal event",
        event);
  }

  private void tries(Job job) {
    int interrupted = 0;
    int failed = 0;
    for (Attempt.Ended attempt : tables.endedOf(job.id())) {
      switch (attempt.outcome()) {
        case "requeued", "lease_lost" -> interrupted++;
        case "failed" -> failed++;
        default -> {}
      }
    }
    require(
        job.tries().interruptions() == interrupted,
        "interruptions are counted apart and each once",
        job,
        interrupted);
    // A permanent failure ends the job and is not counted as a try that may be repeated.
    for (JobEvent event : tables.eventsOf(job.id())) {
      failed -= event.trigger() == Trigger.PERMANENT_ERROR ? 1 : 0;
    }
    require(
        job.tries().failures() == failed, "failures are counted apart and each once", job, failed);
    require(
        job.tries().failures() < job.tries().maxFailures() || job.state().terminal(),
        "no job outlives its last failure",
        job);
    require(
        job.tries().interruptions() < job.tries().maxInterruptions() || job.state().terminal(),
        "no job outlives its last interruption",
        job);
  }

  private void attempts(Job job) {
    List<Attempt.Begun> begun = tables.begunOf(job.id());
    List<Attempt.Ended> ended = tables.endedOf(job.id());
    Lease lease = job.lease();
    require(begun.size() == job.tries().attempts(), "attempts are numbered 1..n", job, begun);
    require(
        ended.size() == begun.size() - (lease == null ? 0 : 1),
        "an attempt ends when its lease does, once",
        job,
        begun,
        ended);
    require((lease != null) == job.state().executing(), "only who runs holds a lease", job);
    require(
        lease == null || begun.getLast().token().equals(lease.token()),
        "the lease is the newest attempt's",
        job,
        begun);
    for (int i = 0; i < begun.size(); i++) {
      require(begun.get(i).number() == i + 1, "attempts are numbered 1..n", job, begun);
      if (i > 0) {
        require(
            !begun.get(i).at().isBefore(ended.get(i - 1).at()),
            "lease intervals never overlap",
            begun,
            ended);
      }
      if (i < ended.size()) {
        require(ended.get(i).number() == i + 1, "attempts are numbered 1..n", job, ended);
        require(
            !ended.get(i).at().isBefore(begun.get(i).at()), "times don't go back", begun, ended);
      }
    }
  }

  private void outputs(Job job) {
    boolean result = job.state() == State.COMPLETED || job.state() == State.WAITING_REVIEW;
    int visible = 0;
    for (Changes.JobOutput output : tables.outputsOf(job.id())) {
      require(
          output.attempt() <= job.tries().attempts()
              && output.attempt() > 0
              && output.walletId() == job.terms().walletId(),
          "outputs come from an attempt of their job",
          job,
          output);
      String outcome = tables.endedOf(job.id()).get(output.attempt() - 1).outcome();
      require("completed".equals(outcome), "outputs come from a completed attempt", job, outcome);
      boolean withheld =
          tables.withheld.contains(new Changes.Withheld(job.id(), output.file().id()));
      visible += output.attempt() == job.tries().attempts() && !withheld ? 1 : 0;
    }
    require(!result || visible > 0, "a result has outputs", job);
  }

  /** The intent precedes the call, and a provider takes an attempt once. */
  private void handover(Job job) {
    List<Attempt.Intended> intended = tables.intendedOf(job.id());
    List<Attempt.Accepted> accepted = tables.acceptedOf(job.id());
    int number = 0;
    for (Attempt.Intended one : intended) {
      require(one.number() > number, "an attempt is meant for one provider", job, intended);
      number = one.number();
    }
    number = 0;
    String reference = "";
    for (Attempt.Accepted one : accepted) {
      boolean repeated = one.number() == number && one.reference().equals(reference);
      require(one.number() > number || repeated, "a provider takes an attempt once", job, accepted);
      number = one.number();
      reference = one.reference();
      require(
          intended.stream().anyMatch(i -> i.number() == one.number())
              || tables.unconfirmedOf(job.id()).stream().anyMatch(u -> u.number() == one.number()),
          "an intent precedes every acceptance, or an earlier one was waited for",
          job,
          one);
    }
    int newest = job.tries().attempts();
    boolean unconfirmed =
        tables.unconfirmedOf(job.id()).stream().anyMatch(one -> one.number() == newest);
    Lease lease = job.lease();
    if (lease != null) {
      boolean meant = unconfirmed || (!intended.isEmpty() && intended.getLast().number() == newest);
      require(
          (lease.provider() != null) == meant, "a lease knows whom it is meant for", job, intended);
    }
    require(
        job.state() != State.SUBMITTED || number == newest || unconfirmed,
        "a submitted job has its provider's reference, or its provider is being asked",
        job,
        accepted);
  }
}
