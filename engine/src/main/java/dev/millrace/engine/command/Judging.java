package dev.millrace.engine.command;

import dev.millrace.engine.command.Report.Result;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.money.Price;
import dev.millrace.engine.money.Usage;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What reviewers and moderators decide about a job that is alive. */
record Judging(WorkingSet set, Moves moves, Creation creation, Map<JobId, List<UUID>> outputs) {

  /**
   * Lets a result through, whole or item by item. What follows up on it is paid from the same
   * wallet; if the wallet does not cover it, nothing is approved.
   */
  Result approve(Job job, Report.Approve approve) {
    if (job.state() != State.WAITING_REVIEW) {
      return new Result.Denied(job.state(), Trigger.APPROVE);
    }
    List<UUID> all = outputs.getOrDefault(job.id(), List.of());
    Set<UUID> approved = approve.items() == null ? new HashSet<>(all) : approve.items();
    Set<UUID> unknown = new HashSet<>(approved);
    all.forEach(unknown::remove);
    if (approved.isEmpty() || !unknown.isEmpty()) {
      return new Result.NoSuchItems(unknown);
    }
    long units = units(job, approved.size());
    long charge = job.facts().rules().price().charge(job.hold().amount(), units);
    Result.InsufficientCredits shortage = shortage(job, approve.followUp(), charge);
    if (shortage != null) {
      return shortage;
    }
    int declined = all.size() - approved.size();
    Result result =
        moves.end(
            job.delivering(units)
                .with(job.summary().merge(counts(approved.size(), declined)))
                .with(new Progress(100, "done", "Approved")),
            Trigger.APPROVE,
            State.COMPLETED,
            charge);
    if (result instanceof Result.Done) {
      all.stream()
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

  private static long units(Job job, int approved) {
    return job.facts().rules().price().unit() == Price.Unit.OUTPUT ? approved : job.delivered();
  }

  private static Summary counts(int approved, int declined) {
    SortedMap<String, String> counts = new TreeMap<>();
    counts.put("approved", "" + approved);
    counts.put("declined", "" + declined);
    counts.put("remaining", "0");
    return new Summary(counts);
  }

  /** The approval itself may give some of the hold back, which then counts. */
  private Result.@Nullable InsufficientCredits shortage(
      Job job, Report.@Nullable FollowUp followUp, long charge) {
    if (followUp == null) {
      return null;
    }
    Wallet wallet = set.wallet(job.facts().walletId());
    long balance = wallet.balance() + job.hold().amount() - charge;
    long cost = followUp.terms().cost();
    return balance >= cost ? null : new Result.InsufficientCredits(cost, balance);
  }

  private void follow(Job job, Report.FollowUp followUp) {
    Wallet wallet = set.wallet(job.facts().walletId());
    creation.create(
        new SubmitJob(
            followUp.id(),
            wallet.owner(),
            followUp.terms(),
            job.facts().priority(),
            new SubmitJob.Identity(null, followUp.fingerprint(), null),
            null,
            followUp.input(),
            Changes.Links.follows(job.id().uuid()),
            Usage.Limits.UNLIMITED,
            null),
        wallet.id());
  }

  Result decline(Job job, Report.Decline decline) {
    int items = outputs.getOrDefault(job.id(), List.of()).size();
    Job declined =
        Moves.saying(job, "Declined: " + decline.reason())
            .with(job.summary().merge(counts(0, items)))
            .failing(new Failure("declined", decline.reason()));
    long charge =
        job.facts().rules().declineConsumes()
            ? job.facts().rules().price().charge(job.hold().amount(), job.delivered())
            : 0;
    Result result = moves.end(declined, Trigger.DECLINE, State.REJECTED, charge);
    if (result instanceof Result.Done) {
      set.audit(job, decline.actor(), "job.decline", Map.of("reason", decline.reason()));
    }
    return result;
  }

  Result rejectByPolicy(Job job, Report.RejectByPolicy reject) {
    Job rejected = Moves.saying(job, reject.why().message()).failing(reject.why());
    Result result = moves.end(rejected, Trigger.POLICY_RECHECK, State.REJECTED, 0);
    if (result instanceof Result.Done) {
      set.audit(job, reject.actor(), "job.reject", Map.of("category", reject.why().code()));
    }
    return result;
  }
}
