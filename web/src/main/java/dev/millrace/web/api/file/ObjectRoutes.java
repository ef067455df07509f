package dev.millrace.web.api.file;

import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.url.Downloads;
import dev.millrace.storage.url.ObjectRequest;
import dev.millrace.storage.url.UploadRequests;
import dev.millrace.storage.url.UrlSigner;
import dev.millrace.storage.url.UrlVerdict;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Objects that this server serves itself, through URLs that need no key. An installation with an
 * S3-compatible store signs URLs that lead there instead, and nobody asks here.
 */
public final class ObjectRoutes {

  /** How long a client may keep us waiting for a file in total. */
  private static final Duration UPLOAD_TIME = Duration.ofHours(1);

  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

  private final ObjectStore store;
  private final UrlSigner signer;
  private final Downloads downloads;
  private final UploadRequests uploads;
  private final InstantSource clock;
  private final long maxBytes;

  /**
   * Serves a store.
   *
   * @param maxBytes the largest file that anybody may put
   */
  public ObjectRoutes(ObjectStore store, UrlSigner signer, InstantSource clock, long maxBytes) {
    this.store = store;
    this.signer = signer;
    this.downloads = new Downloads(store);
    this.uploads = new UploadRequests(store);
    this.clock = clock;
    this.maxBytes = maxBytes;
  }

  public List<Route> routes() {
    String path = UrlSigner.PATH + "{key*}";
    return List.of(
        Route.get(path, this::download),
        Route.put(path, this::upload).accepting(maxBytes, UPLOAD_TIME));
  }

  private Response download(Request request) throws IOException {
    Downloads.Wishes wishes =
        new Downloads.Wishes(
            request.header("range").orElse(null),
            request.header("if-range").orElse(null),
            request.header("if-none-match").orElse(null));
    return DownloadAnswers.of(request, downloads.open(granted(request), wishes));
  }

  private Response upload(Request request) throws IOException {
    return switch (verdict(request)) {
      case UrlVerdict.PartGranted part -> part(request, part);
      case UrlVerdict.Granted whole -> whole(request, whole);
      case UrlVerdict other -> throw refusal(other);
    };
  }

  /** The tag is what the sender names the part by at the end. */
  private Response part(Request request, UrlVerdict.PartGranted granted) throws IOException {
    return store
        .parts()
        .put(granted.part(), request.bodyStream(), granted.size())
        .map(tag -> Response.empty(200).header("ETag", "\"" + tag + "\""))
        .orElseThrow(() ->
            new ProblemException(
                404, "upload_unknown", "This upload is over: it was finished or given up."));
  }

  private Response whole(Request request, UrlVerdict.Granted granted) throws IOException {
    return switch (uploads.take(granted, request.bodyStream())) {
      case STORED -> Response.empty(200);
      case TAKEN ->
          throw new ProblemException(
              412, "already_uploaded", "There is a file here already, and it never changes.");
      case WRONG_SIZE ->
          throw new ProblemException(
              400, "wrong_size", "The body doesn't have the size that was agreed.");
      case WRONG_CHECKSUM ->
          throw new ProblemException(
              400, "wrong_checksum", "The body doesn't have the SHA-256 that was agreed.");
    };
  }

  private UrlVerdict.Granted granted(Request request) {
    UrlVerdict verdict = verdict(request);
    if (verdict instanceof UrlVerdict.Granted granted) {
      return granted;
    }
    throw refusal(verdict);
  }

  private UrlVerdict verdict(Request request) {
    ObjectRequest asked =
        new ObjectRequest(
            request.method(),
            request.path(),
            request.queryAll(),
            request.header("content-type").orElse(null),
            length(request));
    return signer.verify(asked, clock.instant());
  }

  private static ProblemException refusal(UrlVerdict verdict) {
    return verdict instanceof UrlVerdict.Expired
        ? new ProblemException(
            403, "url_expired", "This URL has expired. Ask the API for a new one.")
        : new ProblemException(
            403, "bad_signature", "This URL was not signed by us for this request.");
  }

  private static long length(Request request) {
    return request
        .header("content-length")
        .filter(text -> LENGTH.matcher(text).matches())
        .map(Long::parseLong)
        .orElse(ObjectRequest.UNKNOWN_LENGTH);
  }
}
