package dev.millrace.service.fleet;

import dev.millrace.contract.text.OwnerText;
import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.Report.Result;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.ProgressReport;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.postgres.fleet.HeldLease;
import dev.millrace.postgres.fleet.Leases;
import dev.millrace.service.files.UploadedOutputs.Judgement;
import dev.millrace.service.fleet.OutputIntake.Intake;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What workers say about the jobs that they hold. Whoever doesn't hold the lease is told so, and
 * changes nothing; but a report that counted once, and whose answer got lost, is answered again.
 */
public final class WorkerReports {

  private static final List<Trigger> FAILED =
      List.of(
          Trigger.RETRYABLE_ERROR,
          Trigger.PERMANENT_ERROR,
          Trigger.SAFETY_FILTER,
          Trigger.CANCEL_ACKNOWLEDGED);
  private static final List<Trigger> STOPPED =
      List.of(Trigger.REQUEUE, Trigger.CANCEL_ACKNOWLEDGED);
  private static final List<Trigger> DELIVERED =
      List.of(
          Trigger.COMPLETE,
          Trigger.RETRYABLE_ERROR,
          Trigger.PERMANENT_ERROR,
          Trigger.CANCEL_ACKNOWLEDGED);

  private final Leases leases;
  private final LeaseMemory memory;
  private final Engine engine;
  private final OutputIntake deliveries;
  private final WorkerFiles files;
  private final DoubleSupplier jitter;

  WorkerReports(
      Leases leases,
      LeaseMemory memory,
      Engine engine,
      OutputIntake deliveries,
      WorkerFiles files,
      DoubleSupplier jitter) {
    this.leases = leases;
    this.memory = memory;
    this.engine = engine;
    this.deliveries = deliveries;
    this.files = files;
    this.jitter = jitter;
  }

  /** Whose lease is meant. */
  public record Claimed(String worker, UUID job, UUID token) {}

  /** What a worker tells while it works; what it leaves out stays as it was. */
  public record News(
      @Nullable Integer percent,
      @Nullable String step,
      @Nullable String message,
      Summary summary) {}

  /** How an attempt failed, in the worker's own words. */
  public record Trouble(Report.Fail.Kind kind, String message, @Nullable Duration retryAfter) {}

  /** Extends the lease, and tells its holder of the job as it is now. */
  public ReportResult.OfHeartbeat heartbeat(Claimed claimed, News news)
      throws InterruptedException {
    HeldLease lease = memory.find(claimed).orElse(null);
    if (lease == null) {
      return new ReportResult.StaleLease();
    }
    ProgressReport told =
        new ProgressReport(news.percent(), shown(news.step()), shown(news.message()), false);
    Result result =
        engine.report(new Report.Heartbeat(job(lease), claimed.token(), told, news.summary()));
    return result instanceof Result.Done(Job job)
        ? new ReportResult.Extended(lease, job)
        : refused(result);
  }

  private static @Nullable String shown(@Nullable String text) {
    return text == null ? null : OwnerText.line(text);
  }

  /** The lease, if this worker has it now: for what is handed out while it works. */
  public Optional<HeldLease> held(Claimed claimed) {
    return memory.look(claimed);
  }

  /** Delivers. What isn't there as announced fails the attempt, and nothing is paid for. */
  public ReportResult.OfEnding complete(
      Claimed claimed, List<DeliveredOutput> delivered, Summary summary)
      throws InterruptedException {
    HeldLease lease = memory.find(claimed).orElse(null);
    if (lease == null) {
      return again(claimed, DELIVERED);
    }
    return switch (deliveries.take(lease, delivered)) {
      case Intake.Whole whole -> complete(claimed, lease, whole, summary);
      case Intake.Refused(Judgement.Bad why) -> refuse(claimed, lease, why);
      case Intake.Senseless(int index, String why) -> new ReportResult.SenselessOutput(index, why);
      case Intake.StorageAway() -> new ReportResult.StorageAway();
    };
  }

  private ReportResult.OfEnding complete(
      Claimed claimed, HeldLease lease, Intake.Whole whole, Summary summary)
      throws InterruptedException {
    Result result =
        end(claimed, new Report.Complete(job(lease), claimed.token(), whole.files(), summary));
    if (!(result instanceof Result.Done(Job job))) {
      return answer(claimed, result, DELIVERED);
    }
    boolean delivered = job.state() == State.COMPLETED || job.state() == State.WAITING_REVIEW;
    if (!delivered) {
      files.discard(lease);
    }
    return new ReportResult.Ended(job.state(), null, !delivered || job.summary().has(summary));
  }

  private ReportResult.OfEnding refuse(Claimed claimed, HeldLease lease, Judgement.Bad why)
      throws InterruptedException {
    Failure failure = new Failure(why.code(), why.message());
    Report.Fail.Kind kind =
        why.worthRetrying() ? Report.Fail.Kind.RETRYABLE : Report.Fail.Kind.PERMANENT;
    Result result =
        end(
            claimed,
            new Report.Fail(
                job(lease), claimed.token(), kind, failure, null, jitter.getAsDouble()));
    if (result instanceof Result.Done(Job job)) {
      files.discard(lease);
      return new ReportResult.Ended(job.state(), failure, true);
    }
    return answer(claimed, result, DELIVERED);
  }

  public ReportResult.OfEnding fail(Claimed claimed, Trouble trouble) throws InterruptedException {
    HeldLease lease = memory.find(claimed).orElse(null);
    if (lease == null) {
      return again(claimed, FAILED);
    }
    boolean unsafe = trouble.kind() == Report.Fail.Kind.SAFETY;
    Failure failure = new Failure(unsafe ? "safety" : "failed", OwnerText.error(trouble.message()));
    Report report =
        new Report.Fail(
            job(lease),
            claimed.token(),
            trouble.kind(),
            failure,
            trouble.retryAfter(),
            jitter.getAsDouble(),
            null,
            // Tenants read their audit, and don't learn what workers are called.
            unsafe ? new Report.Fail.Refusal("safety", "worker_filter", "worker") : null);
    return answer(claimed, end(claimed, report), FAILED);
  }

  public ReportResult.OfEnding requeue(Claimed claimed, String reason) throws InterruptedException {
    HeldLease lease = memory.find(claimed).orElse(null);
    if (lease == null) {
      return again(claimed, STOPPED);
    }
    Report report = new Report.Requeue(job(lease), claimed.token(), OwnerText.line(reason));
    return answer(claimed, end(claimed, report), STOPPED);
  }

  /** The worker stopped because it was asked to. */
  public ReportResult.OfEnding canceled(Claimed claimed) throws InterruptedException {
    HeldLease lease = memory.find(claimed).orElse(null);
    if (lease == null) {
      return again(claimed, STOPPED);
    }
    Report report = new Report.AcknowledgeCancel(job(lease), claimed.token());
    return answer(claimed, end(claimed, report), STOPPED);
  }

  private Result end(Claimed claimed, Report report) throws InterruptedException {
    memory.forget(claimed.token());
    return engine.report(report);
  }

  private static JobId job(HeldLease lease) {
    return new JobId(lease.tenantId(), lease.jobId());
  }

  private ReportResult.OfEnding answer(Claimed claimed, Result result, List<Trigger> meant) {
    if (result instanceof Result.StaleLease) {
      return again(claimed, meant);
    }
    return result instanceof Result.Done(Job job)
        ? new ReportResult.Ended(job.state())
        : refused(result);
  }

  /** What the first report was answered, if this is a repeat of it. */
  private ReportResult.OfEnding again(Claimed claimed, List<Trigger> meant) {
    List<String> triggers = meant.stream().map(Trigger::label).toList();
    return leases
        .ending(claimed.worker(), claimed.job(), claimed.token(), triggers)
        .<ReportResult.OfEnding>map(state -> new ReportResult.Ended(State.ofLabel(state)))
        .orElseGet(ReportResult.StaleLease::new);
  }

  private static ReportResult.Refused refused(Result result) {
    return switch (result) {
      case Result.Denied(State state, _) -> new ReportResult.Denied(state);
      case Result.Done _ -> throw new IllegalStateException("It was not refused");
      case Result.StaleLease _,
          Result.Missing _,
          Result.Repeated _,
          Result.InsufficientCredits _,
          Result.NoSuchItems _,
          Result.ItemsDecided _,
          Result.NotNow _ ->
          new ReportResult.StaleLease();
    };
  }
}
