package dev.millrace.worker.comfy;

import dev.millrace.spi.MediaTypes;
import dev.millrace.spi.executor.JobContext;
import dev.millrace.spi.executor.JobFailure;
import dev.millrace.spi.executor.Produced;
import dev.millrace.worker.http.AssetDownload;
import dev.millrace.worker.http.Unreachable;
import dev.millrace.worker.log.WorkerLog;
import dev.millrace.worker.media.GraphTrace;
import dev.millrace.worker.media.Metadata;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Fetches what a prompt made. The name that the service gave it stays here, because words of the
 * prompt may be in it; so does the graph that is in the file, unless the workflow wants it kept.
 */
public final class ComfyOutputFetch {

  private final ComfyApi api;
  private final String service;
  private final WorkerLog log;

  /**
   * For one service.
   *
   * @param service its name for people
   */
  public ComfyOutputFetch(ComfyApi api, String service, WorkerLog log) {
    this.api = api;
    this.service = service;
    this.log = log;
  }

  /**
   * Takes the graph out. A file that still has it afterwards isn't delivered at all: it is the
   * operator's, and whoever gets the file could read it.
   */
  private void clear(Path file, JobContext job, int number) throws IOException, JobFailure {
    Metadata.Outcome outcome = Metadata.remove(file);
    boolean left = GraphTrace.isIn(file);
    if (outcome == Metadata.Outcome.BROKEN || left) {
      log.warn("output.broken", "job", job.jobId(), "number", number, "graph", left);
    }
    if (left) {
      String what = "the workflow's graph can't be taken out of an output";
      throw outcome == Metadata.Outcome.BROKEN
          ? JobFailure.retryable(what)
          : JobFailure.permanent(what);
    }
  }

  /** Fetches one file, as the output of this number. */
  public Produced fetch(ComfyOutputs.FileRef ref, JobContext job, int number)
      throws JobFailure, InterruptedException, Unreachable {
    Path file = job.folder().resolve("output-" + number);
    try {
      AssetDownload.Got got = api.view(ref, file, job.maxOutputBytes());
      if (!job.keepMetadata()) {
        clear(file, job, number);
      }
      return new Produced.Stored(file, MediaTypes.of(got.mediaType(), ref.filename()));
    } catch (AssetDownload.Refused e) {
      if (Troubles.unwell(e.status()) || e.status() == 425 || e.status() == 429) {
        throw Unreachable.unwell("an output can't be fetched (" + e.status() + ")");
      }
      throw e.status() == 413
          ? JobFailure.permanent("an output is larger than " + job.maxOutputBytes() + " bytes")
          : JobFailure.retryable(
              service + " doesn't have its output any more (" + e.status() + ")");
    } catch (Unreachable e) {
      throw e;
    } catch (IOException e) {
      // It broke off, or this machine has no room for it.
      throw JobFailure.interrupted("an output can't be fetched");
    }
  }
}
