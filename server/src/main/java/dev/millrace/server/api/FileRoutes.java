package dev.millrace.server.api;

import dev.millrace.postgres.records.FileView;
import dev.millrace.postgres.records.Files;
import dev.millrace.server.auth.Authentication;
import dev.millrace.server.auth.Principal;
import dev.millrace.server.auth.Role;
import dev.millrace.server.http.ProblemException;
import dev.millrace.server.http.Request;
import dev.millrace.server.http.Response;
import dev.millrace.server.http.Route;
import dev.millrace.server.objects.Download;
import dev.millrace.server.objects.DownloadResult;
import dev.millrace.server.objects.Downloads;
import dev.millrace.server.objects.ObjectRequest;
import dev.millrace.server.objects.UrlSigner;
import dev.millrace.server.objects.UrlVerdict;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The library of a user's files, and the signed downloads that need no key. */
public final class FileRoutes {

  private final Authentication authentication;
  private final Files files;
  private final FileJson fileJson;
  private final UrlSigner signer;
  private final Downloads downloads;
  private final InstantSource clock;

  FileRoutes(
      Authentication authentication,
      Files files,
      FileJson fileJson,
      UrlSigner signer,
      Downloads downloads,
      InstantSource clock) {
    this.authentication = authentication;
    this.files = files;
    this.fileJson = fileJson;
    this.signer = signer;
    this.downloads = downloads;
    this.clock = clock;
  }

  List<Route> routes() {
    return List.of(
        Route.get("/api/files", authentication.require(Role.USER, this::library)),
        Route.get("/api/files/{id}", authentication.require(Role.USER, this::show)),
        Route.get(UrlSigner.PATH + "{key*}", this::download));
  }

  private Response library(Request request, Principal principal) {
    int limit = Params.limit(request);
    List<FileView> found =
        files.library(
            principal.tenant(), Params.user(request, principal), Params.cursor(request), limit);
    ObjectNode page = JsonMapper.shared().createObjectNode();
    var items = page.putArray("items");
    found.forEach(file -> items.add(fileJson.file(file, request)));
    page.put("next_cursor", found.size() < limit ? null : found.getLast().id().toString());
    return Response.json(200, page);
  }

  private Response show(Request request, Principal principal) {
    return files
        .find(principal.tenant(), principal.onlyUser(), Params.id(request))
        .map(file -> Response.json(200, fileJson.file(file, request)))
        .orElseThrow(ProblemException::notFound);
  }

  private Response download(Request request) throws IOException {
    ObjectRequest asked =
        new ObjectRequest(
            request.method(),
            request.path(),
            request.queryAll(),
            request.header("content-type").orElse(null),
            ObjectRequest.UNKNOWN_LENGTH);
    return switch (signer.verify(asked, clock.instant())) {
      case UrlVerdict.Granted granted ->
          opened(request, downloads.open(granted, request.header("range").orElse(null)));
      case UrlVerdict.Expired(_) ->
          throw new ProblemException(
              403, "url_expired", "This URL has expired. Ask the API for a new one.");
      case UrlVerdict.Refused(_) ->
          throw new ProblemException(403, "bad_signature", "This URL was not signed by us.");
    };
  }

  private static Response opened(Request request, DownloadResult result) throws IOException {
    return switch (result) {
      case DownloadResult.Ready(Download download) -> {
        if (request.method().equals("HEAD")) {
          download.close(); // The answer's body will never be opened.
        }
        Response response =
            Response.stream(
                download.partial() ? 206 : 200,
                download.contentType(),
                download.length(),
                download::stream);
        for (Map.Entry<String, String> header : download.headers().entrySet()) {
          if (!header.getKey().equals("Content-Length")) {
            response = response.header(header.getKey(), header.getValue());
          }
        }
        yield response;
      }
      case DownloadResult.Missing() -> throw ProblemException.notFound();
      case DownloadResult.RangeNotSatisfiable range ->
          throw new ProblemException(
                  416, "range_not_satisfiable", "The file ends before this range.")
              .header("Content-Range", range.contentRange());
    };
  }
}
