package dev.millrace.web.dialect.replicate;

import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.jobs.Jobs;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.jobs.JobActions;
import dev.millrace.service.live.JobEnds;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.job.JobAnswers;
import dev.millrace.web.api.job.SubmitAnswers;
import dev.millrace.web.api.job.Submits;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.api.request.PublicUrl;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Asking for predictions, looking at them, canceling them. */
final class PredictionRoutes {

  private static final int PAGE = 100;

  /** Room for an input with small files written into it. */
  private static final long MOST_BODY = 8 << 20;

  private static final Duration BODY_TIME = Duration.ofSeconds(60);

  /** As long as a provider usually takes to notice that it is to stop. */
  private static final Duration STOPPING = Duration.ofSeconds(3);

  private final Authentication authentication;
  private final Models models;
  private final PredictionRequest reader;
  private final PredictionJson json;
  private final Jobbing jobbing;
  private final PublicUrl publicUrl;

  /** What is done with jobs here. */
  record Jobbing(Submits submits, JobActions actions, SubmitAnswers answers, JobEnds ends) {

    JobAnswers shown() {
      return answers.shown();
    }
  }

  PredictionRoutes(
      Authentication authentication,
      Models models,
      PredictionRequest reader,
      PredictionJson json,
      Jobbing jobbing,
      PublicUrl publicUrl) {
    this.authentication = authentication;
    this.models = models;
    this.reader = reader;
    this.json = json;
    this.jobbing = jobbing;
    this.publicUrl = publicUrl;
  }

  List<Route> routes() {
    return List.of(
        asking("/replicate/v1/predictions", this::byVersion),
        asking("/replicate/v1/models/{owner}/{name}/predictions", this::byName),
        asking("/replicate/v1/deployments/{owner}/{name}/predictions", this::byName),
        Route.get("/replicate/v1/predictions", authentication.require(Scope.JOBS_READ, this::list)),
        Route.get(
            "/replicate/v1/predictions/{id}", authentication.require(Scope.JOBS_READ, this::show)),
        Route.post(
            "/replicate/v1/predictions/{id}/cancel",
            authentication.require(Scope.JOBS_WRITE, this::cancel)));
  }

  private Route asking(String path, Authentication.Authenticated handler) {
    return Route.post(path, authentication.require(Scope.JOBS_WRITE, handler))
        .accepting(MOST_BODY, BODY_TIME);
  }

  private Response byVersion(Request request, Principal principal) throws InterruptedException {
    ObjectNode body = request.jsonObject();
    String slug =
        models
            .slug(body.path("version").asString(""))
            .orElseThrow(() ->
                ProblemException.invalid("/version", "is no version that there is, or not yours"));
    return create(body, models.find(principal, slug), request, principal);
  }

  private Response byName(Request request, Principal principal) throws InterruptedException {
    Effect effect =
        models.find(
            principal, request.pathParameter("owner") + "/" + request.pathParameter("name"));
    return create(request.jsonObject(), effect, request, principal);
  }

  private Response create(ObjectNode body, Effect effect, Request request, Principal principal)
      throws InterruptedException {
    ObjectNode fields = reader.fields(body, effect, principal);
    SubmitAnswers.Submitted submitted =
        jobbing
            .answers()
            .require(
                jobbing
                    .submits()
                    .submit(
                        fields,
                        request,
                        principal,
                        reader.wishes(body, request, principal, publicUrl.of(request))));
    Duration wait = PredictionRequest.wait(request);
    JobView job =
        submitted.made() != null && wait.isZero()
            ? submitted.made()
            : jobbing
                .ends()
                .await(principal.tenant(), submitted.id(), wait)
                .orElseThrow(SubmitAnswers::deleted);
    ObjectNode shown = json(job, jobbing.shown().outputs(job), request);
    if (!wait.isZero() && shown.path("status").asString().equals("processing")) {
      // To whoever waited, these clients' "run" among them, any other word says that it is over.
      shown.put("status", PredictionJson.STARTING);
    }
    return submitted.made() == null
        ? Response.json(200, shown).header("Idempotency-Replayed", "true")
        : Response.json(201, shown);
  }

  private ObjectNode json(JobView job, List<FileView> outputs, Request request) {
    return json.of(job, outputs, publicUrl.of(request));
  }

  private Response show(Request request, Principal principal) {
    JobView job = jobbing.shown().find(request, principal);
    return Response.json(200, json(job, jobbing.shown().outputs(job), request));
  }

  /** Whoever cancels what has ended is told how it ended, as a race would have it anyway. */
  private Response cancel(Request request, Principal principal) throws InterruptedException {
    JobView job = jobbing.shown().find(request, principal);
    if (!job.state().terminal()) {
      try {
        Refusals.requireDone(jobbing.actions().cancel(principal, job), "canceled");
      } catch (ProblemException e) {
        if (!jobbing.shown().find(request, principal).state().terminal()) {
          throw e;
        }
      }
    }
    JobView now =
        jobbing
            .ends()
            .await(principal.tenant(), job.id(), STOPPING)
            .orElseThrow(ProblemException::notFound);
    return Response.json(200, json(now, jobbing.shown().outputs(now), request));
  }

  private Response list(Request request, Principal principal) {
    Cursor cursor = Cursor.of(request);
    Jobs jobs = jobbing.shown().jobs();
    List<JobView> found =
        cursor.newer()
            ? jobs.walks().newer(principal.visibility(), cursor.id(), PAGE)
            : jobs.list(
                new Jobs.Filter(principal.visibility(), null, null, null, cursor.idOrNull(), PAGE));
    List<UUID> ids = found.stream().map(JobView::id).toList();
    List<JobView> whole = jobs.all(principal.tenant(), ids);
    Map<UUID, List<FileView>> outputs = jobbing.shown().outputs(principal.tenant(), found);
    URI base = publicUrl.of(request);
    ObjectNode page = JsonMapper.shared().createObjectNode();
    boolean more = cursor.newer() || found.size() == PAGE;
    boolean less = cursor.newer() ? found.size() == PAGE : cursor.idOrNull() != null;
    page.put(
        "previous", less && !ids.isEmpty() ? page(base, new Cursor(true, ids.getFirst())) : null);
    page.put("next", more && !ids.isEmpty() ? page(base, new Cursor(false, ids.getLast())) : null);
    var results = page.putArray("results");
    whole.forEach(
        job -> results.add(json(job, outputs.getOrDefault(job.id(), List.of()), request)));
    return Response.json(200, page);
  }

  private static String page(URI base, Cursor cursor) {
    return PredictionJson.url(base, "replicate/v1/predictions?cursor=" + cursor.text());
  }

  /** A place in the list, and in which direction to go on. */
  private record Cursor(boolean newer, @Nullable UUID idOrNull) {

    static Cursor of(Request request) {
      String text = request.query("cursor").orElse("");
      if (text.isEmpty()) {
        return new Cursor(false, null);
      }
      try {
        String plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.ISO_8859_1);
        boolean newer = plain.startsWith("p");
        if (newer || plain.startsWith("n")) {
          return Params.uuid(plain.substring(1))
              .map(id -> new Cursor(newer, id))
              .orElseThrow(Cursor::bad);
        }
      } catch (IllegalArgumentException _) {
        // Answered like any other that we did not make.
      }
      throw bad();
    }

    private static ProblemException bad() {
      return ProblemException.invalid("cursor", "must be one of an earlier page");
    }

    UUID id() {
      return Objects.requireNonNull(idOrNull);
    }

    String text() {
      String plain = (newer ? "p" : "n") + idOrNull;
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(plain.getBytes(StandardCharsets.ISO_8859_1));
    }
  }
}
