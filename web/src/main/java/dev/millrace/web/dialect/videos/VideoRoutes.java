package dev.millrace.web.dialect.videos;

import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.files.UploadView;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.files.FileUploads;
import dev.millrace.storage.MediaType;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.job.JobAnswers;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.dialect.Dialect;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Bringing a video, and looking at what becomes of it. */
public final class VideoRoutes {

  private final Authentication authentication;
  private final FileUploads uploads;
  private final JobAnswers shown;
  private final VideosJson json;
  private final Limits limits;

  /**
   * What an upload may be.
   *
   * @param maxBytes the largest
   * @param ttl how long its URL works
   */
  public record Limits(long maxBytes, Duration ttl) {}

  VideoRoutes(
      Authentication authentication,
      FileUploads uploads,
      JobAnswers shown,
      VideosJson json,
      Limits limits) {
    this.authentication = authentication;
    this.uploads = uploads;
    this.shown = shown;
    this.json = json;
    this.limits = limits;
  }

  List<Route> routes() {
    return List.of(
        Route.post("/api/videos/uploads", authentication.require(Scope.FILES_WRITE, this::upload)),
        Route.post("/api/videos", authentication.require(Scope.FILES_WRITE, this::create)),
        Route.get("/api/videos/{id}", authentication.require(Scope.JOBS_READ, this::show)));
  }

  private Response upload(Request request, Principal principal) {
    Body body =
        Body.of(
            request,
            "mime_type",
            "size",
            "original_filename",
            "file_hash",
            "effect_id",
            "user",
            "workspace");
    String name = body.text("original_filename");
    String typeName = body.text("mime_type");
    Optional<MediaType> type = MediaType.of(typeName);
    if (!typeName.isEmpty() && type.isEmpty()) {
      body.wrong("mime_type", "must be a media type that is stored here, such as video/mp4");
    }
    long size = body.number("size", 1, limits.maxBytes());
    @Nullable String hash = body.sha256OrNull("file_hash");
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
            hash,
            Params.workspace(principal, workspace, "/workspace"));
    FileUploads.Opened opened = Refusals.requirePlace(uploads.open(wish));
    return Envelope.good(201, opened(opened, request), "Upload initialized");
  }

  private ObjectNode opened(FileUploads.Opened opened, Request request) {
    UploadView file = opened.file();
    ObjectNode fields = JsonMapper.shared().createObjectNode();
    fields
        .putObject("file")
        .put("id", file.id().toString())
        .put("original_filename", file.content().name())
        .put("mime_type", file.content().mediaType())
        .put("size", file.content().size())
        .put("file_hash", file.content().sha256())
        .put("created_at", file.createdAt().toString());
    fields.put("upload_url", shown.fileJson().address(opened.url(), request));
    ObjectNode headers = fields.putObject("upload_headers");
    opened
        .url()
        .headers()
        .forEach((name, value) -> {
          // Pages may not set the length; whoever sends a file sends it by itself.
          if (!name.equalsIgnoreCase("content-length")) {
            headers.put(name, value);
          }
        });
    return fields.put("expires_in", limits.ttl().toSeconds());
  }

  /** The file becomes usable now: these clients don't confirm what they brought. */
  private Response create(Request request, Principal principal) {
    Body body = Body.of(request, "original_file_id", "effect_id", "title");
    String text = body.text("original_file_id");
    Optional<UUID> id = Params.uuid(text);
    if (!text.isEmpty() && id.isEmpty()) {
      body.wrong("original_file_id", "must be the id of a file");
    }
    body.textOrNull("effect_id");
    body.textOrNull("title");
    body.requireGood();
    switch (uploads.confirmAsFound(principal.visibility(), id.orElseThrow())) {
      case READY -> {}
      case UNKNOWN -> throw ProblemException.notFound();
      case NOT_THERE, PARTS_DIFFER ->
          throw new ProblemException(
              409, "upload_missing", "Nothing was uploaded yet. PUT the file to its URL first.");
      case WRONG_SIZE, WRONG_CHECKSUM, WRONG_TYPE ->
          throw new ProblemException(
              422,
              "upload_mismatch",
              "The file is not what was announced. Announce and upload it anew.");
    }
    FileView file = file(principal, id.orElseThrow());
    return Envelope.good(201, video(file, principal, request), "Video created");
  }

  private FileView file(Principal principal, UUID id) {
    return shown
        .files()
        .find(principal.visibility(), id)
        .filter(file -> file.jobId() == null)
        .orElseThrow(ProblemException::notFound);
  }

  private ObjectNode video(FileView file, Principal principal, Request request) {
    JobView job =
        shown
            .jobs()
            .newestOfRelated(
                principal.tenant(), Dialect.VIDEOS.label(), VideosJson.VIDEO, file.id().toString())
            .flatMap(id -> shown.jobs().find(principal.visibility(), id))
            .orElse(null);
    return json.video(file, job, job == null ? List.of() : shown.outputs(job), request);
  }

  private Response show(Request request, Principal principal) {
    FileView file = file(principal, Params.id(request));
    return Envelope.good(200, video(file, principal, request), "Video retrieved");
  }
}
