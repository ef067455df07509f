package dev.millrace.storage.url;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a request to a signed URL looked like, as far as the signature binds it.
 *
 * @param path as it was sent, still percent-encoded, without the base path of the server
 * @param query every parameter with all its values, decoded once
 * @param contentType the header, if there was one
 * @param contentLength the header, or {@link #UNKNOWN_LENGTH}
 */
public record ObjectRequest(
    String method,
    String path,
    Map<String, List<String>> query,
    @Nullable String contentType,
    long contentLength) {

  public static final long UNKNOWN_LENGTH = -1;
}
