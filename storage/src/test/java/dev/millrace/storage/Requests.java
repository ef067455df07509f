package dev.millrace.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.storage.url.ObjectRequest;
import java.net.URI;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Requests as a server would see them. */
public final class Requests {

  private Requests() {}

  public static ObjectRequest get(SignedUrl url) {
    return get(url.uri().toString());
  }

  public static ObjectRequest get(String uri) {
    URI parsed = URI.create(uri);
    return new ObjectRequest("GET", parsed.getRawPath(), query(parsed), null, -1);
  }

  public static ObjectRequest put(SignedUrl url, String contentType, long contentLength) {
    return new ObjectRequest(
        "PUT", url.uri().getRawPath(), query(url.uri()), contentType, contentLength);
  }

  public static ObjectRequest with(ObjectRequest request, String method) {
    return new ObjectRequest(
        method, request.path(), request.query(), request.contentType(), request.contentLength());
  }

  public static String parameter(ObjectRequest request, String name) {
    return request.query().getOrDefault(name, List.of()).getFirst();
  }

  private static Map<String, List<String>> query(URI uri) {
    Map<String, List<String>> query = new LinkedHashMap<>();
    for (String pair : uri.getRawQuery().split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      String value = equals < 0 ? "" : pair.substring(equals + 1);
      query
          .computeIfAbsent(URLDecoder.decode(name, UTF_8), _ -> new ArrayList<>())
          .add(URLDecoder.decode(value, UTF_8));
    }
    return query;
  }
}
