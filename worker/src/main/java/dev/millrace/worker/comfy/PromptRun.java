package dev.millrace.worker.comfy;

import dev.millrace.contract.MediaTypes;
import dev.millrace.worker.comfy.ComfyApi.Place;
import dev.millrace.worker.http.Answer;
import dev.millrace.worker.http.Download;
import dev.millrace.worker.http.Json;
import dev.millrace.worker.http.Unreachable;
import dev.millrace.worker.log.EventLog;
import dev.millrace.worker.settings.Settings;
import dev.millrace.worker.spi.JobContext;
import dev.millrace.worker.spi.JobFailure;
import dev.millrace.worker.spi.JobStopped;
import dev.millrace.worker.spi.Produced;
import java.io.IOException;
import java.net.http.WebSocket;
import java.nio.file.Path;
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

  /** Makes the graph, with fresh uploads if the files of the last one are gone. */
  @FunctionalInterface
  interface Source {
    Prepared graph(boolean again) throws JobFailure, JobStopped, InterruptedException, Unreachable;
  }

  private final ComfyApi api;
  private final Settings.ComfyUi settings;
  private final JobContext job;
  private final EventLog log;
  private final Source source;
  private final LinkedBlockingQueue<String> pokes = new LinkedBlockingQueue<>();
  private final Patience patience;
  private long nextListen = System.nanoTime();
  private @Nullable ProgressSocket socket;
  private @Nullable WebSocket connection;

  PromptRun(ComfyApi api, Settings.ComfyUi settings, JobContext job, EventLog log, Source source) {
    this.api = api;
    this.settings = settings;
    this.job = job;
    this.log = log;
    this.source = source;
    this.patience = new Patience(settings.away(), job);
  }

  List<Produced> run() throws JobFailure, JobStopped, InterruptedException {
    Optional<List<Produced>> earlier = earlier();
    return earlier.isPresent() ? earlier.get() : own();
  }

  /** What an earlier attempt has made or is making, whose worker lost its lease meanwhile. */
  private Optional<List<Produced>> earlier() throws JobFailure, JobStopped, InterruptedException {
    for (int n = job.attempt() - 1; n >= Math.max(1, job.attempt() - EARLIER); n--) {
      String id = job.attemptId(n).toString();
      Place place = patience.with(() -> api.find(id));
      boolean ended = place instanceof Place.Ended;
      if (place instanceof Place.Absent
          || (ended && !(history(place) instanceof History.Succeeded))) {
        continue;
      }
      log.info("prompt.adopted", "job", job.jobId(), "attempt", job.attempt(), "from", n);
      try {
        return Optional.of(follow(id));
      } catch (JobFailure | Lost e) {
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
    if (patience.with(() -> api.find(id)) instanceof Place.Absent) {
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
          throw JobFailure.retryable("ComfyUI lost the prompt; it was restarted or crashed");
        }
        log.warn("prompt.lost", "job", job.jobId(), "attempt", job.attempt());
        posted = post(id);
        posts++;
      }
    }
  }

  /** The prompt is nowhere any more. */
  private static final class Lost extends Exception {
    private static final long serialVersionUID = 1L;
  }

  private String post(String id) throws JobFailure, JobStopped, InterruptedException {
    try {
      return posted(id);
    } catch (JobStopped | InterruptedException e) {
      // It may have been accepted, although nobody read the answer.
      withdraw(id);
      throw e;
    }
  }

  /** Returns the prompt's id: an old ComfyUI takes none and chooses its own. */
  private String posted(String id) throws JobFailure, JobStopped, InterruptedException {
    Prepared prepared = patience.with(() -> source.graph(false));
    listen(id);
    boolean again = false;
    while (true) {
      Prepared now = prepared;
      Answer answer = patience.with(() -> submit(id, now));
      if (answer.ok()) {
        String posted = answer.body().path("prompt_id").asString(id);
        Optional<JobFailure> partly = Troubles.partlyInvalid(answer.body(), job.outputNode());
        if (partly.isPresent()) {
          withdraw(posted);
          throw partly.get();
        }
        job.progress(5, "queued", "Waiting for ComfyUI");
        return posted;
      }
      if (again || !Troubles.missesOneOf(answer.body(), now.files())) {
        throw Troubles.refused(answer);
      }
      again = true;
      prepared = patience.with(() -> source.graph(true));
    }
  }

  /** Posts, unless an answer that was lost had already accepted it. */
  private Answer submit(String id, Prepared prepared) throws Unreachable, InterruptedException {
    try {
      return api.submit(prepared.graph(), id, id);
    } catch (Unreachable e) {
      if (!e.neverSent() && !(api.find(id) instanceof Place.Absent)) {
        return new Answer(
            200, Json.object().put("prompt_id", id), "", Optional.empty(), Optional.empty());
      }
      throw e;
    }
  }

  private List<Produced> follow(String id)
      throws JobFailure, JobStopped, InterruptedException, Lost {
    try {
      return collect(await(id));
    } catch (JobStopped | InterruptedException e) {
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
      Place place = patience.with(() -> api.find(id));
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
        case Place.Pending _, Place.Running _ -> misses = 0;
      }
      if (socket == null || !socket.isOpen()) {
        listen(id);
      }
      pokes.poll(settings.poll().toMillis(), TimeUnit.MILLISECONDS);
      pokes.clear();
    }
  }

  private History history(Place place) throws JobFailure {
    return History.of(((Place.Ended) place).entry(), job.outputNode());
  }

  private List<Produced> collect(Place.Ended ended)
      throws JobFailure, JobStopped, InterruptedException {
    switch (history(ended)) {
      case History.Succeeded succeeded -> {
        List<Produced> made = new ArrayList<>(succeeded.outputs().texts());
        for (Outputs.FileRef ref : succeeded.outputs().files()) {
          made.add(patience.with(() -> download(ref, made.size())));
        }
        return made;
      }
      case History.Failed failed -> {
        if (failed.outOfMemory()) {
          free();
        }
        throw failed.failure();
      }
      case History.Interrupted _ -> {
        job.check();
        throw JobFailure.retryable("somebody interrupted the prompt");
      }
    }
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
          : JobFailure.retryable("ComfyUI doesn't have its output any more (" + e.status() + ")");
    } catch (Unreachable e) {
      throw e;
    } catch (IOException e) {
      throw JobFailure.retryable("an output can't be downloaded");
    }
  }

  /** Takes the prompt away from ComfyUI, and no other: an interrupt without its id hits anyone. */
  private void withdraw(String id) {
    boolean interrupted = Thread.interrupted();
    try {
      api.post("/queue", Json.object().set("delete", Json.tree(List.of(id))));
      if (api.find(id) instanceof Place.Running) {
        api.post("/interrupt", Json.object().put("prompt_id", id));
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
      api.post("/free", Json.object().put("unload_models", true).put("free_memory", true));
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
    ProgressSocket listener = new ProgressSocket(id, graph, job, () -> pokes.offer("look"));
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
