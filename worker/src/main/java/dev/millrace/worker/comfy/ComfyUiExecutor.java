package dev.millrace.worker.comfy;

import dev.millrace.spi.executor.Asset;
import dev.millrace.spi.executor.Executor;
import dev.millrace.spi.executor.JobContext;
import dev.millrace.spi.executor.JobFailure;
import dev.millrace.spi.executor.JobStopped;
import dev.millrace.spi.executor.Produced;
import dev.millrace.worker.http.Answer;
import dev.millrace.worker.http.Unreachable;
import dev.millrace.worker.http.Web;
import dev.millrace.worker.log.WorkerLog;
import dev.millrace.worker.settings.WorkerSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs a job as a prompt of a ComfyUI. */
public final class ComfyUiExecutor implements Executor {

  public static final String NAME = "comfyui";

  private final ComfyApi api;
  private final WorkerSettings.ComfyUi settings;
  private final WorkerLog log;
  private final ComfyUploads uploads = new ComfyUploads();
  private final Liveness liveness;

  public ComfyUiExecutor(Web web, WorkerSettings.ComfyUi settings, WorkerLog log) {
    this(web, settings, Liveness.LONGEST_PAUSE, log);
  }

  ComfyUiExecutor(Web web, WorkerSettings.ComfyUi settings, Duration pause, WorkerLog log) {
    this.api = new ComfyApi(web, settings.url(), Map.of());
    this.settings = settings;
    this.log = log;
    this.liveness = new Liveness(api, settings.stall(), pause, log);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean ready() throws InterruptedException {
    return trouble().isEmpty();
  }

  @Override
  public Optional<String> trouble() throws InterruptedException {
    return liveness.trouble();
  }

  @Override
  public List<Produced> handle(JobContext job, Map<String, Object> input)
      throws JobFailure, JobStopped, InterruptedException {
    Map<String, Object> template =
        job.template()
            .orElseThrow(() -> JobFailure.permanent("the workflow has no ComfyUI template"));
    return new PromptRun(api, liveness, settings, job, log, again -> graph(job, template, again))
        .run();
  }

  /**
   * The graph with its files in place.
   *
   * @param again whether ComfyUI has lost files that it was given before
   */
  private Prepared graph(JobContext job, Map<String, Object> template, boolean again)
      throws JobFailure, JobStopped, InterruptedException, Unreachable {
    Map<String, String> names = new LinkedHashMap<>();
    for (Asset asset : job.assets()) {
      if (asset.placeholder().isPresent()) {
        if (again) {
          uploads.forget(asset, api);
        }
        job.progress(2, "preparing", "Uploading the input");
        names.put(asset.placeholder().get(), upload(job, asset));
      }
    }
    return new Prepared(
        Graph.prepare(template, names, job.attemptId()), List.copyOf(names.values()));
  }

  private JobFailure refused(Answer answer) {
    if (Troubles.unwell(answer.status())) {
      liveness.rest("it answered " + answer.status());
    }
    return Troubles.refused(answer);
  }

  private String upload(JobContext job, Asset asset)
      throws JobFailure, JobStopped, InterruptedException, Unreachable {
    try {
      return uploads.nameOf(asset, api, job, this::refused);
    } catch (Unreachable e) {
      throw e;
    } catch (IOException e) {
      throw JobFailure.retryable("an input file can't be read");
    }
  }
}
