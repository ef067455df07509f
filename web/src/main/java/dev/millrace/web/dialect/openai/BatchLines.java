package dev.millrace.web.dialect.openai;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.requests.RequestListView;
import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.jobs.JobNotes;
import dev.millrace.service.jobs.JobRequest;
import dev.millrace.service.jobs.JobSubmission;
import dev.millrace.service.jobs.Offer;
import dev.millrace.service.requests.RequestLines;
import dev.millrace.web.api.job.SubmitAnswers;
import dev.millrace.web.dialect.Dialect;
import dev.millrace.web.dialect.FileNotes;
import dev.millrace.web.http.Problem;
import dev.millrace.web.http.ProblemException;
import java.net.URI;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What the lines of a batch mean: the same as the calls that they stand for. */
record BatchLines(Calls calls) implements RequestLines {

  private static final String CHAT = "/v1/chat/completions";
  private static final String IMAGES = "/v1/images/generations";

  static final List<String> ENDPOINTS = List.of(CHAT, IMAGES);

  @Override
  public Reading read(RequestListView list, ObjectNode body, String key) {
    try {
      Effect effect = effect(list, body);
      if (body.path("stream").asBoolean(false)) {
        throw ProblemException.invalid("/stream", "must be false in a batch");
      }
      EffectInput input =
          list.request().endpoint().equals(CHAT)
              ? ChatRoutes.fields(body, effect)
              : ImageRoutes.fields(body, effect);
      ObjectNode fields = input.fields();
      return new Reading.Wanted(
          new JobRequest(
                  effect.slug(),
                  (ObjectNode) fields.path("input"),
                  list.owner().userId(),
                  key,
                  0,
                  null,
                  list.owner().workspace(),
                  new JobNotes(
                      null,
                      new JobNotes.Related("openai", Ids.BATCH + list.id()),
                      JobNotes.Wishes.NONE,
                      null))
              .through(Dialect.OPENAI.label()));
    } catch (ProblemException e) {
      return new Reading.Refused(answer(e.problem()));
    }
  }

  private Effect effect(RequestListView list, ObjectNode body) {
    String slug = body.path("model").asString("");
    return calls
        .offers()
        .find(slug)
        .map(Offer::effect)
        .filter(_ -> list.owner().effects() == null || list.owner().effects().contains(slug))
        .orElseThrow(() ->
            new ProblemException(
                404,
                "model_not_found",
                "The model does not exist or you do not have access to it."));
  }

  private static Answer answer(Problem problem) {
    ObjectNode body = JsonMapper.shared().createObjectNode();
    body.set("error", OpenAiErrors.error(problem));
    return new Answer(OpenAiErrors.status(problem), body);
  }

  @Override
  public Answer refused(JobSubmission.Outcome outcome) {
    try {
      SubmitAnswers.Submitted submitted = calls.answers().require(outcome);
      throw new IllegalStateException("it was not refused: " + submitted.id());
    } catch (ProblemException e) {
      return answer(e.problem());
    }
  }

  @Override
  public Answer ended(RequestListView list, JobView job, List<FileView> outputs) {
    if (job.state() != State.COMPLETED) {
      return answer(Calls.refusal(job).problem());
    }
    return new Answer(
        200,
        list.request().endpoint().equals(CHAT)
            ? ChatRoutes.json(job, outputs, calls)
            : ImageRoutes.json(job, outputs, "url", calls, URI.create(list.request().base())));
  }

  @Override
  public String notes(String fileName, boolean errors) {
    return JsonMapper.shared()
        .createObjectNode()
        .put(FileNotes.NAME, fileName)
        .put(FileNotes.PURPOSE, "batch_output")
        .toString();
  }
}
