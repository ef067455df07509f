package dev.millrace.web.dialect.openai;

import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.catalogue.Effect;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** Texts that are spoken. */
final class SpeechRoutes {

  private static final Set<String> DONE =
      Set.of("model", "input", "response_format", "user", "metadata");
  private static final Set<String> IGNORED =
      Set.of("voice", "speed", "instructions", "stream_format");

  private final Authentication authentication;
  private final Calls calls;

  SpeechRoutes(Authentication authentication, Calls calls) {
    this.authentication = authentication;
    this.calls = calls;
  }

  List<Route> routes() {
    return List.of(
        Route.post(
            "/openai/v1/audio/speech", authentication.require(Scope.JOBS_WRITE, this::speak)));
  }

  private Response speak(Request request, Principal principal) throws InterruptedException {
    ObjectNode body = request.jsonObject();
    Effect effect = calls.model(body.path("model"), principal);
    JobView job = calls.run(fields(body, effect).fields(), request, principal);
    FileView sound =
        calls.outputs(job).stream()
            .findFirst()
            .orElseThrow(() -> new ProblemException(410, "output_gone", "Its output was deleted."));
    byte[] bytes =
        calls
            .texts()
            .bytes(sound)
            .orElseThrow(() -> new ProblemException(410, "output_gone", "Its output was deleted."));
    return Response.bytes(200, sound.content().mediaType(), bytes);
  }

  private static EffectInput fields(ObjectNode body, Effect effect) {
    EffectInput input = new EffectInput(effect);
    if (body.path("stream_format").asString("audio").equals("sse")) {
      throw ProblemException.invalid("/stream_format", "must be audio");
    }
    if (!body.hasNonNull("input")) {
      throw ProblemException.invalid("/input", "is required");
    }
    input.putFirst(List.of("text", "prompt"), body.path("input"));
    if (body.hasNonNull("response_format") && input.takes("format")) {
      input.put("format", body.path("response_format"));
    }
    input.owner(body);
    input.related("speech");
    input.rest(body, DONE, IGNORED);
    return input;
  }
}
