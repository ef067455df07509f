package dev.millrace.web.console.studio;

import dev.millrace.postgres.Database;
import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.files.Files;
import dev.millrace.postgres.files.UploadView;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.jobs.Jobs;
import dev.millrace.postgres.tenants.Visibility;
import dev.millrace.service.access.Scope;
import dev.millrace.service.files.FileUploads;
import dev.millrace.spi.MediaTypes;
import dev.millrace.storage.MediaType;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.StoredObject;
import dev.millrace.storage.url.Download;
import dev.millrace.storage.url.DownloadResult;
import dev.millrace.storage.url.Downloads;
import dev.millrace.storage.url.ObjectRequest;
import dev.millrace.storage.url.UrlVerdict;
import dev.millrace.web.api.file.DownloadAnswers;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.console.frame.PageAccess;
import dev.millrace.web.console.frame.Visit;
import dev.millrace.web.http.Problem;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Files by way of the console, for whoever may see them by the API. They come from our own address
 * wherever they are kept, so that a page needs no other host.
 */
public final class FilePages {

  private static final Duration UPLOAD_TIME = Duration.ofHours(1);

  private final PageAccess doors;
  private final Jobs jobs;
  private final Files files;
  private final FileUploads uploads;
  private final ObjectStore store;
  private final long maxBytes;

  public FilePages(
      PageAccess doors, Database database, FileUploads uploads, ObjectStore store, long maxBytes) {
    this.doors = doors;
    this.jobs = database.jobs();
    this.files = database.files();
    this.uploads = uploads;
    this.store = store;
    this.maxBytes = maxBytes;
  }

  public List<Route> routes() {
    return List.of(
        doors.page(
            "/console/files/{id}", Scope.FILES_READ, visit -> send(visit, mine(visit), false)),
        doors.page(
            "/console/files/{id}/thumb", Scope.FILES_READ, visit -> send(visit, mine(visit), true)),
        doors.page(
            "/console/review/{id}/items/{item}",
            Scope.REVIEWS_WRITE,
            visit -> send(visit, item(visit), false)),
        Route.put("/console/uploads", doors.change(Scope.FILES_WRITE, this::upload))
            .accepting(maxBytes, UPLOAD_TIME));
  }

  private FileView mine(Visit visit) {
    return files
        .find(visit.principal().visibility(), visit.id())
        .orElseThrow(ProblemException::notFound);
  }

  /** Of a job that the visitor may see, also what nobody but its reviewers may see yet. */
  private FileView item(Visit visit) {
    UUID item = Visit.id(visit.request().pathParameter("item"));
    JobView job =
        jobs.find(visit.principal().visibility(), visit.id())
            .orElseThrow(ProblemException::notFound);
    return files.madeBy(job.request().tenantId(), job.id()).stream()
        .filter(file -> file.id().equals(item))
        .findFirst()
        .orElseThrow(ProblemException::notFound);
  }

  private Response send(Visit visit, FileView file, boolean small) throws IOException {
    Request request = visit.request();
    @Nullable String thumb = small ? file.keys().thumbnailKey() : null;
    String type = thumb == null ? file.content().mediaType() : MediaTypes.ofName(thumb);
    boolean save = request.query("save").isPresent();
    UrlVerdict.Granted grant =
        new UrlVerdict.Granted(
            "GET",
            thumb == null ? file.keys().key() : thumb,
            type,
            save ? file.name() : null,
            ObjectRequest.UNKNOWN_LENGTH,
            null);
    Downloads.Wishes wishes =
        new Downloads.Wishes(
            request.header("range").orElse(null),
            request.header("if-range").orElse(null),
            request.header("if-none-match").orElse(null));
    DownloadResult result = new Downloads(store).open(grant, wishes);
    Response response = DownloadAnswers.of(request, result);
    return save && result instanceof DownloadResult.Ready(Download download)
        ? response.header(
            "Content-Disposition",
            download.contentDisposition().replaceFirst("^inline", "attachment"))
        : response;
  }

  /** Takes a file in one go: announced, stored, looked at and confirmed as by the API. */
  private Response upload(Visit visit) throws IOException {
    String name = visit.query("name");
    Optional<MediaType> type =
        MediaType.of(visit.query("type")).or(() -> MediaType.ofFileName(name));
    long size = size(visit.query("size"));
    if (type.isEmpty() || size < 1 || size > maxBytes || name.isEmpty()) {
      return refused("Such a file isn't taken here: it is too large, empty or of an unknown type.");
    }
    FileUploads.Answer<FileUploads.Opened> opened =
        uploads.open(
            new FileUploads.Wish(
                visit.tenant(),
                visit.principal().tenantSlug(),
                visit.user(),
                name,
                type.get(),
                size,
                null,
                visit.principal().bounds().workspace()));
    return switch (opened) {
      case FileUploads.Answer.Given<FileUploads.Opened>(var place) ->
          brought(visit, place.file(), size);
      case FileUploads.Answer.TooMany<FileUploads.Opened>() ->
          refused("Too many files wait to be uploaded. Try again later.");
      case FileUploads.Answer.NoRoom<FileUploads.Opened>(var full) ->
          Response.problem(Refusals.storageFull(full).problem());
    };
  }

  private Response brought(Visit visit, UploadView file, long size) throws IOException {
    StoredObject stored =
        store.put(file.key(), file.content().mediaType(), visit.request().bodyStream(), size);
    return switch (uploads.confirm(
        Visibility.of(visit.tenant()), file.id(), size, stored.sha256())) {
      case READY ->
          Response.json(
              201, JsonMapper.shared().createObjectNode().put("id", file.id().toString()));
      case WRONG_TYPE -> refused("The file is not what its name says.");
      default -> refused("The file did not arrive whole. Try again.");
    };
  }

  private static long size(String text) {
    return text.matches("[0-9]{1,15}") ? Long.parseLong(text) : -1;
  }

  private static Response refused(String detail) {
    return Response.problem(Problem.of(422, "upload_mismatch", detail));
  }
}
