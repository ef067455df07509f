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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** One job at Comfy Cloud: submitted once, waited for, collected. */
final class CloudRun {

  /** How often a status may be missing or strange before it counts. */
  private static final int PATIENT = 20;

  private static final int NEWEST = 20;

  private static final Set<String> WAITING = Set.of("waiting_to_dispatch", "pending", "queued");
  private static final Set<String> RUNNING = Set.of("in_progress", "executing", "running");
  private static final Set<String> DONE = Set.of("completed", "success");
  private static final Set<String> GOOD =
      Stream.of(WAITING, RUNNING, DONE).flatMap(Set::stream).collect(Collectors.toSet());

  private final ComfyApi api;
  private final Account account;
  private final WorkerSettings.ComfyCloud settings;
  private final JobContext job;
  private final ComfyPatience patience;
  private final WorkerLog log;

  CloudRun(
      ComfyApi api,
      Account account,
      WorkerSettings.ComfyCloud settings,
      JobContext job,
      ComfyPatience patience,
      WorkerLog log) {
    this.api = api;
    this.account = account;
    this.settings = settings;
    this.job = job;
    this.patience = patience;
    this.log = log;
  }

  /** Submits, and returns the id that the cloud gave. */
  String submit(Map<String, Object> graph) throws JobFailure, JobStopped, InterruptedException {
    String attempt = job.attemptId().toString();
    try {
      return submit(graph, attempt);
    } catch (JobStopped | InterruptedException e) {
      // It may have been accepted, although nobody read the answer.
      undisturbed(() -> submitted(attempt).ifPresent(this::withdraw));
      throw e;
    }
  }

  private String submit(Map<String, Object> graph, String attempt)
      throws JobFailure, JobStopped, InterruptedException {
    Answer answer = ComfyPatience.none(job).with(() -> once(graph, attempt));
    if (!answer.ok()) {
      throw account.refused(answer);
    }
    String id = answer.body().path("prompt_id").asString("");
    boolean errors = !answer.body().path("node_errors").isEmpty();
    if (id.isEmpty() || errors) {
      throw JobFailure.permanent("Comfy Cloud refused the workflow");
    }
    job.progress(5, "queued", "Waiting for Comfy Cloud");
    return id;
  }

  /** Only a request that was certainly not heard is sent again. */
  private Answer once(Map<String, Object> graph, String attempt)
      throws Unreachable, JobFailure, JobStopped, InterruptedException {
    JobFailure unanswered = JobFailure.retryable("Comfy Cloud didn't answer a submit");
    try {
      Answer answer = api.submit(graph, attempt, attempt);
      if (answer.status() < 500) {
        return answer;
      }
      unanswered = account.refused(answer);
    } catch (Unreachable e) {
      if (e.neverSent()) {
        throw e;
      }
    }
    log.warn("cloud.uncertain", "job", job.jobId(), "attempt", job.attempt());
    Optional<String> id = patience.with(() -> submitted(attempt));
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

  /** What was bought for this attempt, unless it has failed there or was taken back. */
  Optional<String> stillGood(String attempt) throws Unreachable, InterruptedException {
    Optional<String> id = submitted(attempt);
    if (id.isEmpty()) {
      return id;
    }
    String status = api.get("/job/" + id.get() + "/status").body().path("status").asString("");
    return GOOD.contains(status) ? id : Optional.empty();
  }

  /** Looks among the newest jobs for one that saves under this attempt's name. */
  private Optional<String> submitted(String attempt) throws Unreachable, InterruptedException {
    Answer newest = api.get("/jobs?limit=" + NEWEST + "&sort_order=desc");
    JsonNode jobs = newest.body().path("jobs");
    if (!newest.ok() || !jobs.isArray()) {
      throw Unreachable.unwell("the jobs can't be listed (" + newest.status() + ")");
    }
    for (JsonNode entry : jobs) {
      String id = entry.path("id").asString("");
      if (id.equals(attempt)
          || api.get("/jobs/" + id).body().path("workflow").toString().contains(attempt)) {
        return Optional.of(id);
      }
    }
    return Optional.empty();
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
    int strange = 0;
    String before = "";
    long changed = System.nanoTime();
    while (true) {
      job.check();
      Answer answer = patience.with(() -> api.get("/job/" + id + "/status"));
      String status = answer.ok() ? answer.body().path("status").asString("") : "";
      if (answer.status() == 401 || answer.status() == 403) {
        throw account.refused(answer);
      }
      switch (status) {
        case "completed", "success" -> {
          return;
        }
        case "error", "failed" -> throw failed(id, answer.body());
        case "cancelled", "canceled" ->
            throw JobFailure.retryable("the job was cancelled at Comfy Cloud");
        case "waiting_to_dispatch", "pending", "queued" -> strange = 0;
        case "in_progress", "executing", "running" -> {
          strange = 0;
          job.progress(40, "generating", "Running at Comfy Cloud");
        }
        default -> {
          strange++;
          if (strange > PATIENT) {
            throw JobFailure.retryable("Comfy Cloud doesn't say how the job is");
          }
        }
      }
      if (!status.equals(before)) {
        changed = System.nanoTime();
      } else if (System.nanoTime() - changed > settings.stall().toNanos()) {
        throw stalled(id, status);
      }
      before = status;
      job.pause(settings.poll());
    }
  }

  /**
   * One that still waits is taken back, and another worker may have more luck. One that runs can't
   * be stopped there, and would be paid for twice if it counted for nothing.
   */
  private JobFailure stalled(String id, String status) {
    String what = "Comfy Cloud made no progress for " + settings.stall().toSeconds() + " seconds";
    withdraw(id);
    return RUNNING.contains(status) ? JobFailure.retryable(what) : JobFailure.interrupted(what);
  }

  private JobFailure failed(String id, JsonNode status)
      throws JobFailure, JobStopped, InterruptedException {
    JsonNode error = detail(id).path("execution_error");
    if (error.isObject()) {
      return Troubles.executionError(error);
    }
    String said = Clean.text(status.path("error_message").asString(""));
    return JobFailure.retryable("Comfy Cloud: " + (said.isEmpty() ? "the job failed" : said));
  }

  /** The newer call knows all; the older one is for services that don't have it yet. */
  private JsonNode detail(String id) throws JobFailure, JobStopped, InterruptedException {
    Answer answer = patience.with(() -> api.get("/jobs/" + id));
    if (answer.status() == 404) {
      return patience.with(() -> api.get("/history_v2/" + id)).body().path(id);
    }
    return answer.body();
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
