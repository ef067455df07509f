package dev.millrace.engine.sim;

import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The refusals of reports that are no matter of the table. */
final class Refusals {

  private static final Set<State> RETRYABLE =
      EnumSet.of(State.FAILED, State.DEAD_LETTER, State.EXPIRED);

  private Refusals() {}

  /** Null if there is none. */
  static Report.@Nullable Result expected(
      Job job,
      Report report,
      long balance,
      Map<JobId, List<UUID>> outputs,
      Map<UUID, Boolean> reviewed) {
    return switch (report) {
      case Report.Delete _ -> job.state().live() ? new Report.Result.NotNow(job.state()) : null;
      case Report.Overturn _ ->
          job.state() == State.REJECTED ? null : new Report.Result.NotNow(job.state());
      case Report.RetryInPlace retry -> {
        boolean possible =
            RETRYABLE.contains(job.state()) && retry.workflowId() == job.terms().workflowId();
        yield possible && balance < job.hold().amount()
            ? new Report.Result.InsufficientCredits(job.hold().amount(), balance)
            : null;
      }
      case Report.Approve approve -> {
        List<UUID> all = outputs.getOrDefault(job.id(), List.of());
        yield job.state() == State.WAITING_REVIEW
            ? approve(job, approve, balance, all, reviewed)
            : null;
      }
      case Report.ReviewItems items -> {
        List<UUID> all = outputs.getOrDefault(job.id(), List.of());
        yield job.state() == State.WAITING_REVIEW ? review(items, all, reviewed) : null;
      }
      case Report.Decline _ -> {
        List<UUID> all = outputs.getOrDefault(job.id(), List.of());
        boolean approved = all.stream().anyMatch(item -> Boolean.TRUE.equals(reviewed.get(item)));
        yield job.state() == State.WAITING_REVIEW && approved
            ? new Report.Result.ItemsDecided()
            : null;
      }
      default -> null;
    };
  }

  private static Report.@Nullable Result approve(
      Job job, Report.Approve approve, long balance, List<UUID> all, Map<UUID, Boolean> reviewed) {
    Set<UUID> unknown = new HashSet<>(approve.items() == null ? Set.of() : approve.items());
    all.forEach(unknown::remove);
    int approved = approve.items() == null ? all.size() : approve.items().size();
    if (approved == 0 || !unknown.isEmpty()) {
      return new Report.Result.NoSuchItems(unknown);
    }
    for (UUID item : all) {
      boolean now = approve.items() == null || approve.items().contains(item);
      if (reviewed.containsKey(item) && reviewed.get(item) != now) {
        return new Report.Result.ItemsDecided();
      }
    }
    if (approve.followUp() == null) {
      return null;
    }
    long after = balance + job.hold().amount() - Prices.approved(job, approved);
    long cost = approve.followUp().terms().cost();
    return after < cost ? new Report.Result.InsufficientCredits(cost, after) : null;
  }

  private static Report.@Nullable Result review(
      Report.ReviewItems items, List<UUID> all, Map<UUID, Boolean> reviewed) {
    Set<UUID> unknown = new HashSet<>(items.approved());
    unknown.addAll(items.declined());
    Set<UUID> named = Set.copyOf(unknown);
    all.forEach(unknown::remove);
    if (named.isEmpty() || !unknown.isEmpty()) {
      return new Report.Result.NoSuchItems(unknown);
    }
    boolean open = false;
    for (UUID item : all) {
      Boolean before = reviewed.get(item);
      if (named.contains(item) && before != null && before != items.approved().contains(item)) {
        return new Report.Result.ItemsDecided();
      }
      open |= before == null && !named.contains(item);
    }
    return open ? null : new Report.Result.ItemsDecided();
  }
}
