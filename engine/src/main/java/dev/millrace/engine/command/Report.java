package dev.millrace.engine.command;

import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.OutputFile;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.ProgressReport;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.port.Callback;
import dev.millrace.engine.port.Changes;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Something that happened to a job that exists. */
public sealed interface Report {

  /**
   * False if no wallet can be touched by it, whatever the job's state. A deletion touches none
   * either, but it waits for its wallet: a submit that holds the wallet may be answering with the
   * job that is to be deleted.
   */
  default boolean maySettle() {
    return switch (this) {
      case Heartbeat _, Promote _, Reroute _, Intend _, Unconfirmed _, Accept _, Made _ -> false;
      case Complete _,
          Fail _,
          Requeue _,
          AcknowledgeCancel _,
          Cancel _,
          LoseLease _,
          MissDeadline _,
          Delete _,
          ReviewItems _,
          Approve _,
          Decline _,
          RejectByPolicy _,
          Overturn _,
          RetryInPlace _ ->
          true;
    };
  }

  JobId job();

  /** What a lease's holder says. It counts only while the lease is alive. */
  sealed interface ByLease extends Report {
    UUID token();
  }

  /** Still alive; extends the lease. */
  record Heartbeat(JobId job, UUID token, ProgressReport told, Summary summary) implements ByLease {

    /** A null progress says nothing new. */
    public Heartbeat(JobId job, UUID token, @Nullable Progress progress, Summary summary) {
      this(job, token, ProgressReport.of(progress), summary);
    }
  }

  /** What decides an attempt. */
  sealed interface Deciding extends ByLease {
    /** The callback in the inbox that says so, or null. It is judged with the attempt. */
    Callback.@Nullable Id cause();
  }

  /** The work is done and its outputs are verified. */
  record Complete(
      JobId job, UUID token, List<OutputFile> outputs, Summary summary, Callback.@Nullable Id cause)
      implements Deciding {
    public Complete {
      outputs = List.copyOf(outputs);
      if (outputs.isEmpty()) {
        throw new IllegalArgumentException("completed without an output");
      }
    }

    /** As its worker says, without a callback. */
    public Complete(JobId job, UUID token, List<OutputFile> outputs, Summary summary) {
      this(job, token, outputs, summary, null);
    }
  }

  /**
   * The attempt did not work out.
   *
   * @param retryAfter what the other side asked for, or null
   * @param jitter from 0 to 1, drawn by the caller
   * @param refusal what a safety filter objected to, for the audit; null if that isn't known
   */
  record Fail(
      JobId job,
      UUID token,
      Kind kind,
      Failure failure,
      @Nullable Duration retryAfter,
      double jitter,
      Callback.@Nullable Id cause,
      @Nullable Refusal refusal)
      implements Deciding {
    /** As its worker says, without a callback. */
    public Fail(
        JobId job,
        UUID token,
        Kind kind,
        Failure failure,
        @Nullable Duration retryAfter,
        double jitter) {
      this(job, token, kind, failure, retryAfter, jitter, null, null);
    }

    /** As a callback says, if there is one. */
    public Fail(
        JobId job,
        UUID token,
        Kind kind,
        Failure failure,
        @Nullable Duration retryAfter,
        double jitter,
        Callback.@Nullable Id cause) {
      this(job, token, kind, failure, retryAfter, jitter, cause, null);
    }

    /** The same, judged by itself. */
    public Fail withoutCause() {
      return new Fail(job, token, kind, failure, retryAfter, jitter, null, refusal);
    }

    /**
     * What a safety filter objected to.
     *
     * @param rule whose filter it was: the provider's, or the worker's
     * @param provider who ran the attempt
     */
    public record Refusal(String category, String rule, String provider) {}

    /** Whether another try can help. */
    public enum Kind {
      RETRYABLE,
      PERMANENT,
      SAFETY
    }
  }

  /**
   * The attempt is about to be handed to an outside provider. This is committed before the call, so
   * that nobody ever hands it over a second time without knowing. An attempt has one intent, and an
   * intent one submit.
   *
   * @param settledBefore of how many earlier attempts, of which nobody had heard, the provider has
   *     said what became of them; null if it was not asked
   */
  record Intend(JobId job, UUID token, String provider, @Nullable Integer settledBefore)
      implements ByLease {
    public Intend(JobId job, UUID token, String provider) {
      this(job, token, provider, null);
    }
  }

  /**
   * Nobody knows whether the provider took this attempt, or one before it. From here on the
   * provider is asked, and nothing is sent until it has said.
   */
  record Unconfirmed(JobId job, UUID token, String provider) implements ByLease {}

  /** The provider took the attempt, under a reference of its own. */
  record Accept(JobId job, UUID token, String reference) implements ByLease {}

  /**
   * The provider has made the result, which has to be fetched. So the callback's deadline is met,
   * and what is left has a patience of its own.
   */
  record Made(JobId job, UUID token) implements ByLease {
    /** What a job's owner reads from then on; it tells such a job from others that are out. */
    public static final String MESSAGE = "Done by the provider; its result is being fetched";
  }

  /** The worker has to stop, through no fault of the job. */
  record Requeue(JobId job, UUID token, String reason) implements ByLease {}

  /** The worker stopped because it was asked to. */
  record AcknowledgeCancel(JobId job, UUID token) implements ByLease {}

  /**
   * Its owner, or somebody with a role, does not want it any more.
   *
   * @param actor who, if it was not the owner: then it leaves a line in the audit
   */
  record Cancel(JobId job, @Nullable String actor) implements Report {
    public Cancel(JobId job) {
      this(job, null);
    }
  }

  /**
   * A lease seems lost.
   *
   * @param abandoned true if its holder is known to be gone, so that the lease need not run out
   */
  record LoseLease(JobId job, UUID token, boolean abandoned) implements Report {}

  /** A deadline seems to have passed. */
  record MissDeadline(JobId job) implements Report {}

  /**
   * A pending job seems to be due.
   *
   * @param workflowId the job's own; it is named so that its queue can be locked first
   */
  record Promote(JobId job, int workflowId) implements Report {}

  /**
   * A job that waits should wait in another queue, because its own is too slow for it. A job that
   * has moved on since it was seen stays where it is.
   *
   * @param from the queue that it was seen in
   * @param to where it gets a place as if it came now
   * @param attempts how many it had then
   * @param message what its owner reads
   */
  record Reroute(JobId job, int from, int to, int attempts, String message) implements Report {}

  /** What somebody with a role decides; it leaves a line in the audit. */
  sealed interface ByPerson extends Report {
    /** Who, as the audit names them. */
    String actor();
  }

  /**
   * A reviewer decides about some outputs while others stay open. Who decides about the last one
   * approves or declines the result.
   *
   * @param reason why some were declined, which their owner reads; null if nobody said
   */
  record ReviewItems(
      JobId job, String actor, Set<UUID> approved, Set<UUID> declined, @Nullable String reason)
      implements ByPerson {
    public ReviewItems {
      approved = Set.copyOf(approved);
      declined = Set.copyOf(declined);
    }

    public ReviewItems(JobId job, String actor, Set<UUID> approved, Set<UUID> declined) {
      this(job, actor, approved, declined, null);
    }
  }

  /**
   * A reviewer lets a result through, and with that decides about all that is open.
   *
   * @param items the outputs to let through, those that were approved before included; null for all
   *     that were not declined
   * @param followUp the job that goes on with them, made in the same transaction, or null
   * @param reason why the others that were open are declined; null if nobody said
   */
  record Approve(
      JobId job,
      String actor,
      @Nullable Set<UUID> items,
      @Nullable FollowUp followUp,
      @Nullable String reason)
      implements ByPerson {
    public Approve {
      items = items == null ? null : Set.copyOf(items);
    }

    public Approve(
        JobId job, String actor, @Nullable Set<UUID> items, @Nullable FollowUp followUp) {
      this(job, actor, items, followUp, null);
    }
  }

  /**
   * A job that goes on with what was approved, for the same user.
   *
   * @param input resolved, a JSON text
   * @param labels those of the job that it follows
   */
  record FollowUp(
      UUID id, SubmitJob.Terms terms, String fingerprint, String input, Changes.Labels labels) {}

  /** A reviewer does not let a result through, of which nothing was approved. */
  record Decline(JobId job, String actor, String reason) implements ByPerson {}

  /** A moderator takes a rejection back: its credits are given back, once. */
  record Overturn(JobId job, String actor, String reason) implements ByPerson {}

  /** A moderator, or a rule that is new, does not let a waiting job begin. */
  record RejectByPolicy(JobId job, String actor, Failure why) implements ByPerson {}

  /**
   * An administrator lets a job that ended badly go on, with new tries and a new hold.
   *
   * @param workflowId the job's own; it is named so that its queue can be locked first
   * @param maxFailures how many more may happen
   */
  record RetryInPlace(
      JobId job, String actor, int workflowId, int maxFailures, int maxInterruptions)
      implements ByPerson {
    public RetryInPlace {
      if (maxFailures < 1 || maxInterruptions < 1) {
        throw new IllegalArgumentException("a retry has at least one try");
      }
    }
  }

  /** Nobody wants to see the job any more. */
  record Delete(JobId job, String actor) implements ByPerson {}

  /** What became of a report. */
  sealed interface Result {

    /** It counted, or changed nothing because it was so already. */
    record Done(Job job) implements Result {}

    /** The lease is not, or no longer, the reporter's. Nothing changed. */
    record StaleLease() implements Result {}

    /** The table has no such edge from here. Nothing changed. */
    record Denied(State state, Trigger trigger) implements Result {}

    /** There is no such job, or it was deleted. */
    record Missing() implements Result {}

    /** The callback was judged before. Nothing changed. */
    record Repeated() implements Result {}

    /** The wallet does not cover it. Nothing changed. */
    record InsufficientCredits(long required, long balance) implements Result {}

    /** These are not outputs of the job, or none were named. Nothing changed. */
    record NoSuchItems(Set<UUID> items) implements Result {}

    /** Somebody else decided about an item meanwhile. Nothing changed: look again. */
    record ItemsDecided() implements Result {}

    /** It is in the wrong state for what is no transition. Nothing changed. */
    record NotNow(State state) implements Result {}
  }
}
