package dev.millrace.web.api.file;

import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.files.Files;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.files.FileErasure;
import dev.millrace.service.files.FileUploads;
import dev.millrace.storage.MediaType;
import dev.millrace.storage.PartPlan;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.json.FileJson;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.api.request.PartsReader;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A user's files: bringing them, looking at them, deleting them. */
public final class FileRoutes {

  private static final List<String> KINDS = List.of("input", "output");

  private final Authentication authentication;
  private final Files files;
  private final FileUploads uploads;
  private final FileErasure erasure;
  private final FileJson fileJson;
  private final FileSizes sizes;

  public FileRoutes(
      Authentication authentication,
      Files files,
      FileUploads uploads,
      FileErasure erasure,
      FileJson fileJson,
      FileSizes sizes) {
    this.authentication = authentication;
    this.files = files;
    this.uploads = uploads;
    this.erasure = erasure;
    this.fileJson = fileJson;
    this.sizes = sizes;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/files", authentication.require(Scope.FILES_READ, this::library)),
        Route.post("/api/files", authentication.require(Scope.FILES_WRITE, this::open)),
        Route.get("/api/files/{id}", authentication.require(Scope.FILES_READ, this::show)),
        Route.delete("/api/files/{id}", authentication.require(Scope.FILES_WRITE, this::delete)),
        Route.post("/api/files/{id}/parts", authentication.require(Scope.FILES_WRITE, this::parts)),
        Route.post(
            "/api/files/{id}/confirm", authentication.require(Scope.FILES_WRITE, this::confirm)));
  }

  private Response library(Request request, Principal principal) {
    int limit = Params.limit(request);
    List<FileView> found =
        files.library(
            Params.things(request, principal), kind(request), Params.cursor(request), limit);
    ObjectNode page = JsonMapper.shared().createObjectNode();
    var items = page.putArray("items");
    found.forEach(file -> items.add(fileJson.file(file, request)));
    page.put("next_cursor", found.size() < limit ? null : found.getLast().id().toString());
    return Response.json(200, page);
  }

  private static @Nullable String kind(Request request) {
    Optional<String> kind = request.query("kind");
    if (kind.isPresent() && !KINDS.contains(kind.get())) {
      throw ProblemException.invalid("kind", "must be input or output");
    }
    return kind.orElse(null);
  }

  private Response show(Request request, Principal principal) {
    return Response.json(200, shown(request, principal));
  }

  private ObjectNode shown(Request request, Principal principal) {
    return files
        .find(principal.visibility(), Params.id(request))
        .map(file -> fileJson.file(file, request))
        .orElseThrow(ProblemException::notFound);
  }

  private Response open(Request request, Principal principal) {
    Body body = Body.of(request, "name", "media_type", "size", "sha256", "user", "workspace");
    String name = body.text("name");
    String typeName = body.text("media_type");
    Optional<MediaType> type = MediaType.of(typeName);
    if (!typeName.isEmpty() && type.isEmpty()) {
      body.wrong("media_type", "must be a media type that is stored here, such as image/png");
    }
    long size = body.number("size", 1, sizes.upload());
    @Nullable String sha256 = body.sha256OrNull("sha256");
    @Nullable String named = body.userOrNull("user");
    @Nullable String workspace = body.textOrNull("workspace");
    body.requireGood();
    FileUploads.Wish wish =
        new FileUploads.Wish(
            principal.tenant(),
            principal.tenantSlug(),
            Params.user(principal, named, "/user"),
            name,
            type.orElseThrow(),
            size,
            sha256,
            Params.workspace(principal, workspace, "/workspace"));
    return Response.json(
        201,
        size > sizes.part()
            ? fileJson.upload(
                Refusals.requirePlace(uploads.openInParts(wish, PartPlan.of(size, sizes.part()))),
                request)
            : fileJson.upload(Refusals.requirePlace(uploads.open(wish)), request));
  }

  /** Fresh URLs, for an upload that takes longer than the first ones live. */
  private Response parts(Request request, Principal principal) {
    UUID id = Params.id(request);
    Body body = Body.ofOptional(request, "numbers");
    List<Integer> numbers = PartsReader.numbers(body);
    body.requireGood();
    return uploads
        .renewParts(principal.visibility(), id, numbers)
        .map(opened -> Response.json(200, fileJson.upload(opened, request)))
        .orElseThrow(ProblemException::notFound);
  }

  private Response confirm(Request request, Principal principal) {
    UUID id = Params.id(request);
    Body body = Body.of(request, "size", "sha256", "parts");
    long size = body.number("size", 1, Long.MAX_VALUE);
    String sha256 = body.sha256("sha256");
    List<String> tags = PartsReader.tags(body);
    body.requireGood();
    return switch (uploads.confirm(principal.visibility(), id, size, sha256, tags)) {
      case READY -> Response.json(200, shown(request, principal));
      case UNKNOWN -> throw ProblemException.notFound();
      case NOT_THERE ->
          throw new ProblemException(
              409,
              "upload_missing",
              "Nothing was uploaded yet. PUT the file to its URL first, then confirm.");
      case PARTS_DIFFER ->
          throw new ProblemException(
              409,
              "parts_mismatch",
              "A part is missing, or has another ETag. Put what is missing, then confirm with the"
                  + " ETags of all parts in order.");
      case WRONG_SIZE -> throw mismatch("size");
      case WRONG_CHECKSUM -> throw mismatch("SHA-256");
      case WRONG_TYPE -> throw mismatch("media type");
    };
  }

  private static ProblemException mismatch(String what) {
    return new ProblemException(
        422,
        "upload_mismatch",
        "The file that was announced or uploaded has another %s. Announce and upload it anew."
            .formatted(what));
  }

  private Response delete(Request request, Principal principal) {
    FileErasure.Deletion.Done done =
        Refusals.requireDeleted(erasure.delete(principal, Params.id(request)));
    return Response.json(
        200,
        JsonMapper.shared()
            .createObjectNode()
            .put("id", done.file().id().toString())
            .put("bytes", done.file().size())
            .put("removed", done.removed()));
  }
}
