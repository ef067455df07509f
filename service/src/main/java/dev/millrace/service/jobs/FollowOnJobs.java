package dev.millrace.service.jobs;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.port.Changes.Labels;
import dev.millrace.engine.port.Changes.Links;
import dev.millrace.postgres.jobs.Batches;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.catalogue.Resolution;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Jobs that come out of jobs: the same once more, and what follows up on an approved result. */
public final class FollowOnJobs {

  private static final JsonMapper JSON = JsonMapper.shared();

  private final Offers offers;
  private final JobSubmission submission;

  public FollowOnJobs(Offers offers, JobSubmission submission) {
    this.offers = offers;
    this.submission = submission;
  }

  /**
   * The same once more, as a new job, by today's catalogue and gates.
   *
   * @param key the user's idempotency key for it, or null
   * @param by who asks for it, and no higher than they may
   * @param copySummary whether the new job begins with what the old one counted
   */
  public JobSubmission.Outcome retry(
      Principal by, JobView job, @Nullable String key, boolean copySummary)
      throws InterruptedException {
    JobRequest request = request(job, key);
    return submission.submit(
        by,
        request.withPriority(Math.min(request.priority(), JobRequest.mostPriority(by))),
        Links.retryOf(job.id(), job.links().follows()),
        copySummary ? summary(job) : Summary.EMPTY);
  }

  private static Summary summary(JobView job) {
    String told = job.report().summary();
    SortedMap<String, String> values = new TreeMap<>();
    if (told != null) {
      JSON.readTree(told)
          .properties()
          .forEach(fact -> values.put(fact.getKey(), fact.getValue().toString()));
    }
    return new Summary(values);
  }

  /** What became of the same wish before, told by its key. */
  public Optional<JobSubmission.Outcome> earlier(JobView job, @Nullable String key) {
    return submission.earlier(
        job.request().tenantId(),
        request(job, key),
        Links.retryOf(job.id(), job.links().follows()));
  }

  /** What the job's user would send to ask for the same. */
  public JobRequest request(JobView job, @Nullable String key) {
    ObjectNode input =
        offered(job.request().effect(), Objects.requireNonNull(job.request().input()));
    return new JobRequest(
        job.request().effect(),
        input,
        job.request().userId(),
        key,
        job.request().priority(),
        null,
        job.links().workspace(),
        JobNotes.of(job).again());
  }

  /** What a user would send to ask for the same as a job of a batch. */
  public JobRequest request(Batches.InVain job) {
    ObjectNode input = offered(job.effect(), job.input());
    return new JobRequest(
        job.effect(),
        input,
        job.userId(),
        null,
        job.priority(),
        null,
        job.workspace(),
        JobNotes.stored(job.notes()).again());
  }

  private ObjectNode offered(String effect, String resolved) {
    ObjectNode input = (ObjectNode) JSON.readTree(resolved);
    offers.find(effect).ifPresent(offer -> keepOffered(offer.effect(), input));
    return input;
  }

  /** What is fixed was not the user's, and an effect may offer less today than it did then. */
  private static void keepOffered(Effect effect, ObjectNode input) {
    ObjectNode offered = (ObjectNode) effect.inputSchema().path("properties");
    input.propertyNames().stream()
        .filter(name -> !offered.has(name))
        .toList()
        .forEach(input::remove);
  }

  /** What follows up on an approval. */
  public sealed interface Next {

    /** The effect has no follow-up. */
    record Nothing() implements Next {}

    record FollowUp(Report.FollowUp job) implements Next {}

    /** The follow-up is not on offer, or does not take these items. */
    record Impossible(String why) implements Next {}
  }

  /**
   * The job that goes on with the approved items of a job.
   *
   * @param skipped how many items were not approved
   */
  public Next followUp(JobView job, List<UUID> approved, int skipped) {
    Offer made = offers.find(job.request().effect()).orElse(null);
    if (made == null) {
      return new Next.Impossible(
          "the effect "
              + job.request().effect()
              + " is not on offer any more, so nobody knows what follows");
    }
    String slug = made.effect().followUp();
    if (slug == null) {
      return new Next.Nothing();
    }
    Offer next = offers.find(slug).orElse(null);
    if (next == null) {
      return new Next.Impossible("the effect " + slug + " is not on offer any more");
    }
    ObjectNode input = JSON.createObjectNode();
    input.put("source", job.id().toString());
    input.put("skipped", skipped);
    approved.forEach(item -> input.withArray("items").add(item.toString()));
    keepOffered(next.effect(), input);
    return switch (next.effect().resolve(input)) {
      case Resolution.Invalid(var errors) -> new Next.Impossible(slug + " refuses it: " + errors);
      case Resolution.Resolved(ObjectNode resolved) ->
          new Next.FollowUp(
              new Report.FollowUp(
                  UuidCreator.getTimeOrderedEpoch(),
                  next.termsFor(resolved),
                  "follows " + job.id(),
                  resolved.toString(),
                  new Labels(job.links().workspace(), job.links().notes())));
    };
  }
}
