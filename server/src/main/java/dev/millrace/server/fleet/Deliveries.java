package dev.millrace.server.fleet;

import dev.millrace.contract.provider.Output;
import dev.millrace.engine.job.OutputFile;
import dev.millrace.postgres.records.HeldLease;
import dev.millrace.server.files.UploadedOutputs.Judgement;
import dev.millrace.server.http.ProblemException;
import dev.millrace.server.objects.ObjectStore;
import dev.millrace.server.objects.ObjectStoreException;
import dev.millrace.server.objects.OutputRefused;
import dev.millrace.server.objects.Outputs;
import dev.millrace.server.objects.StoredOutput;
import dev.millrace.server.objects.Verification;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes what a worker delivers: small texts from the report itself, files from the store. */
final class Deliveries {

  private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);

  private final Outputs outputs;
  private final ObjectStore store;
  private final WorkerFiles files;
  private final IntFunction<String> tenantSlug;

  Deliveries(
      Outputs outputs, ObjectStore store, WorkerFiles files, IntFunction<String> tenantSlug) {
    this.outputs = outputs;
    this.store = store;
    this.files = files;
    this.tenantSlug = tenantSlug;
  }

  /** What becomes of a delivery. */
  sealed interface Taken {

    /**
     * All of it is there, measured, hashed and verified.
     *
     * @param texts those of the files that this report itself brought, and nobody else knows
     */
    record Whole(List<OutputFile> files, List<OutputFile> texts) implements Taken {}

    /** Something that was announced isn't there, or isn't what was announced. */
    record Refused(Judgement.Bad why) implements Taken {}
  }

  /** All of them, or none; a problem if it can't be told now, or the report makes no sense. */
  Taken take(HeldLease lease, List<Delivered> delivered) {
    List<OutputFile> taken = new ArrayList<>();
    List<OutputFile> texts = new ArrayList<>();
    for (int i = 0; i < delivered.size(); i++) {
      switch (judged(lease, delivered.get(i), i, texts)) {
        case Judgement.Good(OutputFile file) -> taken.add(file);
        case Judgement.Bad bad -> {
          discard(texts);
          return new Taken.Refused(bad);
        }
      }
    }
    return new Taken.Whole(taken, texts);
  }

  private Judgement judged(
      HeldLease lease, Delivered delivered, int index, List<OutputFile> texts) {
    try {
      return switch (delivered) {
        case Delivered.Text(String text, String mediaType) -> {
          OutputFile file = stored(lease, text, mediaType, index + 1);
          texts.add(file);
          yield new Judgement.Good(file);
        }
        case Delivered.Uploaded uploaded ->
            files.judge(lease, uploaded.key(), uploaded.claim(), uploaded.parts());
      };
    } catch (OutputRefused e) {
      discard(texts);
      throw ProblemException.invalid(
          "/outputs/" + index, "is refused: " + String.valueOf(e.getMessage()));
    } catch (IOException | ObjectStoreException e) {
      LOG.error("An output of job {} could not be stored or read", lease.jobId(), e);
      discard(texts);
      throw new ProblemException(
              503, "storage_unavailable", "The output could not be stored. Send it again.")
          .header("Retry-After", "1");
    }
  }

  private OutputFile stored(HeldLease lease, String text, String mediaType, int number)
      throws IOException {
    Output output =
        new Output(
            "output-" + number, mediaType, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    StoredOutput stored =
        outputs.storeText(
            output, tenantSlug.apply(lease.tenantId()), lease.jobId().toString(), lease.attempt());
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

  /**
   * Removes texts of a report that didn't count. Never what was uploaded: the same report may have
   * come twice at the same time, and the other one counted. Nothing points to these, so a failure
   * here only costs room.
   */
  void discard(List<OutputFile> texts) {
    for (OutputFile file : texts) {
      try {
        store.delete(file.key());
        if (file.thumbnailKey() != null) {
          store.delete(file.thumbnailKey());
        }
      } catch (ObjectStoreException e) {
        LOG.warn("An output was left behind under {}", file.key(), e);
      }
    }
  }
}
