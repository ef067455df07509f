package dev.millrace.service.webhooks;

import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.files.Files;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.jobs.Jobs;
import dev.millrace.postgres.tenants.Visibility;
import dev.millrace.postgres.webhooks.DueDeliveries.Claim;
import dev.millrace.service.jobs.JobNotes;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What is sent to a place that a job named itself. Where the job came through a dialect, it is told
 * in the words of that, which whoever asked understands.
 */
public final class JobMessages {

  private final Jobs jobs;
  private final Files files;
  private final Map<String, Wording> wordings = new ConcurrentHashMap<>();

  JobMessages(Jobs jobs, Files files) {
    this.jobs = jobs;
    this.files = files;
  }

  /** How a dialect tells of a job as it is now. */
  @FunctionalInterface
  public interface Wording {

    /**
     * The body of a message.
     *
     * @param base how whoever asked for the job knows this server
     */
    String of(JobView job, List<FileView> outputs, URI base);
  }

  /** From now on jobs that came through this dialect are told of in its words. */
  public void tell(String dialect, Wording wording) {
    wordings.put(dialect, wording);
  }

  /** The body for a delivery; empty if there is nothing to tell of any more. */
  Optional<String> body(Claim claim) {
    UUID named = claim.target().namedBy();
    if (named == null) {
      return Optional.of(claim.content().payload());
    }
    return jobs.find(Visibility.of(claim.target().tenantId()), named)
        .map(job -> body(claim, job, JobNotes.of(job)));
  }

  private String body(Claim claim, JobView job, JobNotes notes) {
    JobNotes.OwnEndpoint webhook = notes.wishes().webhook();
    @Nullable Wording wording = notes.dialect() == null ? null : wordings.get(notes.dialect());
    if (webhook == null || wording == null) {
      return claim.content().payload();
    }
    List<FileView> outputs = files.ofJobs(job.request().tenantId(), List.of(job.id()));
    return wording.of(job, outputs, URI.create(webhook.base()));
  }
}
