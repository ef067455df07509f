package dev.millrace.server.fleet;

import dev.millrace.contract.provider.Output;
import dev.millrace.engine.job.OutputFile;
import dev.millrace.postgres.records.HeldLease;
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

  /** All of them, measured, hashed and verified; or none, and the reason as a problem. */
  List<OutputFile> take(HeldLease lease, List<Delivered> delivered) {
    List<OutputFile> taken = new ArrayList<>();
    for (int i = 0; i < delivered.size(); i++) {
      try {
        taken.add(take(lease, delivered.get(i), i + 1));
      } catch (OutputRefused e) {
        discard(taken);
        throw ProblemException.invalid(
            "/outputs/" + i, "is refused: " + String.valueOf(e.getMessage()));
      } catch (IOException | ObjectStoreException e) {
        LOG.error("An output of job {} could not be stored", lease.jobId(), e);
        discard(taken);
        throw new ProblemException(
                503, "storage_unavailable", "The output could not be stored. Send it again.")
            .header("Retry-After", "1");
      } catch (ProblemException e) {
        discard(taken);
        throw e;
      }
    }
    return taken;
  }

  private OutputFile take(HeldLease lease, Delivered delivered, int number) throws IOException {
    return switch (delivered) {
      case Delivered.Text(String text, String mediaType) ->
          stored(
              lease,
              new Output(
                  "output-" + number,
                  mediaType,
                  out -> out.write(text.getBytes(StandardCharsets.UTF_8))));
      case Delivered.Uploaded(String key, WorkerFiles.Announced file) ->
          files.take(lease, key, file);
    };
  }

  private OutputFile stored(HeldLease lease, Output output) throws IOException {
    StoredOutput stored =
        outputs.store(
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
   * Removes exactly these, because others of the same attempt may be a report's that was accepted.
   * Nothing points to them, so a failure here only costs room.
   */
  void discard(List<OutputFile> unwanted) {
    for (OutputFile file : unwanted) {
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
