package dev.millrace.engine.port;

import dev.millrace.engine.job.Attempt;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.OutputFile;
import dev.millrace.engine.money.LedgerLine;
import dev.millrace.engine.money.Wallet;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Everything one batch decided, written together or not at all. */
public record Changes(
    Instant at,
    List<NewBatch> batches,
    OfJobs jobs,
    OfMoney money,
    OfResults results,
    OfQueues queues,
    OfInbox inbox,
    List<AuditLine> audits) {

  /**
   * Jobs and their history.
   *
   * @param changed the newest snapshot of each job that existed before
   * @param placed those of them that have another place: they were over and wait again, have come
   *     due, or have another queue now
   */
  public record OfJobs(
      List<NewJob> created, List<Job> changed, List<Placed> placed, List<JobEvent> events) {}

  /** Wallets as they are now, and the lines that say why. */
  public record OfMoney(List<Wallet> wallets, List<LedgerLine> ledger) {}

  /**
   * Attempts and what they brought.
   *
   * @param attempts what happened to attempts, in order
   * @param withheld outputs that a reviewer did not let through
   * @param reviewed outputs that a reviewer decided about while others of the result are open
   */
  public record OfResults(
      List<Attempt> attempts,
      List<JobOutput> outputs,
      List<Withheld> withheld,
      List<Reviewed> reviewed) {}

  /**
   * Who comes when.
   *
   * @param served for each queue, the greatest virtual start that left it
   */
  public record OfQueues(List<Share> shares, Map<Integer, Long> served) {}

  /**
   * Callbacks of providers.
   *
   * @param received those that came in, again or for the first time
   * @param judged those of which it is now known what became of them
   */
  public record OfInbox(List<Callback> received, List<Judged> judged) {}

  public List<NewJob> created() {
    return jobs.created;
  }

  public List<Job> changed() {
    return jobs.changed;
  }

  public List<Placed> placed() {
    return jobs.placed;
  }

  public List<JobEvent> events() {
    return jobs.events;
  }

  public List<Wallet> wallets() {
    return money.wallets;
  }

  public List<LedgerLine> ledger() {
    return money.ledger;
  }

  public List<Attempt> attempts() {
    return results.attempts;
  }

  public List<JobOutput> outputs() {
    return results.outputs;
  }

  public List<Withheld> withheld() {
    return results.withheld;
  }

  public List<Reviewed> reviewed() {
    return results.reviewed;
  }

  public List<Share> shares() {
    return queues.shares;
  }

  public Map<Integer, Long> served() {
    return queues.served;
  }

  public List<Callback> received() {
    return inbox.received;
  }

  public List<Judged> judged() {
    return inbox.judged;
  }

  /**
   * A job and what is stored beside it once.
   *
   * @param input the resolved input, a JSON text
   * @param fingerprint of the request, in hexadecimal
   */
  public record NewJob(
      Job job,
      long virtualStart,
      String input,
      @Nullable String key,
      String fingerprint,
      Links links) {}

  /**
   * Where a job comes from.
   *
   * @param retryOf the job that it does again
   * @param follows the job whose approved result it goes on with
   * @param batch the batch that it was sent in
   */
  public record Links(
      @Nullable UUID retryOf, @Nullable UUID follows, @Nullable UUID batch, Labels labels) {
    public static final Links NONE = new Links(null, null, null, Labels.NONE);

    /**
     * The same once more, which goes on with the same result if the first one did.
     *
     * @param follows what the job to retry follows
     */
    public static Links retryOf(UUID job, @Nullable UUID follows) {
      return new Links(job, follows, null, Labels.NONE);
    }

    public static Links follows(UUID job) {
      return new Links(null, job, null, Labels.NONE);
    }

    public static Links in(UUID batch) {
      return new Links(null, null, batch, Labels.NONE);
    }

    /** The same for a job that is labelled so. */
    public Links with(Labels other) {
      return new Links(retryOf, follows, batch, other);
    }
  }

  /**
   * What whoever asked wrote on a job. Nothing is decided by it.
   *
   * @param workspace a label of the tenant's own, by which lists are filtered
   * @param notes whatever else is kept with the job, a JSON object
   */
  public record Labels(@Nullable String workspace, @Nullable String notes) {
    public static final Labels NONE = new Labels(null, null);

    public static Labels in(@Nullable String workspace) {
      return new Labels(workspace, null);
    }
  }

  /** A batch that was accepted, with its user's key for it. */
  public record NewBatch(
      int tenant,
      UUID id,
      long walletId,
      @Nullable String key,
      String fingerprint,
      boolean atomic,
      int size,
      @Nullable String workspace) {}

  /** A job's new place in its queue. */
  public record Placed(JobId job, long virtualStart) {}

  /** An accepted output and the attempt it came from. */
  public record JobOutput(JobId job, long walletId, int attempt, OutputFile file) {}

  /** What a reviewer said of one output, before the whole result is decided. */
  public record Reviewed(JobId job, UUID file, boolean approved) {}

  /** An output that was not let through. */
  public record Withheld(JobId job, UUID file) {}

  /** A callback's end, and the job that it spoke of if that is known. */
  public record Judged(Callback.Id id, Callback.Verdict verdict, @Nullable JobId job) {}

  public boolean isEmpty() {
    return created().isEmpty()
        && changed().isEmpty()
        && ledger().isEmpty()
        && attempts().isEmpty()
        && received().isEmpty()
        && judged().isEmpty()
        && audits.isEmpty();
  }
}
