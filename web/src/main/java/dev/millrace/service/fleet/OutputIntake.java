package dev.millrace.service.fleet;

import dev.millrace.engine.job.OutputFile;
import dev.millrace.postgres.fleet.HeldLease;
import dev.millrace.service.files.UploadedOutputs.Judgement;
import dev.millrace.storage.ObjectStoreException;
import dev.millrace.storage.output.OutputRefused;
import dev.millrace.storage.output.SmallTexts;
import dev.millrace.storage.output.StoredOutput;
import dev.millrace.web.http.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes what a worker delivers: small texts from the report itself, files from the store. */
final class OutputIntake {

  private static final Logger LOG = LoggerFactory.getLogger(OutputIntake.class);

  private final SmallTexts texts;
  private final WorkerFiles files;
  private final IntFunction<String> tenantSlug;

  OutputIntake(SmallTexts texts, WorkerFiles files, IntFunction<String> tenantSlug) {
    this.texts = texts;
    this.files = files;
    this.tenantSlug = tenantSlug;
  }

  /** What becomes of a delivery. */
  sealed interface Taken {

    /** All of it is there, measured, hashed and verified, or comes with the report. */
    record Whole(List<OutputFile> files) implements Taken {}

    /** Something that was announced isn't there, or isn't what was announced. */
    record Refused(Judgement.Bad why) implements Taken {}
  }

  /** All of them, or none; a problem if it can't be told now, or the report makes no sense. */
  Taken take(HeldLease lease, List<DeliveredOutput> delivered) {
    List<OutputFile> taken = new ArrayList<>();
    for (int i = 0; i < delivered.size(); i++) {
      switch (judged(lease, delivered.get(i), i)) {
        case Judgement.Good(OutputFile file) -> taken.add(file);
        case Judgement.Bad bad -> {
          return new Taken.Refused(bad);
        }
      }
    }
    return new Taken.Whole(taken);
  }

  private Judgement judged(HeldLease lease, DeliveredOutput delivered, int index) {
    try {
      return switch (delivered) {
        case DeliveredOutput.Text(String text, String mediaType) ->
            new Judgement.Good(measured(lease, text, mediaType, index + 1));
        case DeliveredOutput.Uploaded uploaded ->
            files.judge(lease, uploaded.key(), uploaded.claim(), uploaded.parts());
      };
    } catch (OutputRefused e) {
      throw ProblemException.invalid(
          "/outputs/" + index, "is refused: " + String.valueOf(e.getMessage()));
    } catch (ObjectStoreException e) {
      LOG.error("An output of job {} could not be read", lease.jobId(), e);
      throw new ProblemException(
              503, "storage_unavailable", "The output could not be read. Report it again.")
          .header("Retry-After", "1");
    }
  }

  private OutputFile measured(HeldLease lease, String text, String mediaType, int number) {
    SmallTexts.Maker maker =
        new SmallTexts.Maker(
            tenantSlug.apply(lease.tenantId()), lease.jobId().toString(), lease.attempt());
    StoredOutput measured = texts.measure(maker, "output-" + number, mediaType, text);
    return new OutputFile(
        measured.fileId(),
        measured.key(),
        measured.name(),
        measured.mediaType(),
        measured.size(),
        measured.sha256(),
        null,
        null,
        null,
        text);
  }
}
