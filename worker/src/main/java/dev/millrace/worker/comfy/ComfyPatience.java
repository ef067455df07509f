package dev.millrace.worker.comfy;

import dev.millrace.spi.executor.JobContext;
import dev.millrace.spi.executor.JobFailure;
import dev.millrace.spi.executor.JobStopped;
import dev.millrace.worker.http.Backoff;
import dev.millrace.worker.http.Unreachable;
import java.time.Duration;

/** Bears it for a while that the other side is away, because it may only be restarting. */
public final class ComfyPatience {

  private final Duration away;
  private final JobContext job;

  public ComfyPatience(Duration away, JobContext job) {
    this.away = away;
    this.job = job;
  }

  /** None at all: for what comes before anything was begun, so that somebody else can begin. */
  public static ComfyPatience none(JobContext job) {
    return new ComfyPatience(Duration.ZERO, job);
  }

  /** A call that may find nobody there. */
  @FunctionalInterface
  public interface Call<T> {
    T run() throws Unreachable, JobFailure, JobStopped, InterruptedException;
  }

  /**
   * Calls until there is an answer.
   *
   * @throws JobFailure an interruption if nobody came back in time
   */
  public <T> T with(Call<T> call) throws JobFailure, JobStopped, InterruptedException {
    Backoff backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5));
    long until = System.nanoTime() + away.toNanos();
    while (true) {
      try {
        return call.run();
      } catch (Unreachable e) {
        if (System.nanoTime() - until >= 0) {
          throw JobFailure.interrupted("ComfyUI doesn't answer");
        }
        job.pause(backoff.next());
      }
    }
  }
}
