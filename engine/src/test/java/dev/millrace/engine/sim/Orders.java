package dev.millrace.engine.sim;

import static dev.millrace.engine.memory.BrokenLaw.require;

import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.command.SubmitMany;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.memory.MemoryTables;
import dev.millrace.engine.money.Hold;
import dev.millrace.engine.money.QuotaUse;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What submits must have been answered. */
final class Orders {

  private final Accounts accounts;
  private final Map<JobId, Job> jobs;
  private final Map<JobId, SubmitJob> accepted = new HashMap<>();
  private Instant now = Instant.MIN;
  private boolean alone;

  Orders(Accounts accounts, Map<JobId, Job> jobs) {
    this.accounts = accounts;
    this.jobs = jobs;
  }

  void at(Instant time, boolean undisturbed) {
    now = time;
    alone = undisturbed;
  }

  void submit(SubmitJob order, SubmitJob.Result result) {
    SubmitJob before = accounts.keyed(order);
    if (before != null) {
      SubmitJob.Result expected =
          before.identity().fingerprint().equals(order.identity().fingerprint())
              ? new SubmitJob.Result.Replayed(before.jobId())
              : new SubmitJob.Result.KeyMismatch(before.jobId());
      boolean withheld =
          result instanceof SubmitJob.Result.Withheld
              && expected instanceof SubmitJob.Result.Replayed;
      require(
          withheld || expected.equals(result),
          "a used key finds its one job",
          order,
          result,
          before);
      return;
    }
    if (replayed(order, result)) {
      return;
    }
    if (order.denial() != null) {
      require(result instanceof SubmitJob.Result.Blocked, "what is denied is blocked", order);
      blocked(order, ((SubmitJob.Result.Blocked) result).job());
      return;
    }
    SubmitJob.Result refusal = refusal(order);
    if (refusal != null) {
      require(
          refusal.equals(result), "who may not or can't pay is refused", order, result, refusal);
      return;
    }
    if (!(result instanceof SubmitJob.Result.Withheld)) {
      require(
          result instanceof SubmitJob.Result.Accepted, "who can pay is accepted", order, result);
      accepted(order, ((SubmitJob.Result.Accepted) result).job());
    }
    accounts.accepted(order.owner(), order.terms().cost(), now);
    accounts.use(order);
  }

  /** The derived key: the same request again within its window, unless it was in vain. */
  private boolean replayed(SubmitJob order, SubmitJob.Result result) {
    Duration window = order.identity().window();
    if (window == null) {
      return false;
    }
    Set<JobId> candidates = new HashSet<>();
    accepted.forEach((id, earlier) -> {
      Job job = Objects.requireNonNull(jobs.get(id));
      boolean same =
          earlier.owner().equals(order.owner())
              && earlier.identity().fingerprint().equals(order.identity().fingerprint());
      boolean inVain =
          job.state().terminal() && job.state() != State.COMPLETED && job.state() != State.REJECTED;
      boolean recent = job.times().createdAt().isAfter(now.minus(window));
      if (same && !inVain && !job.afterEnd().deleted() && (recent || !alone)) {
        candidates.add(id);
      }
    });
    boolean answered = result instanceof SubmitJob.Result.Replayed;
    JobId told = answered ? ((SubmitJob.Result.Replayed) result).job() : null;
    // When the clock moved between the look and the decision, both answers are right.
    require(
        answered ? candidates.contains(told) : candidates.isEmpty() || !alone,
        "the same request is found again within its window",
        order,
        result,
        candidates);
    return answered;
  }

  private SubmitJob.@Nullable Result refusal(SubmitJob order) {
    QuotaUse usage = accounts.usage(order.owner());
    Integer active = order.limits().active();
    if (active != null && active > 0 && usage.active() >= active) {
      return new SubmitJob.Result.TooManyActive(active);
    }
    Integer daily = order.limits().daily();
    if (daily != null && daily > 0 && usage.acceptedOn(now) >= daily) {
      return new SubmitJob.Result.QuotaUsedUp(daily, QuotaUse.endOfDay(now));
    }
    long cost = order.terms().cost();
    long balance = accounts.balance(order.owner());
    return balance < cost ? new SubmitJob.Result.InsufficientCredits(cost, balance) : null;
  }

  private void blocked(SubmitJob order, Job job) {
    require(
        job.id().equals(order.jobId())
            && job.state() == State.BLOCKED
            && job.hold().equals(Hold.NONE),
        "a blocked job costs nothing",
        order,
        job);
    require(jobs.put(job.id(), job) == null, "an id is used once", order);
  }

  private void accepted(SubmitJob order, Job job) {
    boolean later = order.runAt() != null && order.runAt().isAfter(now);
    Instant due = later ? Objects.requireNonNull(order.runAt()) : now;
    require(
        job.id().equals(order.jobId())
            && job.hold().equals(new Hold(1, order.terms().cost(), true, 0))
            && job.state() == (later ? State.PENDING : State.QUEUED)
            && job.times().dueAt().equals(due)
            && due.plusSeconds(order.terms().queueSeconds()).equals(job.times().deadlineAt())
            && job.terms().priority() == order.priority()
            && job.terms().workflowId() == order.terms().workflowId()
            && job.terms().rules().equals(order.terms().rules())
            && job.lease() == null,
        "an accepted job is what was ordered",
        order,
        job);
    require(jobs.put(job.id(), job) == null, "an id is used once", order);
    accepted.put(job.id(), order);
  }

  void submitMany(SubmitMany many, SubmitMany.Result result) {
    Accounts.Scope scope = many.key() == null ? null : new Accounts.Scope(many.owner(), many.key());
    Accounts.Many before = scope == null ? null : accounts.batches().get(scope);
    if (before != null) {
      SubmitMany.Result expected =
          before.fingerprint().equals(many.fingerprint())
              ? new SubmitMany.Result.Replayed(before.batch())
              : new SubmitMany.Result.KeyMismatch(before.batch());
      require(expected.equals(result), "a used key finds its one batch", many, result);
      return;
    }
    require(result instanceof SubmitMany.Result.Decided, "a batch is decided", many, result);
    SubmitMany.Result.Decided decided = (SubmitMany.Result.Decided) result;
    Accounts untouched = accounts.copy();
    boolean stored = false;
    boolean refused = false;
    for (int i = 0; i < many.jobs().size(); i++) {
      SubmitJob.Result one = decided.results().get(i);
      submit(many.jobs().get(i), one);
      boolean granted =
          one instanceof SubmitJob.Result.Accepted
              || one instanceof SubmitJob.Result.Replayed
              || one instanceof SubmitJob.Result.Withheld;
      refused |= !granted;
      stored |= one instanceof SubmitJob.Result.Accepted || one instanceof SubmitJob.Result.Blocked;
    }
    if (many.atomic() && refused) {
      accounts.take(untouched);
      many.jobs().forEach(order -> jobs.remove(order.jobId()));
      stored = false;
    }
    require(decided.stored() == stored, "a batch is all or nothing if it says so", many, result);
    if (stored && scope != null) {
      accounts.batches().put(scope, new Accounts.Many(many.id(), many.fingerprint()));
    }
  }

  void followUp(Report.FollowUp followUp, Job job) {
    require(
        job.state() == State.QUEUED
            && job.hold().equals(new Hold(1, followUp.terms().cost(), true, 0))
            && job.terms().workflowId() == followUp.terms().workflowId(),
        "a follow-up is what was ordered",
        followUp,
        job);
    jobs.put(job.id(), job);
  }

  void checkKeys(MemoryTables tables) {
    accounts
        .keys()
        .forEach((scope, order) -> {
          var made = tables.made.get(order.jobId());
          require(
              made != null
                  && scope.key().equals(made.key())
                  && order.identity().fingerprint().equals(made.fingerprint()),
              "a key is kept with its job",
              order,
              made);
        });
  }
}
