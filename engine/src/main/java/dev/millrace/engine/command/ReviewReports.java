package dev.millrace.engine.command;

import dev.millrace.engine.command.Report.Result;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.lifecycle.Lifecycle;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.money.Price;
import dev.millrace.engine.money.QuotaUse;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Transaction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What reviewers and moderators decide about a job that is alive.
 *
 * @param outputs of the jobs under review, as far as this batch has decided about them
 */
record ReviewReports(
    WorkingSet set,
    Transitions moves,
    Creation creation,
    Map<JobId, List<Transaction.Item>> outputs) {

  private List<Transaction.Item> items(Job job) {
    return outputs.getOrDefault(job.id(), List.of());
  }

  /** What of these is no output of the job. */
  private Set<UUID> unknown(Job job, Set<UUID> named) {
    Set<UUID> unknown = new HashSet<>(named);
    items(job).forEach(item -> unknown.remove(item.id()));
    return unknown;
  }

  /** Why some of a result was declined, one text for each decision, as the job's summary has it. */
  static final String REASONS = "declined_reasons";

  /** Remembers what was said of some; the job waits on for the others. */
  Result review(Job job, Report.ReviewItems review) {
    if (job.state() != State.WAITING_REVIEW) {
      return new Result.Denied(job.state(), Trigger.APPROVE);
    }
    Set<UUID> named = new HashSet<>(review.approved());
    named.addAll(review.declined());
    Set<UUID> unknown = unknown(job, named);
    boolean both = named.size() < review.approved().size() + review.declined().size();
    if (named.isEmpty() || both || !unknown.isEmpty()) {
      return new Result.NoSuchItems(unknown);
    }
    List<Transaction.Item> decided = new ArrayList<>();
    for (Transaction.Item item : items(job)) {
      Boolean now = said(review, item.id());
      if (now != null && item.approved() != null && !now.equals(item.approved())) {
        return new Result.ItemsDecided();
      }
      decided.add(now == null ? item : new Transaction.Item(item.id(), now));
    }
    int open = (int) decided.stream().filter(item -> item.approved() == null).count();
    if (open == 0) {
      return new Result.ItemsDecided();
    }
    String reason = declinesMore(job, review) ? review.reason() : null;
    outputs.put(job.id(), List.copyOf(decided));
    named.forEach(
        item -> set.review(new Changes.Reviewed(job.id(), item, review.approved().contains(item))));
    int approved = (int) decided.stream().filter(ReviewReports::isApproved).count();
    set.audit(
        job,
        review.actor(),
        "job.review",
        Map.of(
            "approved", "" + review.approved().size(), "declined", "" + review.declined().size()));
    String waits = "Waiting for review: %d to go".formatted(open);
    Summary counted = job.summary().merge(counts(approved, decided.size() - open - approved, open));
    return new Result.Done(
        set.report(
            job.with(because(counted, reason))
                .with(job.progress().saying("review", with(waits, reason)))));
  }

  /** Whether something is declined that was open; a repetition gives no reason twice. */
  private boolean declinesMore(Job job, Report.ReviewItems review) {
    return items(job).stream()
        .anyMatch(item -> item.approved() == null && review.declined().contains(item.id()));
  }

  private static Summary because(Summary summary, @Nullable String reason) {
    return reason == null ? summary : summary.append(REASONS, reason);
  }

  /** As an event tells it, beside what a whole decline says. */
  private static String with(String message, @Nullable String reason) {
    return reason == null ? message : message + ". Declined: " + reason;
  }

  private static @Nullable Boolean said(Report.ReviewItems review, UUID item) {
    if (review.approved().contains(item)) {
      return true;
    }
    return review.declined().contains(item) ? false : null;
  }

  private static boolean isApproved(Transaction.Item item) {
    return Boolean.TRUE.equals(item.approved());
  }

  private static boolean isDeclined(Transaction.Item item) {
    return Boolean.FALSE.equals(item.approved());
  }

  /**
   * Lets a result through, whole or item by item. What follows up on it is paid from the same
   * wallet; if the wallet does not cover it, nothing is approved.
   */
  Result approve(Job job, Report.Approve approve) {
    if (job.state() != State.WAITING_REVIEW) {
      return new Result.Denied(job.state(), Trigger.APPROVE);
    }
    Set<UUID> approved =
        approve.items() != null
            ? approve.items()
            : items(job).stream()
                .filter(item -> !isDeclined(item))
                .map(Transaction.Item::id)
                .collect(Collectors.toSet());
    Set<UUID> unknown = unknown(job, approved);
    if (approved.isEmpty() || !unknown.isEmpty()) {
      return new Result.NoSuchItems(unknown);
    }
    if (items(job).stream()
        .anyMatch(item -> approved.contains(item.id()) ? isDeclined(item) : isApproved(item))) {
      return new Result.ItemsDecided();
    }
    return approve(job, approve, approved);
  }

  private Result approve(Job job, Report.Approve approve, Set<UUID> approved) {
    int declined = items(job).size() - approved.size();
    boolean some = items(job).stream().anyMatch(item -> isLeftOut(item, approved));
    String reason = some ? approve.reason() : null;
    Job delivering =
        job.delivering(units(job, approved.size()))
            .with(because(job.summary().merge(counts(approved.size(), declined, 0)), reason))
            .with(new Progress(100, "done", with(verdict(approved.size(), declined), reason)));
    Result.InsufficientCredits shortage = shortage(delivering, approve.followUp());
    if (shortage != null) {
      return shortage;
    }
    Result result = moves.end(delivering, Trigger.APPROVE, State.COMPLETED);
    if (result instanceof Result.Done) {
      items(job).stream()
          .map(Transaction.Item::id)
          .filter(item -> !approved.contains(item))
          .forEach(item -> set.withhold(new Changes.Withheld(job.id(), item)));
      if (approve.followUp() != null) {
        follow(job, approve.followUp());
      }
      set.audit(
          job,
          approve.actor(),
          "job.approve",
          Map.of("approved", "" + approved.size(), "declined", "" + declined));
    }
    return result;
  }

  private static boolean isLeftOut(Transaction.Item item, Set<UUID> approved) {
    return item.approved() == null && !approved.contains(item.id());
  }

  private static String verdict(int approved, int declined) {
    return declined == 0
        ? "Approved"
        : "Approved %d of %d".formatted(approved, approved + declined);
  }

  /** What was let through is delivered, and the time that it took is what it took. */
  private static long units(Job job, int approved) {
    return job.terms().rules().price().unit() == Price.Unit.SECOND ? job.delivered() : approved;
  }

  private static Summary counts(int approved, int declined, int remaining) {
    SortedMap<String, String> counts = new TreeMap<>();
    counts.put("approved", "" + approved);
    counts.put("declined", "" + declined);
    counts.put("remaining", "" + remaining);
    return new Summary(counts);
  }

  /** The approval itself may give some of the hold back, which then counts. */
  private Result.@Nullable InsufficientCredits shortage(
      Job approved, Report.@Nullable FollowUp followUp) {
    if (followUp == null) {
      return null;
    }
    long refund =
        Lifecycle.edge(approved.state(), Trigger.APPROVE, State.COMPLETED)
            .map(edge -> set.settlement(edge, approved).refunded())
            .orElse(0L);
    long balance = set.wallet(approved.terms().walletId()).balance() + refund;
    long cost = followUp.terms().cost();
    return balance >= cost ? null : new Result.InsufficientCredits(cost, balance);
  }

  private void follow(Job job, Report.FollowUp followUp) {
    Wallet wallet = set.wallet(job.terms().walletId());
    creation.create(
        new SubmitJob(
            followUp.id(),
            wallet.owner(),
            followUp.terms(),
            new SubmitJob.Identity(null, followUp.fingerprint(), null),
            new SubmitJob.Request(
                followUp.input(),
                job.terms().priority(),
                null,
                Changes.Links.follows(job.id().uuid()).with(followUp.labels())),
            QuotaUse.Limits.UNLIMITED,
            null),
        wallet.id());
  }

  Result decline(Job job, Report.Decline decline) {
    if (items(job).stream().anyMatch(ReviewReports::isApproved)) {
      return new Result.ItemsDecided();
    }
    // The owner gets nothing of it, whoever pays; time that is paid for stays what it took.
    long units = job.terms().rules().declineConsumes() ? units(job, 0) : 0;
    Job declined =
        Transitions.saying(job, "Declined: " + decline.reason())
            .with(job.summary().merge(counts(0, items(job).size(), 0)))
            .failing(new Failure("declined", decline.reason()))
            .delivering(units);
    Result result = moves.end(declined, Trigger.DECLINE, State.REJECTED);
    if (result instanceof Result.Done) {
      set.audit(job, decline.actor(), "job.decline", Map.of("reason", decline.reason()));
    }
    return result;
  }

  Result rejectByPolicy(Job job, Report.RejectByPolicy reject) {
    Job rejected = Transitions.saying(job, reject.why().message()).failing(reject.why());
    Result result = moves.end(rejected, Trigger.POLICY_RECHECK, State.REJECTED);
    if (result instanceof Result.Done) {
      set.audit(job, reject.actor(), "job.reject", Map.of("category", reject.why().code()));
    }
    return result;
  }
}
