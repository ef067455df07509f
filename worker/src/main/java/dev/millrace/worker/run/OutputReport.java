package dev.millrace.worker.run;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.spi.executor.JobFailure;
import dev.millrace.spi.executor.Produced;
import dev.millrace.worker.control.ControlPlane;
import dev.millrace.worker.control.ControlPlane.Slot;
import dev.millrace.worker.control.LeasedJob;
import dev.millrace.worker.control.NotAllowed;
import dev.millrace.worker.control.Refused;
import dev.millrace.worker.control.StaleLease;
import dev.millrace.worker.control.TryLater;
import dev.millrace.worker.http.Answer;
import dev.millrace.worker.http.AnswerJson;
import dev.millrace.worker.http.Backoff;
import dev.millrace.worker.http.Unreachable;
import dev.millrace.worker.http.Web;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Puts outputs where the server wants them, and says of each what the report must say. */
final class OutputReport {

  private static final int TRIES = 6;

  /** The work is done, so a store that is away for a while is waited for as long as it pays. */
  static final Duration PATIENCE = Duration.ofMinutes(10);

  private static final Duration LIMIT = Duration.ofMinutes(30);

  private final ControlPlane server;
  private final Web web;
  private final LeasedJob job;
  private final ReportRetries retries;
  private final long maxBytes;

  OutputReport(ControlPlane server, Web web, LeasedJob job, ReportRetries retries, long maxBytes) {
    this.server = server;
    this.web = web;
    this.job = job;
    this.retries = retries;
    this.maxBytes = maxBytes;
  }

  List<ObjectNode> of(List<Produced> made)
      throws JobFailure, StaleLease, NotAllowed, Refused, TryLater, InterruptedException {
    List<ObjectNode> outputs = new ArrayList<>();
    for (Produced one : made) {
      outputs.add(
          switch (one) {
            case Produced.Text text ->
                AnswerJson.object().put("text", text.text()).put("media_type", text.mediaType());
            case Produced.Stored stored -> upload(stored);
          });
    }
    return outputs;
  }

  private ObjectNode upload(Produced.Stored output)
      throws JobFailure, StaleLease, NotAllowed, Refused, TryLater, InterruptedException {
    long size;
    String sha256;
    try {
      size = Files.size(output.file());
      if (size == 0) {
        throw JobFailure.permanent("an output is empty");
      }
      if (size > maxBytes) {
        throw JobFailure.permanent("an output is larger than " + maxBytes + " bytes");
      }
      sha256 = Sha256.hex(output.file());
    } catch (IOException e) {
      throw JobFailure.retryable("an output can't be read");
    }
    ObjectNode delivered = put(output.file(), output.mediaType(), size, sha256);
    return delivered.put("size", size).put("sha256", sha256).put("media_type", output.mediaType());
  }

  /** Every try has an address of its own, because the old one may have ended. */
  private ObjectNode put(Path file, String mediaType, long size, String sha256)
      throws JobFailure, StaleLease, NotAllowed, Refused, TryLater, InterruptedException {
    Backoff backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(3));
    long until = System.nanoTime() + PATIENCE.toNanos();
    int refused = 0;
    while (true) {
      Slot slot = retries.call("upload", () -> server.upload(job, mediaType, size, sha256));
      if (slot instanceof Slot.Parts parts) {
        List<String> tags = new PartsDelivery(server, web, job, retries).put(file, size, parts);
        ObjectNode delivered =
            AnswerJson.object().put("key", parts.key()).put("upload_id", parts.uploadId());
        tags.forEach(delivered.putArray("parts")::add);
        return delivered;
      }
      Slot.Whole whole = (Slot.Whole) slot;
      try {
        Answer answer =
            web.send("PUT", whole.url(), whole.headers(), BodyPublishers.ofFile(file), LIMIT);
        if (answer.ok()) {
          return AnswerJson.object().put("key", whole.key());
        }
        refused += answer.passing() ? 0 : 1;
        if (refused >= TRIES) {
          throw JobFailure.retryable("an output can't be uploaded (" + answer.status() + ")");
        }
      } catch (Unreachable _) {
        // It may come back.
      } catch (IOException e) {
        throw JobFailure.retryable("an output can't be read");
      }
      if (System.nanoTime() - until >= 0) {
        throw JobFailure.interrupted("the file store is away");
      }
      Thread.sleep(backoff.next());
    }
  }
}
