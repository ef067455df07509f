package dev.millrace.web.dialect.openai;

import dev.millrace.postgres.files.FileView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.files.FileErasure;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.dialect.FileNotes;
import dev.millrace.web.dialect.GivenFiles;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import dev.millrace.web.http.form.FormFiles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Files, which batches are read from and written to. */
final class OpenAiFileRoutes {

  private static final Duration UPLOAD_TIME = Duration.ofMinutes(30);
  private static final int LONGEST_PURPOSE = 50;
  private static final int LOOK = 500;
  private static final int MOST_LOOKS = 20;

  private final Authentication authentication;
  private final Calls calls;
  private final FileErasure erasure;
  private final long mostBytes;

  OpenAiFileRoutes(
      Authentication authentication, Calls calls, FileErasure erasure, long mostBytes) {
    this.authentication = authentication;
    this.calls = calls;
    this.erasure = erasure;
    this.mostBytes = mostBytes;
  }

  List<Route> routes() {
    return List.of(
        Route.post("/openai/v1/files", authentication.require(Scope.FILES_WRITE, this::create))
            .accepting(mostBytes, UPLOAD_TIME),
        Route.get("/openai/v1/files", authentication.require(Scope.FILES_READ, this::list)),
        Route.get("/openai/v1/files/{id}", authentication.require(Scope.FILES_READ, this::show)),
        Route.get(
            "/openai/v1/files/{id}/content",
            authentication.require(Scope.FILES_READ, this::content)),
        Route.delete(
            "/openai/v1/files/{id}", authentication.require(Scope.FILES_WRITE, this::delete)));
  }

  private Response create(Request request, Principal principal) {
    try (FormFiles form = FormFiles.of(request)) {
      FormFiles.Part file =
          form.part("file").orElseThrow(() -> ProblemException.invalid("/file", "is required"));
      String purpose = form.part("purpose").map(FormFiles.Part::text).orElse("");
      if (purpose.isBlank() || purpose.length() > LONGEST_PURPOSE) {
        throw ProblemException.invalid("/purpose", "is required, of at most 50 characters");
      }
      String name = file.filename() == null ? "file" : file.filename();
      ObjectNode notes =
          JsonMapper.shared()
              .createObjectNode()
              .put(FileNotes.NAME, name)
              .put(FileNotes.PURPOSE, purpose);
      UUID id =
          calls.given().bring(GivenFiles.Owner.of(principal, null), file, null, notes.toString());
      return Response.json(200, json(find(id, principal)));
    }
  }

  private FileView find(UUID id, Principal principal) {
    return calls
        .given()
        .files()
        .find(principal.visibility(), id)
        .orElseThrow(ProblemException::notFound);
  }

  private FileView named(Request request, Principal principal) {
    return find(Ids.of(Ids.FILE, request.pathParameter("id")), principal);
  }

  private Response show(Request request, Principal principal) {
    return Response.json(200, json(named(request, principal)));
  }

  private Response content(Request request, Principal principal) {
    return Response.redirect(
            302, calls.shown().fileJson().address(named(request, principal), request))
        .header("Cache-Control", "private, no-store");
  }

  private Response list(Request request, Principal principal) {
    Page page = Page.of(request, Ids.FILE);
    @Nullable String purpose = request.query("purpose").orElse(null);
    List<ObjectNode> found = new ArrayList<>();
    UUID after = page.after();
    for (int look = 0; look < MOST_LOOKS && found.size() <= page.limit(); look++) {
      List<FileView> some =
          calls.given().files().library(Params.things(request, principal), "input", after, LOOK);
      some.stream()
          .filter(file -> purpose == null || FileNotes.of(file).purpose().equals(purpose))
          .map(OpenAiFileRoutes::json)
          .forEach(found::add);
      if (some.size() < LOOK) {
        break;
      }
      after = some.getLast().id();
    }
    return Response.json(200, page.json(page.cut(found), found.size()));
  }

  private Response delete(Request request, Principal principal) {
    FileView file = named(request, principal);
    Refusals.requireDeleted(erasure.delete(principal, file.id()));
    return Response.json(
        200,
        JsonMapper.shared()
            .createObjectNode()
            .put("id", Ids.FILE + file.id())
            .put("object", "file")
            .put("deleted", true));
  }

  static ObjectNode json(FileView file) {
    FileNotes notes = FileNotes.of(file);
    return JsonMapper.shared()
        .createObjectNode()
        .put("id", Ids.FILE + file.id())
        .put("object", "file")
        .put("bytes", file.content().size())
        .put("created_at", file.createdAt().getEpochSecond())
        .putNull("expires_at")
        .put("filename", notes.name())
        .put("purpose", notes.purpose().isEmpty() ? "user_data" : notes.purpose())
        .put("status", "processed");
  }
}
