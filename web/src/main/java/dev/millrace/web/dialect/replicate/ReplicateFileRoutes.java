package dev.millrace.web.dialect.replicate;

import dev.millrace.postgres.files.FileView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.files.FileErasure;
import dev.millrace.storage.MediaType;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.job.JobAnswers;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.api.request.PublicUrl;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.dialect.FileNotes;
import dev.millrace.web.dialect.GivenFiles;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import dev.millrace.web.http.form.FormFiles;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Files that are brought for predictions. */
final class ReplicateFileRoutes {

  private static final int PAGE = 100;
  private static final int MOST_METADATA = 4_096;
  private static final Duration UPLOAD_TIME = Duration.ofMinutes(30);

  private final Authentication authentication;
  private final GivenFiles given;
  private final FileErasure erasure;
  private final JobAnswers shown;
  private final PublicUrl publicUrl;
  private final long mostBytes;

  ReplicateFileRoutes(
      Authentication authentication,
      GivenFiles given,
      FileErasure erasure,
      JobAnswers shown,
      PublicUrl publicUrl,
      long mostBytes) {
    this.authentication = authentication;
    this.given = given;
    this.erasure = erasure;
    this.shown = shown;
    this.publicUrl = publicUrl;
    this.mostBytes = mostBytes;
  }

  List<Route> routes() {
    return List.of(
        Route.post("/replicate/v1/files", authentication.require(Scope.FILES_WRITE, this::create))
            .accepting(mostBytes, UPLOAD_TIME),
        Route.get("/replicate/v1/files", authentication.require(Scope.FILES_READ, this::list)),
        Route.get("/replicate/v1/files/{id}", authentication.require(Scope.FILES_READ, this::show)),
        Route.get(
            "/replicate/v1/files/{id}/download",
            authentication.require(Scope.FILES_READ, this::download)),
        Route.delete(
            "/replicate/v1/files/{id}", authentication.require(Scope.FILES_WRITE, this::delete)));
  }

  private Response create(Request request, Principal principal) {
    try (FormFiles form = FormFiles.of(request)) {
      FormFiles.Part content =
          form.part("content")
              .orElseThrow(() -> ProblemException.invalid("/content", "is required"));
      ObjectNode notes = JsonMapper.shared().createObjectNode();
      notes.put(
          FileNotes.NAME,
          text(form, "filename").orElse(content.filename() == null ? "file" : content.filename()));
      notes.set(FileNotes.METADATA, metadata(text(form, "metadata").orElse("{}")));
      MediaType type = text(form, "type").flatMap(MediaType::of).orElse(null);
      UUID id = given.bring(GivenFiles.Owner.of(principal, null), content, type, notes.toString());
      return Response.json(201, json(find(principal, id), publicUrl.of(request)));
    }
  }

  private static Optional<String> text(FormFiles form, String name) {
    return form.part(name).map(FormFiles.Part::text).filter(text -> !text.isBlank());
  }

  private static JsonNode metadata(String text) {
    try {
      if (text.length() <= MOST_METADATA
          && JsonMapper.shared().readTree(text) instanceof ObjectNode metadata) {
        return metadata;
      }
    } catch (JacksonException _) {
      // Told below.
    }
    throw ProblemException.invalid(
        "/metadata", "must be a JSON object of at most %d characters".formatted(MOST_METADATA));
  }

  private FileView find(Principal principal, UUID id) {
    return given.files().find(principal.visibility(), id).orElseThrow(ProblemException::notFound);
  }

  private Response list(Request request, Principal principal) {
    List<FileView> found =
        given
            .files()
            .library(Params.things(request, principal), "input", Params.cursor(request), PAGE);
    URI base = publicUrl.of(request);
    ObjectNode page = JsonMapper.shared().createObjectNode();
    page.putNull("previous");
    page.put(
        "next",
        found.size() < PAGE
            ? null
            : PredictionJson.url(base, "replicate/v1/files?cursor=" + found.getLast().id()));
    var results = page.putArray("results");
    found.forEach(file -> results.add(json(file, base)));
    return Response.json(200, page);
  }

  private Response show(Request request, Principal principal) {
    return Response.json(200, json(find(principal, Params.id(request)), publicUrl.of(request)));
  }

  private Response download(Request request, Principal principal) {
    FileView file = find(principal, Params.id(request));
    return Response.redirect(302, shown.fileJson().address(file, request))
        .header("Cache-Control", "private, no-store");
  }

  private Response delete(Request request, Principal principal) {
    Refusals.requireDeleted(erasure.delete(principal, Params.id(request)));
    return Response.empty(204);
  }

  private static ObjectNode json(FileView file, URI base) {
    FileNotes notes = FileNotes.of(file);
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("id", file.id().toString());
    json.put("name", notes.name());
    json.put("content_type", file.content().mediaType());
    json.put("size", file.content().size());
    json.put("etag", file.content().sha256());
    json.putObject("checksums").put("sha256", file.content().sha256());
    json.set("metadata", notes.metadata());
    json.put("created_at", file.createdAt().toString());
    json.putNull("expires_at");
    json.putObject("urls").put("get", PredictionJson.url(base, "replicate/v1/files/" + file.id()));
    return json;
  }
}
