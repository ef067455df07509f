package dev.millrace.worker.cloud;

import dev.millrace.contract.MediaTypes;
import dev.millrace.worker.comfy.ComfyApi;
import dev.millrace.worker.comfy.Outputs;
import dev.millrace.worker.comfy.Patience;
import dev.millrace.worker.comfy.Troubles;
import dev.millrace.worker.http.Answer;
import dev.millrace.worker.http.Download;
import dev.millrace.worker.http.Json;
import dev.millrace.worker.http.Unreachable;
import dev.millrace.worker.log.Clean;
import dev.millrace.worker.log.EventLog;
import dev.millrace.worker.spi.JobContext;
import dev.millrace.worker.spi.JobFailure;
import dev.millrace.worker.spi.JobStopped;
import dev.millrace.worker.spi.Produced;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** One job at Comfy Cloud: submitted once, waited for, collected. */
final class CloudRun {

  /** How often a status may be missing or strange before it counts. */
  private static final int PATIENT = 20;

  private static final int NEWEST = 20;

  private final ComfyApi api;
  private final Account account;
  private final Duration poll;
  private final JobContext job;
  private final Patience patience;
  private final EventLog log;

  CloudRun(
      ComfyApi api,
      Account account,
      Duration poll,
      JobContext job,
      Patience patience,
      EventLog log) {
    this.api = api;
    this.account = account;
    this.poll = poll;
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
    Answer answer = patience.with(() -> once(graph, attempt));
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
    try {
      return api.submit(graph, attempt, attempt);
    } catch (Unreachable e) {
      if (e.neverSent()) {
        throw e;
      }
      log.warn("cloud.uncertain", "job", job.jobId(), "attempt", job.attempt());
      String id =
          patience
              .with(() -> submitted(attempt))
              .orElseThrow(() -> JobFailure.retryable("Comfy Cloud didn't answer a submit"));
      return new Answer(
          200, Json.object().put("prompt_id", id), "", Optional.empty(), Optional.empty());
    }
  }

  /** Looks among the newest jobs for one that saves under this attempt's name. */
  private Optional<String> submitted(String attempt) throws Unreachable, InterruptedException {
    JsonNode jobs = api.get("/jobs?limit=" + NEWEST + "&sort_order=desc").body().path("jobs");
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
      job.pause(poll);
    }
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
    Outputs.Selection selection = Outputs.select(detail(id).path("outputs"), job.outputNode());
    if (selection.isEmpty()) {
      throw JobFailure.permanent("the workflow ended without the wanted output");
    }
    List<Produced> made = new ArrayList<>(selection.texts());
    for (Outputs.FileRef ref : selection.files()) {
      made.add(patience.with(() -> download(ref, made.size())));
    }
    return made;
  }

  private Produced download(Outputs.FileRef ref, int number)
      throws JobFailure, InterruptedException, Unreachable {
    Path file = job.folder().resolve("output-" + number);
    try {
      Download.Got got = api.view(ref, file, job.maxOutputBytes());
      return new Produced.Stored(file, MediaTypes.of(got.mediaType(), ref.filename()));
    } catch (Download.Refused e) {
      throw e.status() == 413
          ? JobFailure.permanent("an output is larger than " + job.maxOutputBytes() + " bytes")
          : JobFailure.retryable("Comfy Cloud doesn't give its output (" + e.status() + ")");
    } catch (Unreachable e) {
      throw e;
    } catch (IOException e) {
      throw JobFailure.retryable("an output can't be downloaded");
    }
  }

  /**
   * Takes the job out of the queue. One that runs is left alone: the cloud's interrupt may end
   * every running job of the account.
   */
  private void withdraw(String id) {
    undisturbed(() -> {
      api.post("/queue", Json.object().set("delete", Json.tree(List.of(id))));
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
