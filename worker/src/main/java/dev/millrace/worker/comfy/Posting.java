package dev.millrace.worker.comfy;

import dev.millrace.spi.executor.JobContext;
import dev.millrace.spi.executor.JobFailure;
import dev.millrace.spi.executor.JobStopped;
import dev.millrace.worker.comfy.ComfyApi.Place;
import dev.millrace.worker.http.Answer;
import dev.millrace.worker.http.AnswerJson;
import dev.millrace.worker.http.Unreachable;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Gives a prompt to ComfyUI, once. */
final class Posting {

  private static final int TRIES = 2;
  private static final Duration PAUSE = Duration.ofMillis(200);

  /** Makes the graph, with fresh uploads if the files of the last one are gone. */
  @FunctionalInterface
  interface Source {
    Prepared graph(boolean again) throws JobFailure, JobStopped, InterruptedException, Unreachable;
  }

  private final ComfyApi api;
  private final Liveness liveness;
  private final JobContext job;
  private final Source source;
  private final ComfyPatience patience;

  Posting(ComfyApi api, Liveness liveness, JobContext job, Source source, ComfyPatience patience) {
    this.api = api;
    this.liveness = liveness;
    this.job = job;
    this.source = source;
    this.patience = patience;
  }

  /**
   * Returns the prompt's id: an old ComfyUI takes none and chooses its own.
   *
   * @param withdraw takes a prompt back that was accepted but lacks what the job needs
   */
  String post(String id, Consumer<String> withdraw)
      throws JobFailure, JobStopped, InterruptedException {
    ComfyPatience none = ComfyPatience.none(job);
    Prepared prepared = none.with(() -> source.graph(false));
    boolean again = false;
    while (true) {
      Answer answer = submit(id, prepared);
      if (answer.ok()) {
        String posted = answer.body().path("prompt_id").asString(id);
        Optional<JobFailure> partly = Troubles.partlyInvalid(answer.body(), job.outputNode());
        if (partly.isPresent()) {
          withdraw.accept(posted);
          throw partly.get();
        }
        job.progress(5, "queued", "Waiting for ComfyUI");
        return posted;
      }
      if (again || !Troubles.missesOneOf(answer.body(), prepared.files())) {
        throw Troubles.refused(answer);
      }
      again = true;
      prepared = none.with(() -> source.graph(true));
    }
  }

  /**
   * Posts. Without a clear answer, which an error of the server isn't either, the prompt may have
   * been accepted all the same, so it is looked for before it is sent again.
   */
  private Answer submit(String id, Prepared prepared)
      throws JobFailure, JobStopped, InterruptedException {
    JobFailure trouble = JobFailure.interrupted("ComfyUI doesn't answer");
    Optional<String> illness = Optional.empty();
    for (int tries = 1; tries <= TRIES; tries++) {
      try {
        Answer answer = api.submit(prepared.graph(), id, id);
        if (answer.status() < 500) {
          return answer;
        }
        trouble = Troubles.refused(answer);
        illness = Optional.of("it answered " + answer.status());
      } catch (Unreachable e) {
        trouble = JobFailure.interrupted("ComfyUI doesn't answer");
        if (e.neverSent()) {
          throw trouble;
        }
      }
      if (!(patience.with(() -> liveness.find(id)) instanceof Place.Absent)) {
        return new Answer(
            200, AnswerJson.object().put("prompt_id", id), "", Optional.empty(), Optional.empty());
      }
      job.pause(PAUSE);
    }
    illness.ifPresent(liveness::rest);
    throw trouble;
  }
}
