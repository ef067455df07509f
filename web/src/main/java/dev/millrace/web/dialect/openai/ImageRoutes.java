package dev.millrace.web.dialect.openai;

import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.catalogue.Effect;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.job.ResultAddress;
import dev.millrace.web.dialect.GivenFiles;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import dev.millrace.web.http.form.FormFiles;
import java.net.URI;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Pictures from a prompt, and from pictures. */
final class ImageRoutes {

  private static final Set<String> DONE =
      Set.of("model", "prompt", "n", "size", "user", "metadata", "response_format");

  /** What clients send by habit, and what says nothing where an effect doesn't take it. */
  private static final Set<String> IGNORED =
      Set.of(
          "quality",
          "style",
          "background",
          "moderation",
          "output_format",
          "output_compression",
          "partial_images",
          "input_fidelity",
          "stream");

  private static final Duration UPLOAD_TIME = Duration.ofMinutes(10);

  /** Larger ones are given as addresses only, unless they were asked for as text. */
  private static final long MOST_INLINE = 8 << 20;

  private final Authentication authentication;
  private final Calls calls;
  private final long mostBytes;

  ImageRoutes(Authentication authentication, Calls calls, long mostBytes) {
    this.authentication = authentication;
    this.calls = calls;
    this.mostBytes = mostBytes;
  }

  List<Route> routes() {
    return List.of(
        Route.post(
            "/openai/v1/images/generations",
            authentication.require(Scope.JOBS_WRITE, this::generate)),
        Route.post("/openai/v1/images/edits", authentication.require(Scope.JOBS_WRITE, this::edit))
            .accepting(mostBytes, UPLOAD_TIME));
  }

  private Response generate(Request request, Principal principal) throws InterruptedException {
    ObjectNode body = request.jsonObject();
    Effect effect = calls.model(body.path("model"), principal);
    return answer(body, fields(body, effect), request, principal);
  }

  /** The same for lines of a batch. */
  static EffectInput fields(ObjectNode body, Effect effect) {
    EffectInput input = new EffectInput(effect);
    if (body.path("stream").asBoolean(false)) {
      throw ProblemException.invalid("/stream", "must be false: pictures come whole here");
    }
    String format = body.path("response_format").asString("url");
    if (!List.of("url", "b64_json").contains(format)) {
      throw ProblemException.invalid("/response_format", "must be url or b64_json");
    }
    if (body.hasNonNull("prompt")) {
      input.put("prompt", body.path("prompt"));
    }
    input.count(body);
    input.size(body);
    input.owner(body);
    input.related("image");
    input.rest(body, DONE, IGNORED);
    return input;
  }

  private Response answer(ObjectNode body, EffectInput input, Request request, Principal principal)
      throws InterruptedException {
    JobView job = calls.run(input.fields(), request, principal);
    return Response.json(
        200,
        json(
            job,
            calls.outputs(job),
            body.path("response_format").asString(""),
            calls,
            calls.publicUrl().of(request)));
  }

  /**
   * The pictures.
   *
   * @param format url or b64_json; empty for both where they are small
   */
  static ObjectNode json(
      JobView job, List<FileView> outputs, String format, Calls calls, URI base) {
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("created", job.times().createdAt().getEpochSecond());
    ArrayNode data = json.putArray("data");
    long bytes = outputs.stream().mapToLong(file -> file.content().size()).sum();
    for (int i = 0; i < outputs.size(); i++) {
      FileView file = outputs.get(i);
      ObjectNode one = data.addObject();
      if (!format.equals("b64_json")) {
        one.put("url", ResultAddress.of(calls.links(), job, i, file, base));
      }
      if (format.equals("b64_json") || (format.isEmpty() && bytes <= MOST_INLINE)) {
        calls
            .texts()
            .bytes(file)
            .ifPresent(found -> one.put("b64_json", Base64.getEncoder().encodeToString(found)));
      }
    }
    json.put("id", job.id().toString());
    return json;
  }

  /** Files are brought first, so that a request that is sent again names the same ones. */
  private Response edit(Request request, Principal principal) throws InterruptedException {
    try (FormFiles form = FormFiles.of(request)) {
      JsonNode model =
          form.part("model")
              .<JsonNode>map(part -> JsonMapper.shared().getNodeFactory().stringNode(part.text()))
              .orElseGet(() -> JsonMapper.shared().missingNode());
      Effect effect = calls.model(model, principal);
      Form read = Form.of(form, effect);
      EffectInput input = fields(read.body(), effect);
      read.bring(
          input,
          calls.given(),
          GivenFiles.Owner.of(principal, read.body().path("user").asString(null)));
      return answer(read.body(), input, request, principal);
    }
  }
}
