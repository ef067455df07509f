package dev.millrace.service.fleet;

import dev.millrace.engine.job.OutputFile;
import dev.millrace.postgres.fleet.HeldLease;
import dev.millrace.service.files.UploadedOutputs.Judgement;
import dev.millrace.storage.ObjectStoreException;
import dev.millrace.storage.output.OutputRefused;
import dev.millrace.storage.output.SmallTexts;
import dev.millrace.storage.output.StoredOutput;
import dev.millrace.storage.picture.PictureBudget;
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
  sealed interface Intake {

    /** All of it is there, measured, hashed and verified, or comes with the report. */
    record Whole(List<OutputFile> files) implements Intake {}

    /** Something that was announced isn't there, or isn't what was announced. */
    record Refused(Judgement.Bad why) implements Intake {}

    /** The report makes no sense: this text of it can't be an output. The attempt goes on. */
    record Senseless(int index, String why) implements Intake {}

    /** It can't be told now, because the store is away. */
    record StorageAway() implements Intake {}
  }

  /** All of them, or none. */
  Intake take(HeldLease lease, List<DeliveredOutput> delivered) {
    List<OutputFile> taken = new ArrayList<>();
    PictureBudget pictures = PictureBudget.perCall(tenantSlug.apply(lease.tenantId()));
    for (int i = 0; i < delivered.size(); i++) {
      try {
        switch (judged(lease, delivered.get(i), i, pictures)) {
          case Judgement.Good(OutputFile file) -> taken.add(file);
          case Judgement.Bad bad -> {
            return new Intake.Refused(bad);
          }
        }
      } catch (OutputRefused e) {
        return new Intake.Senseless(i, String.valueOf(e.getMessage()));
      } catch (ObjectStoreException e) {
        LOG.error("An output of job {} could not be read", lease.jobId(), e);
        return new Intake.StorageAway();
      }
    }
    return new Intake.Whole(taken);
  }

  private Judgement judged(
      HeldLease lease, DeliveredOutput delivered, int index, PictureBudget pictures) {
    return switch (delivered) {
      case DeliveredOutput.Text(String text, String mediaType) ->
          new Judgement.Good(measured(lease, text, mediaType, index + 1));
      case DeliveredOutput.Uploaded uploaded ->
          files.judge(lease, uploaded.key(), uploaded.claim(), uploaded.parts(), pictures);
    };
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
        new OutputFile.Content(measured.mediaType(), measured.size(), measured.sha256()),
        OutputFile.Picture.NONE,
        text);
  }
}
