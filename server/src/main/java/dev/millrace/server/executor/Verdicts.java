package dev.millrace.server.executor;

import dev.millrace.contract.provider.Outcome;
import dev.millrace.contract.provider.Output;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.Report.Fail.Kind;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.OutputFile;
import dev.millrace.engine.job.Summary;
import dev.millrace.server.objects.ObjectStoreException;
import dev.millrace.server.objects.OutputRefused;
import dev.millrace.server.objects.Outputs;
import dev.millrace.server.objects.StoredOutput;
import dev.millrace.server.objects.Verification;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.DoubleSupplier;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns a provider's outcome into the report that the engine understands. */
public final class Verdicts {

  private static final Logger LOG = LoggerFactory.getLogger(Verdicts.class);
  private static final Duration LONGEST_RETRY_AFTER = Duration.ofHours(1);

  /** As many as a reviewer can name in one request. */
  private static final int MOST_OUTPUTS = 1_000;

  private final Outputs outputs;
  private final IntFunction<String> tenantSlug;
  private final DoubleSupplier jitter;

  public Verdicts(Outputs outputs, IntFunction<String> tenantSlug, DoubleSupplier jitter) {
    this.outputs = outputs;
    this.tenantSlug = tenantSlug;
    this.jitter = jitter;
  }

  Report judge(Attempt attempt, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Succeeded succeeded -> succeeded(attempt, succeeded);
      case Outcome.Rejected(String category) ->
          fail(attempt, Kind.SAFETY, "safety", "Refused by a safety filter: " + category, null);
      case Outcome.Throttled(var retryAfter) ->
          fail(
              attempt,
              Kind.RETRYABLE,
              "throttled",
              "The executor asks for a pause.",
              retryAfter.orElse(null));
      case Outcome.Unavailable(String message, var retryAfter) ->
          fail(attempt, Kind.RETRYABLE, "unavailable", message, retryAfter.orElse(null));
      case Outcome.Failed(String message) -> fail(attempt, Kind.PERMANENT, "failed", message, null);
      case Outcome.Uncertain(String message) ->
          fail(attempt, Kind.PERMANENT, "uncertain", message, null);
      case Outcome.Canceled() -> stopped(attempt);
    };
  }

  private Report stopped(Attempt attempt) {
    JobId job = attempt.job().id();
    UUID token = attempt.leased().token();
    return attempt.shouldBeGivenBack()
        ? new Report.Requeue(job, token, "the server is shutting down")
        : new Report.AcknowledgeCancel(job, token);
  }

  private Report succeeded(Attempt attempt, Outcome.Succeeded succeeded) {
    try {
      Summary summary = PlainFacts.summary(succeeded.summary());
      if (succeeded.outputs().size() > MOST_OUTPUTS) {
        return badOutput(attempt, "there are more than " + MOST_OUTPUTS + " outputs");
      }
      List<OutputFile> files = new ArrayList<>();
      for (Output output : succeeded.outputs()) {
        files.add(store(attempt, output));
      }
      return new Report.Complete(attempt.job().id(), attempt.leased().token(), files, summary);
    } catch (PlainFacts.Refused e) {
      return badOutput(attempt, String.valueOf(e.getMessage()));
    } catch (OutputRefused e) {
      discard(attempt);
      return badOutput(attempt, String.valueOf(e.getMessage()));
    } catch (IOException | ObjectStoreException e) {
      LOG.error("The outputs of job {} could not be stored", attempt.jobId(), e);
      discard(attempt);
      return fail(attempt, Kind.RETRYABLE, "storage", "The output could not be stored.", null);
    }
  }

  private OutputFile store(Attempt attempt, Output output) throws IOException {
    StoredOutput stored =
        outputs.store(output, tenant(attempt), attempt.jobId(), attempt.attempt());
    Verification verification = outputs.verify(stored);
    if (!verification.intact()) {
      throw new IOException("the stored output is " + verification);
    }
    return new OutputFile(
        stored.fileId(),
        stored.key(),
        stored.name(),
        stored.mediaType(),
        stored.size(),
        stored.sha256(),
        stored.width(),
        stored.height(),
        stored.thumbnailKey());
  }

  /** Nothing points to these files, so nobody misses them; a failure here only costs room. */
  void discard(Attempt attempt) {
    try {
      outputs.discard(tenant(attempt), attempt.jobId(), attempt.attempt());
    } catch (ObjectStoreException e) {
      LOG.warn("Outputs of job {} were left behind", attempt.jobId(), e);
    }
  }

  private String tenant(Attempt attempt) {
    return tenantSlug.apply(attempt.job().id().tenant());
  }

  private Report badOutput(Attempt attempt, String why) {
    return fail(attempt, Kind.PERMANENT, "bad_output", "Refused: " + why, null);
  }

  private Report fail(
      Attempt attempt, Kind kind, String code, String message, @Nullable Duration retryAfter) {
    Duration bounded =
        retryAfter == null || retryAfter.compareTo(LONGEST_RETRY_AFTER) <= 0
            ? retryAfter
            : LONGEST_RETRY_AFTER;
    return new Report.Fail(
        attempt.job().id(),
        attempt.leased().token(),
        kind,
        new Failure(code, PublicText.of(message)),
        bounded == null || bounded.isNegative() ? null : bounded,
        jitter.getAsDouble());
  }
}
