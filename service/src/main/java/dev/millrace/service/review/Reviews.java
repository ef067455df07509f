package dev.millrace.service.review;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.files.Files;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.jobs.FollowOnJobs;
import dev.millrace.service.jobs.Reasons;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Decisions about the items of a result. Each leaves a line in the audit. */
public final class Reviews {

  private final Engine engine;
  private final FollowOnJobs followOns;
  private final Files files;

  public Reviews(Engine engine, FollowOnJobs followOns, Files files) {
    this.engine = engine;
    this.followOns = followOns;
    this.files = files;
  }

  /** What was said of an item. */
  public enum Verdict {
    OPEN,
    APPROVED,
    DECLINED
  }

  /** An item of a result. */
  public record Item(FileView file, Verdict verdict) {}

  /** Everything that the job made, with what was decided about it. */
  public List<Item> items(JobView job) {
    return made(job).stream().map(file -> new Item(file, verdict(job, file))).toList();
  }

  private static Verdict verdict(JobView job, FileView file) {
    if (job.state() == State.COMPLETED) {
      return file.review().withheld() ? Verdict.DECLINED : Verdict.APPROVED;
    }
    if (file.review().approved() == null) {
      return Verdict.OPEN;
    }
    return file.review().approved() ? Verdict.APPROVED : Verdict.DECLINED;
  }

  private List<FileView> made(JobView job) {
    return files.madeBy(job.request().tenantId(), job.id());
  }

  /**
   * What a reviewer lets through.
   *
   * @param items null for all that are open
   * @param followUp whether the effect's follow-up starts
   * @param declineRest whether what isn't named is declined, rather than left open
   * @param reason why the rest is declined; null if nobody said
   */
  public record Approval(
      @Nullable Set<UUID> items, boolean followUp, boolean declineRest, @Nullable String reason) {}

  /**
   * What a reviewer holds back.
   *
   * @param items null for all that are open
   * @param followUp whether the effect's follow-up starts with what was approved before
   */
  public record Refusal(String reason, @Nullable Set<UUID> items, boolean followUp) {}

  /** Which way a decision took. */
  public enum Step {
    /** Some items were decided, others are open. */
    REVIEWED,
    APPROVED,
    DECLINED
  }

  /** What becomes of a decision. */
  public sealed interface Outcome {

    record Decided(Step step, Report.Result result) implements Outcome {}

    /** Nothing was approved, because what follows can't start. */
    record FollowUpImpossible(String why) implements Outcome {}
  }

  /** What has been said of a result's items so far. */
  private record Items(Set<UUID> all, Set<UUID> approved, Set<UUID> declined) {

    static Items of(List<FileView> made) {
      Set<UUID> all = new LinkedHashSet<>();
      Set<UUID> approved = new LinkedHashSet<>();
      Set<UUID> declined = new LinkedHashSet<>();
      for (FileView file : made) {
        all.add(file.id());
        if (file.review().approved() != null) {
          (file.review().approved() ? approved : declined).add(file.id());
        }
      }
      return new Items(all, approved, declined);
    }

    /** Those that nobody has decided about, without these. */
    Set<UUID> openBut(Set<UUID> named) {
      Set<UUID> open = new LinkedHashSet<>(all);
      open.removeAll(approved);
      open.removeAll(declined);
      open.removeAll(named);
      return open;
    }
  }

  public Outcome approve(Principal by, JobView job, Approval wanted) throws InterruptedException {
    Items items = Items.of(made(job));
    @Nullable Set<UUID> named = wanted.items();
    Set<UUID> chosen = named == null ? items.openBut(Set.of()) : named;
    boolean waits = !wanted.declineRest() && !chosen.isEmpty() && !items.openBut(chosen).isEmpty();
    if (waits) {
      return review(by, job, new Decision(chosen, Set.of(), null));
    }
    Set<UUID> approved = new LinkedHashSet<>(chosen);
    if (named == null || !named.isEmpty()) {
      approved.addAll(items.approved);
    }
    return conclude(by, job, items.all, new Ending(approved, wanted.followUp(), wanted.reason()));
  }

  /** Declines all that is open, or some; what was approved before is delivered at the end. */
  public Outcome decline(Principal by, JobView job, Refusal wanted) throws InterruptedException {
    Items items = Items.of(made(job));
    @Nullable Set<UUID> named = wanted.items();
    Set<UUID> chosen = named == null ? items.openBut(Set.of()) : named;
    String reason = Reasons.shown(wanted.reason());
    boolean known = items.all.containsAll(chosen) && (named == null || !named.isEmpty());
    if (!known || !items.openBut(chosen).isEmpty()) {
      return review(by, job, new Decision(Set.of(), chosen, reason));
    }
    return items.approved.isEmpty()
        ? decided(Step.DECLINED, new Report.Decline(id(job), by.actor(), reason))
        : conclude(by, job, items.all, new Ending(items.approved, wanted.followUp(), reason));
  }

  private record Decision(Set<UUID> approved, Set<UUID> declined, @Nullable String reason) {}

  private Outcome review(Principal by, JobView job, Decision said) throws InterruptedException {
    return decided(
        Step.REVIEWED,
        new Report.ReviewItems(
            id(job), by.actor(), said.approved(), said.declined(), said.reason()));
  }

  /**
   * How a review ends.
   *
   * @param reason why what isn't approved was declined at last; null if nobody said
   */
  private record Ending(Set<UUID> approved, boolean followUp, @Nullable String reason) {
    Ending {
      reason = reason == null ? null : Reasons.shown(reason);
    }
  }

  /**
   * The end of a review. What is approved is named to the engine, which refuses if somebody has
   * decided otherwise meanwhile; so what follows up gets these items and no others.
   */
  private Outcome conclude(Principal by, JobView job, Set<UUID> all, Ending ending)
      throws InterruptedException {
    Set<UUID> approved = ending.approved();
    boolean refused =
        job.state() != State.WAITING_REVIEW || approved.isEmpty() || !all.containsAll(approved);
    if (refused || !ending.followUp()) {
      return approve(by, job, ending, null);
    }
    List<UUID> inOrder = all.stream().filter(approved::contains).toList();
    return switch (followOns.followUp(job, inOrder, all.size() - inOrder.size())) {
      case FollowOnJobs.Next.Nothing() -> approve(by, job, ending, null);
      case FollowOnJobs.Next.FollowUp(var next) -> approve(by, job, ending, next);
      case FollowOnJobs.Next.Impossible(String why) -> new Outcome.FollowUpImpossible(why);
    };
  }

  private Outcome approve(Principal by, JobView job, Ending ending, Report.@Nullable FollowUp next)
      throws InterruptedException {
    return decided(
        Step.APPROVED,
        new Report.Approve(id(job), by.actor(), ending.approved(), next, ending.reason()));
  }

  private Outcome decided(Step step, Report.ByPerson decision) throws InterruptedException {
    return new Outcome.Decided(step, engine.report(decision));
  }

  private static JobId id(JobView job) {
    return new JobId(job.request().tenantId(), job.id());
  }
}
