package dev.millrace.web.api.file;

import dev.millrace.storage.url.Download;
import dev.millrace.storage.url.DownloadResult;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import java.io.IOException;
import java.util.Map;

/** How a file is sent, or why not; the same by its signed URL and in the console. */
public final class DownloadAnswers {

  private DownloadAnswers() {}

  /** A file that was opened is closed when its answer was sent. */
  public static Response of(Request request, DownloadResult result) throws IOException {
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
      case DownloadResult.Unchanged(String tag) -> Response.empty(304).header("ETag", tag);
      case DownloadResult.RangeNotSatisfiable range ->
          throw new ProblemException(
                  416, "range_not_satisfiable", "The file ends before this range.")
              .header("Content-Range", range.contentRange());
    };
  }
}
