package dev.millrace.worker.cloud;

import dev.millrace.spi.executor.Asset;
import dev.millrace.spi.executor.Executor;
import dev.millrace.spi.executor.JobContext;
import dev.millrace.spi.executor.JobFailure;
import dev.millrace.spi.executor.JobStopped;
import dev.millrace.spi.executor.Produced;
import dev.millrace.worker.comfy.ComfyApi;
import dev.millrace.worker.comfy.ComfyPatience;
import dev.millrace.worker.comfy.ComfyUploads;
import dev.millrace.worker.comfy.Graph;
import dev.millrace.worker.http.Unreachable;
import dev.millrace.worker.http.Web;
import dev.millrace.worker.log.WorkerLog;
import dev.millrace.worker.settings.WorkerSettings;
import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs a job at Comfy Cloud. */
public final class CloudExecutor implements Executor {

  public static final String NAME = "comfy-cloud";

  private static final String BOUGHT = "prompt:";

  /** Stands in the note from before the submit until its answer was read. */
  private static final String BUYING = "submitting";

  private final ComfyApi api;
  private final Account account;
  private final CloudRun.Cloud cloud;
  private final WorkerLog log;
  private final ComfyUploads uploads = new ComfyUploads();

  public CloudExecutor(Web web, WorkerSettings.ComfyCloud settings, WorkerLog log) {
    this(web, settings, CloudTimes.USUAL, log);
  }

  CloudExecutor(Web web, WorkerSettings.ComfyCloud settings, CloudTimes times, WorkerLog log) {
    URI base = URI.create(settings.url() + "/api");
    this.api = new ComfyApi(web, base, Map.of("X-API-Key", settings.apiKey().text()));
    this.account = new Account(api, times.rest());
    this.cloud = new CloudRun.Cloud(api, account, new Purchases(api), times, settings, log);
    this.log = log;
  }

  @Override
  public String name() {
    return NAME;
  }

  /** False for a while after the account was refused: every job would fail for the same reason. */
  @Override
  public Optional<String> trouble() throws InterruptedException {
    return account.trouble();
  }

  @Override
  public boolean ready() throws InterruptedException {
    return trouble().isEmpty();
  }

  @Override
  public List<Produced> handle(JobContext job, Map<String, Object> input)
      throws JobFailure, JobStopped, InterruptedException {
    try {
      return run(job);
    } catch (JobFailure e) {
      if (e.kind() == JobFailure.Kind.INTERRUPTED) {
        account.lost();
      }
      throw e;
    }
  }

  private List<Produced> run(JobContext job) throws JobFailure, JobStopped, InterruptedException {
    CloudRun run = new CloudRun(cloud, job);
    Optional<String> note = job.note();
    Optional<String> noted =
        note.filter(text -> text.startsWith(BOUGHT)).map(text -> text.substring(BOUGHT.length()));
    if (noted.isPresent()) {
      log.info("cloud.found", "job", job.jobId(), "attempt", job.attempt());
      return run.follow(noted.get());
    }
    Map<String, Object> template =
        job.template()
            .orElseThrow(() -> JobFailure.permanent("the workflow has no ComfyUI template"));
    Optional<String> bought = run.bought(note.isPresent());
    if (bought.isPresent()) {
      log.info("cloud.adopted", "job", job.jobId(), "attempt", job.attempt());
      job.note(BOUGHT + bought.get());
      return run.follow(bought.get());
    }
    Map<String, Object> graph =
        ComfyPatience.none(job).with(() -> Graph.prepare(template, uploaded(job), job.attemptId()));
    job.note(BUYING);
    String id = run.submit(graph);
    job.note(BOUGHT + id);
    return run.follow(id);
  }

  /** The name of each uploaded file, by placeholder. */
  private Map<String, String> uploaded(JobContext job)
      throws JobFailure, JobStopped, InterruptedException, Unreachable {
    Map<String, String> names = new LinkedHashMap<>();
    for (Asset asset : job.assets()) {
      if (asset.placeholder().isPresent()) {
        job.progress(2, "preparing", "Uploading the input");
        try {
          names.put(asset.placeholder().get(), uploads.nameOf(asset, api, job, account::refused));
        } catch (Unreachable e) {
          throw e;
        } catch (IOException e) {
          throw JobFailure.retryable("an input file can't be read");
        }
      }
    }
    return names;
  }
}
