package dev.millrace.worker.cloud;

import dev.millrace.spi.executor.JobContext;
import dev.millrace.spi.executor.JobFailure;
import dev.millrace.spi.executor.JobStopped;
import dev.millrace.spi.executor.Produced;
import dev.millrace.worker.comfy.ComfyApi;
import dev.millrace.worker.comfy.ComfyOutputFetch;
import dev.millrace.worker.comfy.ComfyOutputs;
import dev.millrace.worker.comfy.ComfyPatience;
import dev.millrace.worker.comfy.Troubles;
import dev.millrace.worker.http.Answer;
import dev.millrace.worker.http.AnswerJson;
import dev.millrace.worker.http.Unreachable;
import dev.millrace.worker.log.Clean;
import dev.millrace.worker.log.WorkerLog;
import dev.millrace.worker.settings.WorkerSettings;
import dev.millrace.worker.stall.StallBound;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** One job at Comfy Cloud: submitted once, waited for, collected. */
final class CloudRun {

  /** What jobs at the cloud share. */
  record Cloud(
      ComfyApi api,
      Account account,
      Purchases purchases,
      CloudTimes times,
      WorkerSettings.ComfyCloud settings,
      WorkerLog log) {}

  /** How many earlier attempts may have bought something that is still good. */
  private static final int EARLIER = 3;

  private final Cloud cloud;
  private final ComfyApi api;
  private final WorkerSettings.ComfyCloud settings;
  private final JobContext job;
  private final ComfyPatience patience;
  private final WorkerLog log;
  private final long started = System.nanoTime();

  CloudRun(Cloud cloud, JobContext job) {
    this.cloud = cloud;
    this.api = cloud.api();
    this.settings = cloud.settings();
    this.job = job;
    this.patience = new ComfyPatience(cloud.times().away(), job);
    this.log = cloud.log();
  }

  /**
   * What was bought for this job before: by earlier attempts, and by this one if its worker was
   * restarted. Whoever bought it may have done so a moment ago, and a job is listed a while after
   * it was accepted. So until that while is over it isn't known that nothing was bought, unless
   * what was bought is found to have ended badly.
   *
   * @param begun whether this attempt may have submitted something already
   */
  Optional<String> bought(boolean begun) throws JobFailure, JobStopped, InterruptedException {
    Set<String> attempts = new LinkedHashSet<>();
    for (int n = begun ? job.attempt() : job.attempt() - 1;
        n >= Math.max(1, job.attempt() - EARLIER);
        n--) {
      attempts.add(job.attemptId(n).toString());
    }
    ComfyPatience patient = begun ? patience : ComfyPatience.none(job);
    while (!attempts.isEmpty()) {
      long looked = System.nanoTime();
      Map<String, String> found = patient.with(() -> cloud.purchases().of(attempts));
      for (Map.Entry<String, String> purchase : found.entrySet()) {
        String id = purchase.getValue();
        if (patient.with(() -> CloudStatus.of(api, cloud.account(), id)).stage().isGood()) {
          return Optional.of(id);
        }
        attempts.remove(purchase.getKey());
      }
      if (attempts.isEmpty() || settled(looked, started)) {
        break;
      }
      job.progress(2, "preparing", "Looking for what was bought before");
      job.pause(settings.poll());
    }
    return Optional.empty();
  }

  private boolean settled(long looked, long submitted) {
    return looked - submitted >= cloud.times().settle().toNanos();
  }

  /** Submits, and returns the id that the cloud gave. */
  String submit(Map<String, Object> graph) throws JobFailure, JobStopped, InterruptedException {
    String attempt = job.attemptId().toString();
    try {
      return submit(graph, attempt);
    } catch (JobStopped | InterruptedException e) {
      // It may have been accepted, although nobody read the answer.
      undisturbed(() -> cloud.purchases().of(attempt).ifPresent(this::withdraw));
      throw e;
    }
  }

  private String submit(Map<String, Object> graph, String attempt)
      throws JobFailure, JobStopped, InterruptedException {
    Answer answer = ComfyPatience.none(job).with(() -> once(graph, attempt));
    if (!answer.ok()) {
      throw cloud.account().refused(answer);
    }
    String id = answer.body().path("prompt_id").asString("");
    boolean errors = !answer.body().path("node_errors").isEmpty();
    if (id.isEmpty() || errors) {
      throw JobFailure.permanent("Comfy Cloud refused the workflow");
    }
    job.progress(5, "queued", "Waiting for Comfy Cloud");
    return id;
  }

  /**
   * Only a request that was certainly not heard is sent again. Without a clear answer the job is
   * looked for, and it counts as not accepted only if it isn't listed after a while either.
   */
  private Answer once(Map<String, Object> graph, String attempt)
      throws Unreachable, JobFailure, JobStopped, InterruptedException {
    JobFailure unanswered = JobFailure.interrupted("Comfy Cloud didn't answer a submit");
    try {
      Answer answer = api.submit(graph, attempt, attempt);
      if (answer.status() < 500 && answer.status() != 408) {
        return answer;
      }
      unanswered = cloud.account().refused(answer);
    } catch (Unreachable e) {
      if (e.neverSent()) {
        throw e;
      }
    }
    log.warn("cloud.uncertain", "job", job.jobId(), "attempt", job.attempt());
    Optional<String> id = accepted(attempt, System.nanoTime());
    if (id.isEmpty()) {
      throw unanswered;
    }
    return new Answer(
        200,
        AnswerJson.object().put("prompt_id", id.get()),
        "",
        Optional.empty(),
        Optional.empty());
  }

  private Optional<String> accepted(String attempt, long submitted)
      throws JobFailure, JobStopped, InterruptedException {
    while (true) {
      long looked = System.nanoTime();
      Optional<String> id = patience.with(() -> cloud.purchases().of(attempt));
      if (id.isPresent() || settled(looked, submitted)) {
        return id;
      }
      job.pause(settings.poll());
    }
  }

  List<Produced> follow(String id) throws JobFailure, JobStopped, InterruptedException {
    try {
      await(id);
      return collect(id);
    } catch (JobStopped | InterruptedException e) {
      withdraw(id);
      throw e;
    }
  }

  private void await(String id) throws JobFailure, JobStopped, InterruptedException {
    Optional<CloudStatus.Stage> before = Optional.empty();
    long changed = System.nanoTime();
    StallBound bound = new StallBound(settings.stall(), job);
    while (true) {
      job.check();
      CloudStatus status = patience.with(() -> CloudStatus.of(api, cloud.account(), id));
      switch (status.stage()) {
        case COMPLETED -> {
          return;
        }
        case FAILED -> throw failed(id, status.body());
        case CANCELED -> throw JobFailure.retryable("the job was cancelled at Comfy Cloud");
        case WAITING -> {}
        case RUNNING -> job.progress(40, "generating", "Running at Comfy Cloud");
      }
      if (!before.equals(Optional.of(status.stage()))) {
        changed = System.nanoTime();
      } else if (bound.isOver(Duration.ofNanos(System.nanoTime() - changed))) {
        throw stalled(id, status.stage(), Duration.ofNanos(System.nanoTime() - changed));
      }
      before = Optional.of(status.stage());
      job.pause(settings.poll());
    }
  }

  /**
   * One that still waits is taken back, and another worker may have more luck. One that runs can't
   * be stopped there, and would be paid for twice if it counted for nothing.
   */
  private JobFailure stalled(String id, CloudStatus.Stage stage, Duration idle) {
    String what = "Comfy Cloud made no progress for " + idle.toSeconds() + " seconds";
    withdraw(id);
    return stage == CloudStatus.Stage.RUNNING
        ? JobFailure.retryable(what)
        : JobFailure.interrupted(what);
  }

  private JobFailure failed(String id, JsonNode status)
      throws JobFailure, JobStopped, InterruptedException {
    JsonNode error = detail(id).path("execution_error");
    if (error.isObject()) {
      return Troubles.executionError(error);
    }
    String said = Clean.forOwner(status.path("error_message").asString(""));
    return JobFailure.retryable("Comfy Cloud: " + (said.isEmpty() ? "the job failed" : said));
  }

  private JsonNode detail(String id) throws JobFailure, JobStopped, InterruptedException {
    return patience.with(() -> detailNow(id));
  }

  /** The newer call knows all; the older one is for services that don't have it yet. */
  private JsonNode detailNow(String id) throws Unreachable, InterruptedException {
    Answer answer = api.get("/jobs/" + id);
    if (answer.ok()) {
      return answer.body();
    }
    Answer older = answer.status() == 404 ? api.get("/history_v2/" + id) : answer;
    if (!older.ok()) {
      throw Unreachable.unwell("a job can't be read (" + older.status() + ")");
    }
    return older.body().path(id);
  }

  private List<Produced> collect(String id) throws JobFailure, JobStopped, InterruptedException {
    ComfyOutputs.Selection selection =
        ComfyOutputs.select(detail(id).path("outputs"), job.outputNode());
    if (selection.isEmpty()) {
      throw JobFailure.permanent("the workflow ended without the wanted output");
    }
    List<Produced> made = new ArrayList<>(selection.texts());
    ComfyOutputFetch fetch = new ComfyOutputFetch(api, "Comfy Cloud", log);
    for (ComfyOutputs.FileRef ref : selection.files()) {
      made.add(patience.with(() -> fetch.fetch(ref, job, made.size())));
    }
    return made;
  }

  /**
   * Takes the job out of the queue. One that runs is left alone: the cloud's interrupt may end
   * every running job of the account.
   */
  private void withdraw(String id) {
    undisturbed(() -> {
      api.post("/queue", AnswerJson.object().set("delete", AnswerJson.tree(List.of(id))));
      log.info("cloud.withdrawn", "job", job.jobId(), "attempt", job.attempt());
    });
  }

  /** Something to do after the stop, which has interrupted this thread. */
  @FunctionalInterface
  private interface Tidying {
    void run() throws Unreachable, InterruptedException;
  }

  private void undisturbed(Tidying tidying) {
    boolean interrupted = Thread.interrupted();
    try {
      tidying.run();
    } catch (Unreachable e) {
      log.warn("cloud.not_withdrawn", "job", job.jobId(), "reason", e);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
