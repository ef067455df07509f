package dev.millrace.server.fleet;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.job.OutputFile;
import dev.millrace.postgres.records.HeldLease;
import dev.millrace.server.http.ProblemException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The files that go between a worker and the object store, which the server never carries. */
public interface WorkerFiles {

  /**
   * A file that a job needs, with a URL to read it.
   *
   * @param name the property that it is the value of, or its name in the catalogue
   * @param fileId null for one that comes with the catalogue
   * @param placeholder what stands for it in the template; null if the template doesn't use it
   */
  record Asset(
      String name,
      @Nullable String fileId,
      String url,
      Instant expiresAt,
      String sha256,
      long size,
      String mediaType,
      @Nullable String placeholder) {}

  /**
   * What a worker needs besides the input.
   *
   * @param template the graph with the input filled in; null if the workflow has none
   * @param outputNode the node of the graph whose result is the job's
   */
  record Work(List<Asset> assets, @Nullable ObjectNode template, @Nullable String outputNode) {}

  /** What a worker is about to upload, or says that it has. */
  record Announced(String mediaType, long size, String sha256) {}

  /** Where to upload one file of exactly this type and size. */
  record Upload(String key, String url, SortedMap<String, String> headers, Instant expiresAt) {}

  /** How long URLs are to work, and how the worker knows this server. */
  record Terms(Duration ttl, URI base) {}

  /** What goes with a job that was just leased. */
  Work work(Leased leased, Terms terms);

  /** The files of a job under way with fresh URLs; none if the old ones have long enough to go. */
  List<Asset> renewed(HeldLease lease, UUID token, Terms terms);

  /**
   * A place for one output.
   *
   * @throws ProblemException if outputs of this kind aren't stored
   */
  Upload upload(HeldLease lease, Announced file, Terms terms);

  /**
   * An uploaded file, once it was looked at: it lies under this attempt's prefix and has the size,
   * type and checksum that the worker says.
   *
   * @throws ProblemException if it has not
   */
  OutputFile take(HeldLease lease, String key, Announced file);

  /** For as long as there are no files but those inside a report. */
  WorkerFiles NONE =
      new WorkerFiles() {
        @Override
        public Work work(Leased leased, Terms terms) {
          return new Work(List.of(), null, null);
        }

        @Override
        public List<Asset> renewed(HeldLease lease, UUID token, Terms terms) {
          return List.of();
        }

        @Override
        public Upload upload(HeldLease lease, Announced file, Terms terms) {
          throw unavailable();
        }

        @Override
        public OutputFile take(HeldLease lease, String key, Announced file) {
          throw unavailable();
        }

        private static ProblemException unavailable() {
          return new ProblemException(
              409,
              "uploads_unavailable",
              "This server takes no uploads from workers. Send small outputs as text.");
        }
      };
}
