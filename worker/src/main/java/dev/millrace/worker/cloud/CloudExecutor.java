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
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs a job at Comfy Cloud. */
public final class CloudExecutor implements Executor {

  public static final String NAME = "comfy-cloud";

  private static final Duration AWAY = Duration.ofMinutes(2);
  private static final String NOTE = "prompt:";
  private static final int EARLIER = 3;

  private final ComfyApi api;
  private final Account account;
  private final WorkerSettings.ComfyCloud settings;
  private final WorkerLog log;
  private final ComfyUploads uploads = new ComfyUploads();

  public CloudExecutor(Web web, WorkerSettings.ComfyCloud settings, WorkerLog log) {
    URI base = URI.create(settings.url() + "/api");
    this.api = new ComfyApi(web, base, Map.of("X-API-Key", settings.apiKey().text()));
    this.account = new Account(api);
    this.settings = settings;
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
    ComfyPatience patience = new ComfyPatience(AWAY, job);
    CloudRun run = new CloudRun(api, account, settings, job, patience, log);
    Optional<String> noted =
        job.note().filter(note -> note.startsWith(NOTE)).map(note -> note.substring(NOTE.length()));
    if (noted.isPresent()) {
      log.info("cloud.found", "job", job.jobId(), "attempt", job.attempt());
      return run.follow(noted.get());
    }
    Map<String, Object> template =
        job.template()
            .orElseThrow(() -> JobFailure.permanent("the workflow has no ComfyUI template"));
    Optional<String> earlier = earlier(job, run);
    if (earlier.isPresent()) {
      job.note(NOTE + earlier.get());
      return run.follow(earlier.get());
    }
    Map<String, Object> graph =
        ComfyPatience.none(job).with(() -> Graph.prepare(template, uploaded(job), job.attemptId()));
    String id = run.submit(graph);
    job.note(NOTE + id);
    return run.follow(id);
  }

  /** What an earlier attempt has bought is waited for instead of being bought again. */
  private Optional<String> earlier(JobContext job, CloudRun run)
      throws JobFailure, JobStopped, InterruptedException {
    for (int n = job.attempt() - 1; n >= Math.max(1, job.attempt() - EARLIER); n--) {
      String attempt = job.attemptId(n).toString();
      Optional<String> bought = ComfyPatience.none(job).with(() -> run.stillGood(attempt));
      if (bought.isPresent()) {
        log.info("cloud.adopted", "job", job.jobId(), "attempt", job.attempt(), "from", n);
        return bought;
      }
    }
    return Optional.empty();
  }

  /** The name of each uploaded file, by placeholder. */
  private Map<String, String> uploaded(JobContext job)
      throws JobFailure, JobStopped, InterruptedException, Unreachable {
    Map<String, String> names = new LinkedHashMap<>();
    for (Asset asset : job.assets()) {
      if (asset.placeholder().isPresent()) {
        job.progress(2, "preparing", "Uploading the input");
        try {
          names.put(asset.placeholder().get(), uploads.nameOf(asset, api, job));
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
