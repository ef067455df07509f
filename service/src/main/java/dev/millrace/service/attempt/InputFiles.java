package dev.millrace.service.attempt;

import dev.millrace.engine.job.Job;
import dev.millrace.service.catalogue.Workflow;
import dev.millrace.service.files.JobAssets;
import dev.millrace.service.jobs.Offers;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Lets services fetch a job's files: where the input names a file, they get an address. */
public final class InputFiles {

  /** A service may begin long after it took the work. */
  private static final Duration SPARE = Duration.ofHours(1);

  private final Offers offers;
  private final JobAssets assets;
  private final @Nullable URI publicUrl;

  /**
   * @param publicUrl how services reach this server; null if they can't
   */
  public InputFiles(Offers offers, JobAssets assets, @Nullable URI publicUrl) {
    this.offers = offers;
    this.assets = assets;
    this.publicUrl = publicUrl;
  }

  /**
   * The input as a service can use it.
   *
   * @throws JobAssets.Missing if a file is gone, or can't be reached from outside
   */
  public Map<String, Object> reachable(RunningAttempt attempt) {
    Job job = attempt.job();
    Optional<Workflow> workflow =
        offers.workflow(job.terms().workflowId()).map(Offers.Queue::workflow);
    if (workflow.isEmpty()
        || workflow.get().properties().files().keySet().stream()
            .noneMatch(attempt.input()::containsKey)) {
      return attempt.input();
    }
    if (publicUrl == null) {
      throw new JobAssets.Missing(
          "The service can't fetch files from here: MILLRACE_HTTP_PUBLIC_URL is not set.");
    }
    Map<String, Object> input = new LinkedHashMap<>(attempt.input());
    assets
        .assets(
            new JobAssets.Leased(
                job.id(),
                attempt.leased().token(),
                workflow.get(),
                Map.of(),
                (ObjectNode) JsonMapper.shared().readTree(attempt.leased().input()),
                Duration.ofSeconds(job.terms().runSeconds()).plus(SPARE),
                publicUrl))
        .forEach(asset -> input.put(asset.name(), asset.url().toString()));
    return input;
  }
}
