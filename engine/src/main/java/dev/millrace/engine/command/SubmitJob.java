package dev.millrace.engine.command;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.JobTerms;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.money.QuotaUse;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes.Links;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Asks for one paid job.
 *
 * @param id made by the caller, so that asking twice cannot make two
 * @param limits what is usual for a user; the wallet may say otherwise
 * @param denial what a gate said, if it denied: the job is then stored as blocked
 */
public record SubmitJob(
    UUID id,
    Wallet.Owner owner,
    Terms terms,
    Identity identity,
    Request request,
    QuotaUse.Limits limits,
    @Nullable Denial denial) {

  /**
   * What is to be done, and when.
   *
   * @param input resolved and validated, a JSON text
   * @param runAt not before this, or null for at once
   * @param summary what it begins with, such as that of the job which it does again
   */
  public record Request(
      String input, int priority, @Nullable Instant runAt, Links links, Summary summary) {

    public Request(String input, int priority, @Nullable Instant runAt, Links links) {
      this(input, priority, runAt, links, Summary.EMPTY);
    }

    /** The same as part of a batch. */
    Request in(UUID batch) {
      return new Request(
          input,
          priority,
          runAt,
          new Links(links.retryOf(), links.follows(), batch, links.labels()),
          summary);
    }
  }

  /**
   * What makes two requests the same.
   *
   * @param key the user's idempotency key, or null
   * @param fingerprint tells whether two requests with one key ask for the same
   * @param window within this time a second request with the same fingerprint counts as the same
   *     even without a key; null for never
   */
  public record Identity(@Nullable String key, String fingerprint, @Nullable Duration window) {}

  /**
   * Why a gate said no, in words for the user.
   *
   * @param category one word, such as {@code violence}
   */
  public record Denial(String category, String message) {}

  /** What the effect says about its jobs. */
  public record Terms(
      int effectId,
      int workflowId,
      long cost,
      int maxFailures,
      int maxInterruptions,
      int runSeconds,
      int queueSeconds,
      JobTerms.Rules rules) {
    public Terms {
      if (cost < 0) {
        throw new IllegalArgumentException("a cost is never negative");
      }
      if (maxFailures < 1 || maxInterruptions < 1) {
        throw new IllegalArgumentException("a cap on tries is 1 at least: the one that ends it");
      }
      if (runSeconds < 1 || queueSeconds < 1) {
        throw new IllegalArgumentException("a job has some time to wait and to run");
      }
    }
  }

  public JobId jobId() {
    return new JobId(owner.tenant(), id);
  }

  public String input() {
    return request.input;
  }

  public int priority() {
    return request.priority;
  }

  public @Nullable Instant runAt() {
    return request.runAt;
  }

  public Links links() {
    return request.links;
  }

  Summary summary() {
    return request.summary;
  }

  /** The same for a job that begins with this summary. */
  public SubmitJob beginningWith(Summary summary) {
    Request begun =
        new Request(request.input, request.priority, request.runAt, request.links, summary);
    return new SubmitJob(id, owner, terms, identity, begun, limits, denial);
  }

  /** The same request as part of a batch. */
  SubmitJob in(UUID batch) {
    return new SubmitJob(id, owner, terms, identity, request.in(batch), limits, denial);
  }

  /** How a submit ended. */
  public sealed interface Result {

    record Accepted(Job job) implements Result {}

    /** It was asked for before. Nothing was charged. */
    record Replayed(JobId job) implements Result {}

    /** The key was used before, for another request. */
    record KeyMismatch(JobId job) implements Result {}

    /** A gate denied it. The job is stored, without a hold, and its key stays free. */
    record Blocked(Job job, Denial denial) implements Result {}

    /** The user has as many live jobs as they may have. */
    record TooManyActive(int limit) implements Result {}

    /** The user had as many jobs today as they may have. */
    record QuotaUsedUp(int limit, Instant resetsAt) implements Result {}

    /** The user has stored as many bytes as they may, so that there is no room for a result. */
    record StorageFull(long used, long limit) implements Result {}

    record InsufficientCredits(long required, long balance) implements Result {}

    /** It would have been accepted, but others of its batch were not, and it is all or nothing. */
    record Withheld() implements Result {}
  }
}
