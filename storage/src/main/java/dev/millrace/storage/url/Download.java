package dev.millrace.storage.url;

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An object on its way to a client. Whoever sends it closes it.
 *
 * @param contentType with its charset, if it is text
 * @param contentDisposition whether to show or to save it, and under which name
 * @param size of the whole object
 * @param length of what is sent
 * @param partial whether this is the answer to a range: 206 instead of 200
 * @param tag the entity tag, which is another for every object
 */
public record Download(
    String contentType,
    String contentDisposition,
    long size,
    long offset,
    long length,
    boolean partial,
    String tag,
    InputStream stream)
    implements AutoCloseable {

  /**
   * Every header of the answer. The type is not guessed at, and a document that is opened anyway
   * can run nothing and reach nothing. An object never changes, so a client may keep it a while.
   */
  public Map<String, String> headers() {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", contentType);
    headers.put("Content-Length", Long.toString(length));
    headers.put("Content-Disposition", contentDisposition);
    headers.put("Accept-Ranges", "bytes");
    headers.put("ETag", tag);
    if (partial) {
      headers.put("Content-Range", "bytes %d-%d/%d".formatted(offset, offset + length - 1, size));
    }
    headers.put("X-Content-Type-Options", "nosniff");
    headers.put("Content-Security-Policy", "default-src 'none'; sandbox");
    headers.put("Cache-Control", "private, max-age=300");
    headers.put("Referrer-Policy", "no-referrer");
    return headers;
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
