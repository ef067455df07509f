package dev.millrace.providers.fetch;

import dev.millrace.providers.fetch.FetchResult.Excess;
import dev.millrace.providers.fetch.FetchResult.Gap;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;

/** An answer whose body is still coming. Closing it closes the connection. */
public final class FetchStream implements AutoCloseable {

  private static final Set<String> GZIP = Set.of("gzip", "x-gzip");
  private static final int LEAST_STATUS = 200;

  private final int status;
  private final FetchHeaders headers;
  private final URI url;
  private final InputStream body;
  private final FetchDeadline deadline;

  private FetchStream(
      int status, FetchHeaders headers, URI url, InputStream body, FetchDeadline deadline) {
    this.status = status;
    this.headers = headers;
    this.url = url;
    this.body = body;
    this.deadline = deadline;
  }

  static FetchStream of(
      ClassicHttpResponse response, URI url, FetchLimits limits, FetchDeadline deadline)
      throws IOException {
    if (response.getCode() < LEAST_STATUS) {
      throw FetchTrouble.unreachable(Gap.BROKEN);
    }
    FetchHeaders headers = new FetchHeaders();
    for (Header header : response.getHeaders()) {
      headers.add(header.getName(), header.getValue() == null ? "" : header.getValue());
    }
    HttpEntity entity = response.getEntity();
    InputStream body =
        entity == null
            ? InputStream.nullInputStream()
            : new BoundedBody(
                content(entity, limits), isCompressed(headers), limits.bodyBytes(), deadline);
    return new FetchStream(response.getCode(), headers, url, body, deadline);
  }

  private static InputStream content(HttpEntity entity, FetchLimits limits) throws IOException {
    if (entity.getContentLength() > limits.bodyBytes()) {
      throw FetchTrouble.tooLarge(Excess.BODY);
    }
    return entity.getContent();
  }

  private static boolean isCompressed(FetchHeaders headers) throws FetchTrouble {
    List<String> codings =
        headers.all("Content-Encoding").stream()
            .map(value -> value.strip().toLowerCase(Locale.ROOT))
            .filter(value -> !value.isEmpty() && !value.equals("identity"))
            .toList();
    if (codings.isEmpty()) {
      return false;
    }
    if (codings.size() > 1 || !GZIP.contains(codings.getFirst())) {
      throw FetchTrouble.unreachable(Gap.ENCODING);
    }
    return true;
  }

  public int status() {
    return status;
  }

  public FetchHeaders headers() {
    return headers;
  }

  /** Where the answer comes from, after redirects. */
  public URI url() {
    return url;
  }

  /** The decompressed body; what goes wrong while reading is a {@link FetchTrouble}. */
  public InputStream body() {
    return body;
  }

  public Content readAll() throws FetchTrouble {
    try {
      return Content.of(body.readAllBytes());
    } catch (FetchTrouble trouble) {
      throw trouble;
    } catch (IOException e) {
      throw FetchTrouble.unreachable(Gap.BROKEN);
    }
  }

  @Override
  public void close() {
    deadline.close();
  }
}
