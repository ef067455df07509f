package dev.millrace.web.dialect.openai;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.access.JobLinks;
import dev.millrace.service.access.Principal;
import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.jobs.Offer;
import dev.millrace.service.jobs.Offers;
import dev.millrace.service.live.JobEnds;
import dev.millrace.web.api.job.JobAnswers;
import dev.millrace.web.api.job.SubmitAnswers;
import dev.millrace.web.api.job.Submits;
import dev.millrace.web.api.request.PublicUrl;
import dev.millrace.web.dialect.GivenFiles;
import dev.millrace.web.dialect.JobTexts;
import dev.millrace.web.http.Problem;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What all calls of this dialect have in common: a job that is asked for, and often its end. */
record Calls(
    Offers offers,
    Submits submits,
    SubmitAnswers answers,
    JobEnds ends,
    GivenFiles given,
    JobTexts texts,
    JobLinks links,
    PublicUrl publicUrl) {

  /** A bit less than the ten minutes for which these clients wait. */
  private static final Duration LONGEST = Duration.ofSeconds(570);

  JobAnswers shown() {
    return answers.shown();
  }

  /** The effect that a request names as its model. */
  Effect model(JsonNode model, Principal principal) {
    if (!model.isString() || model.stringValue().isBlank()) {
      throw ProblemException.invalid("/model", "is required");
    }
    return find(model.stringValue(), principal);
  }

  Effect find(String slug, Principal principal) {
    return offers
        .find(slug)
        .map(Offer::effect)
        .filter(effect -> principal.bounds().allowEffect(slug))
        .orElseThrow(() ->
            new ProblemException(
                404,
                "model_not_found",
                "The model does not exist or you do not have access to it."));
  }

  UUID ask(ObjectNode fields, Request request, Principal principal) throws InterruptedException {
    return answers.require(submits.submit(fields, request, principal)).id();
  }

  /** The completed job that a request leads to, or why there is none. */
  JobView run(ObjectNode fields, Request request, Principal principal) throws InterruptedException {
    return await(ask(fields, request, principal), principal);
  }

  JobView await(UUID id, Principal principal) throws InterruptedException {
    JobView job = ends.await(principal.tenant(), id, LONGEST).orElseThrow(SubmitAnswers::deleted);
    if (job.state() != State.COMPLETED) {
      throw refusal(job);
    }
    return job;
  }

  List<FileView> outputs(JobView job) {
    return shown().outputs(job);
  }

  /** Asking once more would buy another one, so clients are told not to do so by themselves. */
  static ProblemException refusal(JobView job) {
    String told = job.tries().errorMessage();
    Problem problem =
        switch (job.state()) {
          case REJECTED, BLOCKED ->
              Problem.of(400, "job_rejected", told == null ? "It was rejected." : told);
          case FAILED, DEAD_LETTER ->
              Problem.of(500, "job_failed", told == null ? "It failed." : told);
          case CANCELED -> Problem.of(409, "job_canceled", "Somebody canceled it.");
          case EXPIRED -> Problem.of(504, "job_expired", "It took too long and was given up.");
          case WAITING_REVIEW ->
              Problem.of(
                  409,
                  "job_not_done",
                  "A person looks at it first. The same request with the same Idempotency-Key is"
                      + " answered when that is done.");
          case PENDING, QUEUED, RUNNING, SUBMITTED, CANCELING, COMPLETED ->
              Problem.of(
                  504,
                  "job_not_done",
                  "It goes on. The same request with the same Idempotency-Key is answered with its"
                      + " result.");
        };
    return new ProblemException(problem.with("job_id", job.id().toString()))
        .header(OpenAiErrors.SHOULD_RETRY, "false");
  }
}
