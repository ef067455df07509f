package dev.millrace.worker.comfy;

import dev.millrace.spi.executor.JobContext;
import dev.millrace.spi.executor.JobFailure;
import dev.millrace.spi.executor.JobStopped;
import dev.millrace.spi.executor.Produced;
import dev.millrace.worker.comfy.ComfyApi.Place;
import dev.millrace.worker.http.AnswerJson;
import dev.millrace.worker.http.Unreachable;
import dev.millrace.worker.log.WorkerLog;
import dev.millrace.worker.settings.WorkerSettings;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One job's prompt: found or posted, followed to its end, and its outputs collected. */
final class PromptRun {

  /** Prompts of so many earlier attempts are worth a look: one may have ended after its lease. */
  private static final int EARLIER = 3;

  private static final int MOST_POSTS = 2;
  private static final int MISSES = 2;
  private static final Duration LISTEN_AGAIN = Duration.ofSeconds(5);
  private static final String POSTED = "posted";

  private final ComfyApi api;
  private final Liveness liveness;
  private final WorkerSettings.ComfyUi settings;
  private final JobContext job;
  private final WorkerLog log;
  private final Posting.Source source;
  private final LinkedBlockingQueue<String> pokes = new LinkedBlockingQueue<>(1);
  private final ComfyPatience patience;
  private long nextListen = System.nanoTime();
  private @Nullable ProgressSocket socket;
  private @Nullable WebSocket connection;
  private boolean started;

  PromptRun(
      ComfyApi api,
      Liveness liveness,
      WorkerSettings.ComfyUi settings,
      JobContext job,
      WorkerLog log,
      Posting.Source source) {
    this.api = api;
    this.liveness = liveness;
    this.settings = settings;
    this.job = job;
    this.log = log;
    this.source = source;
    this.patience = new ComfyPatience(settings.away(), job);
  }

  List<Produced> run() throws JobFailure, JobStopped, InterruptedException {
    Optional<List<Produced>> earlier = earlier();
    return earlier.isPresent() ? earlier.get() : own();
  }

  /** What an earlier attempt has made or is making, whose worker lost its lease meanwhile. */
  private Optional<List<Produced>> earlier() throws JobFailure, JobStopped, InterruptedException {
    for (int n = job.attempt() - 1; n >= Math.max(1, job.attempt() - EARLIER); n--) {
      String id = job.attemptId(n).toString();
      Place place = beforePosting().with(() -> liveness.find(id));
      boolean ended = place instanceof Place.Ended;
      if (place instanceof Place.Absent
          || (ended && !(history(place) instanceof ComfyHistory.Succeeded))) {
        continue;
      }
      log.info("prompt.adopted", "job", job.jobId(), "attempt", job.attempt(), "from", n);
      try {
        return Optional.of(follow(id));
      } catch (JobFailure | Lost e) {
        if (e instanceof JobFailure f && f.kind() == JobFailure.Kind.INTERRUPTED) {
          throw f;
        }
        log.info("prompt.not_adopted", "job", job.jobId(), "from", n);
      }
    }
    return Optional.empty();
  }

  /** This attempt's own prompt. It may be there already, if the worker was restarted. */
  private List<Produced> own() throws JobFailure, JobStopped, InterruptedException {
    String id = job.attemptId().toString();
    String posted = id;
    int posts = 0;
    if (beforePosting().with(() -> liveness.find(id)) instanceof Place.Absent) {
      posted = post(id);
      posts++;
    } else {
      log.info("prompt.found", "job", job.jobId(), "attempt", job.attempt());
    }
    while (true) {
      try {
        return follow(posted);
      } catch (Lost e) {
        if (posts >= MOST_POSTS) {
          String what = "ComfyUI lost the prompt; it was restarted or crashed";
          // What was running each time may well be what ends it.
          throw started ? JobFailure.retryable(what) : JobFailure.interrupted(what);
        }
        log.warn("prompt.lost", "job", job.jobId(), "attempt", job.attempt());
        posted = post(id);
        posts++;
      }
    }
  }

  /** Nothing is lost by giving back at once a job that nobody has begun. */
  private ComfyPatience beforePosting() {
    return job.note().isPresent() ? patience : ComfyPatience.none(job);
  }

  /** The prompt is nowhere any more. */
  private static final class Lost extends Exception {
    private static final long serialVersionUID = 1L;
  }

  private String post(String id) throws JobFailure, JobStopped, InterruptedException {
    try {
      listen(id);
      String posted = new Posting(api, liveness, job, source, patience).post(id, this::withdraw);
      job.note(POSTED);
      return posted;
    } catch (JobStopped | InterruptedException e) {
      // It may have been accepted, although nobody read the answer.
      withdraw(id);
      throw e;
    }
  }

  private List<Produced> follow(String id)
      throws JobFailure, JobStopped, InterruptedException, Lost {
    try {
      return collect(await(id));
    } catch (JobStopped | InterruptedException e) {
      liveness.stopped();
      withdraw(id);
      throw e;
    } finally {
      disconnect();
    }
  }

  private Place.Ended await(String id) throws JobFailure, JobStopped, InterruptedException, Lost {
    int misses = 0;
    while (true) {
      job.check();
      Place place = patience.with(() -> liveness.find(id));
      switch (place) {
        case Place.Ended ended -> {
          return ended;
        }
        case Place.Absent _ -> {
          misses++;
          if (misses >= MISSES) {
            throw new Lost();
          }
        }
        case Place.Running _ -> {
          started = true;
          misses = 0;
        }
        case Place.Pending _ -> misses = 0;
      }
      if (misses == 0 && liveness.stalled(job)) {
        long idleSeconds = liveness.idle().toSeconds();
        withdraw(id);
        liveness.rest("nothing moved");
        throw JobFailure.interrupted("ComfyUI made no progress for " + idleSeconds + " seconds");
      }
      if (socket == null || !socket.isOpen()) {
        listen(id);
      }
      pokes.poll(settings.poll().toMillis(), TimeUnit.MILLISECONDS);
      pokes.clear();
    }
  }

  private ComfyHistory history(Place place) throws JobFailure {
    return ComfyHistory.of(((Place.Ended) place).entry(), job.outputNode());
  }

  private List<Produced> collect(Place.Ended ended)
      throws JobFailure, JobStopped, InterruptedException {
    switch (history(ended)) {
      case ComfyHistory.Succeeded succeeded -> {
        List<Produced> made = new ArrayList<>(succeeded.outputs().texts());
        ComfyOutputFetch fetch = new ComfyOutputFetch(api, "ComfyUI", log);
        for (ComfyOutputs.FileRef ref : succeeded.outputs().files()) {
          made.add(patience.with(() -> fetch.fetch(ref, job, made.size())));
        }
        return made;
      }
      case ComfyHistory.Failed failed -> {
        if (failed.outOfMemory()) {
          free();
        }
        if (failed.failure().isDoubtful()) {
          liveness.rest("its device failed");
        }
        throw failed.failure();
      }
      case ComfyHistory.Interrupted _ -> {
        job.check();
        throw JobFailure.retryable("somebody interrupted the prompt");
      }
    }
  }

  /** Takes the prompt away from ComfyUI, and no other: an interrupt without its id hits anyone. */
  private void withdraw(String id) {
    boolean interrupted = Thread.interrupted();
    try {
      liveness.withdrawn(id);
      api.post("/queue", AnswerJson.object().set("delete", AnswerJson.tree(List.of(id))));
      if (api.find(id) instanceof Place.Running) {
        api.post("/interrupt", AnswerJson.object().put("prompt_id", id));
      }
      log.info("prompt.withdrawn", "job", job.jobId(), "attempt", job.attempt());
    } catch (Unreachable e) {
      log.warn("prompt.not_withdrawn", "job", job.jobId(), "reason", e);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Makes room for the next attempt. */
  private void free() throws InterruptedException {
    try {
      api.post("/free", AnswerJson.object().put("unload_models", true).put("free_memory", true));
    } catch (Unreachable e) {
      log.warn("comfyui.not_freed", "reason", e);
    }
  }

  /** At most now and then, because one that doesn't answer costs time. */
  private void listen(String id) throws InterruptedException {
    if (System.nanoTime() - nextListen < 0) {
      return;
    }
    disconnect();
    nextListen = System.nanoTime() + LISTEN_AGAIN.toNanos();
    Map<String, Object> graph = job.template().orElse(Map.of());
    ProgressSocket listener =
        new ProgressSocket(id, graph, job, () -> pokes.offer("look"), liveness::moved);
    socket = listener;
    try {
      connection = api.connect(id, listener).get(2, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException _) {
      // Without it the history tells the end all the same, only later.
      socket = null;
    }
  }

  private void disconnect() {
    if (connection != null) {
      connection.abort();
      connection = null;
    }
    socket = null;
  }
}
