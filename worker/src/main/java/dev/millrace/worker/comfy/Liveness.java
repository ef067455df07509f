package dev.millrace.worker.comfy;

import dev.millrace.spi.executor.JobContext;
import dev.millrace.worker.comfy.ComfyApi.Place;
import dev.millrace.worker.comfy.ComfyApi.Queue;
import dev.millrace.worker.http.Answer;
import dev.millrace.worker.http.AnswerJson;
import dev.millrace.worker.http.Unreachable;
import dev.millrace.worker.log.WorkerLog;
import dev.millrace.worker.stall.StallBound;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Whether a ComfyUI works: it answers, and what it was given moves.
 *
 * <p>Its HTTP server goes on answering when the thread that executes prompts has died or hangs. So
 * it counts as moving only while prompts start or leave its queue, or tell of their progress; a
 * queue in which nothing runs although something waits is given a shorter time. Once a prompt had
 * to be withdrawn for want of movement, or its device failed, or it met an error of its own,
 * nothing is taken any more until a {@link Probe} was executed: nothing else that ComfyUI can be
 * asked shows that it executes.
 */
final class Liveness {

  /** The pause between two prompts, in which models may be unloaded, is much shorter. */
  static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private static final Duration LIMIT = Duration.ofSeconds(5);

  private final ComfyApi api;
  private final Duration bound;
  private final Duration pause;
  private final WorkerLog log;
  private final Set<String> withdrawn = new HashSet<>();
  private Queue last = new Queue(Set.of(), Set.of());
  private long moved = System.nanoTime();
  private boolean resting;
  private long restingSince;
  private Optional<String> probe = Optional.empty();

  /**
   * A watch.
   *
   * @param bound how long nothing may move
   * @param pause how long nothing may run although something waits, if that is shorter
   */
  Liveness(ComfyApi api, Duration bound, Duration pause, WorkerLog log) {
    this.api = api;
    this.bound = bound;
    this.pause = bound.compareTo(pause) > 0 ? pause : bound;
    this.log = log;
  }

  /** Something was heard of a prompt that runs. */
  synchronized void moved() {
    moved = System.nanoTime();
  }

  /** Looks for a prompt, and at the whole queue on the way. */
  Place find(String promptId) throws Unreachable, InterruptedException {
    Queue queue = api.queue(ComfyApi.LIMIT);
    looked(queue);
    return api.find(promptId, queue);
  }

  /** What leaves the queue because it was taken out shows nothing. */
  synchronized void withdrawn(String promptId) {
    withdrawn.add(promptId);
  }

  private synchronized void looked(Queue now) {
    boolean idle = last.running().isEmpty() && last.pending().isEmpty();
    boolean left =
        last.pending().stream()
            .anyMatch(id ->
                !now.pending().contains(id)
                    && !now.running().contains(id)
                    && !withdrawn.contains(id));
    if (idle || left || !now.running().equals(last.running())) {
      moved = System.nanoTime();
    }
    withdrawn.retainAll(now.pending());
    last = now;
  }

  /** Whether nothing has moved for too long, as far as was looked. */
  private synchronized boolean stalled() {
    Duration most = last.running().isEmpty() ? pause : bound;
    return idle().compareTo(most) > 0;
  }

  /** Whether nothing has moved for so long that this job wouldn't end in time. */
  synchronized boolean stalled(JobContext job) {
    return stalled() || new StallBound(bound, job).isOver(idle());
  }

  /** How long it has had something to do without anything that moved. */
  synchronized Duration idle() {
    boolean empty = last.running().isEmpty() && last.pending().isEmpty();
    return empty ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - moved);
  }

  /**
   * A job was stopped, and perhaps because it didn't get on. If nothing was heard for a while, it
   * has to show that it executes before it gets another one.
   */
  synchronized void stopped() {
    if (idle().compareTo(pause) > 0) {
      rest("nothing moved");
    }
  }

  /** From now on nothing is taken, until it shows that it executes. */
  synchronized void rest(String because) {
    if (!resting) {
      log.warn("comfyui.resting", "because", because);
    }
    resting = true;
    restingSince = System.nanoTime();
  }

  /** Why it can't be given anything now. */
  Optional<String> trouble() throws InterruptedException {
    try {
      if (!api.get("/system_stats", LIMIT).ok()) {
        return Optional.of("is unwell");
      }
      Queue queue = api.queue(LIMIT);
      looked(queue);
      boolean ill;
      synchronized (this) {
        ill = resting;
      }
      if (ill && !executes(queue)) {
        return Optional.of("answers, but executes nothing");
      }
      return stalled() ? Optional.of("answers, but nothing moves") : Optional.empty();
    } catch (Unreachable _) {
      return Optional.of("doesn't answer");
    }
  }

  /** Called by one thread at a time. */
  private boolean executes(Queue queue) throws Unreachable, InterruptedException {
    if (probe.isEmpty()) {
      String id = "millrace-probe-" + UUID.randomUUID();
      Answer answer = api.submit(Probe.graph(), id, id);
      if (answer.ok()) {
        probe = Optional.of(answer.body().path("prompt_id").asString(id));
        return false;
      }
      // One that doesn't have these nodes can't be tried; it gets a job again after a while.
      return answer.status() == 400 && restedEnough() && recovered();
    }
    String id = probe.get();
    Place place = api.find(id, queue);
    if (place instanceof Place.Absent) {
      // It was restarted. What it is now has to be seen.
      probe = Optional.empty();
    }
    if (!(place instanceof Place.Ended ended)) {
      return false;
    }
    probe = Optional.empty();
    api.post("/history", AnswerJson.object().set("delete", AnswerJson.tree(List.of(id))));
    return Probe.succeeded(ended.entry()) && recovered();
  }

  private synchronized boolean restedEnough() {
    return System.nanoTime() - restingSince > bound.toNanos();
  }

  private synchronized boolean recovered() {
    log.info("comfyui.recovered");
    resting = false;
    moved = System.nanoTime();
    return true;
  }
}
