package dev.millrace.providers.fetch;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What to fetch. Prints as its method alone: a URL may carry a secret, and a header often does. */
public final class FetchRequest {

  /** Headers that are secrets whatever the caller says of them. */
  private static final Set<String> CREDENTIALS =
      Set.of("authorization", "cookie", "proxy-authorization", "x-api-key", "api-key");

  /** Is asked before every hop, with the URL that would be fetched next. */
  @FunctionalInterface
  public interface HopGuard {
    /** What speaks against it, if anything. */
    Optional<FetchResult.Trouble> objection(URI next);
  }

  private final String method;
  private final String url;
  private final byte @Nullable [] body;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private final Map<String, String> credentials = new LinkedHashMap<>();
  private FetchLimits limits = FetchLimits.USUAL;
  private BooleanSupplier stop = () -> false;
  private HopGuard guard = _ -> Optional.empty();

  private FetchRequest(String method, String url, byte @Nullable [] body) {
    this.method = method;
    this.url = url;
    this.body = body;
  }

  public static FetchRequest get(String url) {
    return new FetchRequest("GET", url, null).header("Accept-Encoding", "gzip");
  }

  /** A request with a body; its redirects are never followed. */
  public static FetchRequest post(String url, String mediaType, byte[] body) {
    return new FetchRequest("POST", url, body)
        .header("Content-Type", mediaType)
        .header("Accept-Encoding", "identity");
  }

  /** Sent on every hop, unless it is a well-known credential. */
  public FetchRequest header(String name, String value) {
    if (CREDENTIALS.contains(name.toLowerCase(Locale.ROOT))) {
      return credential(name, value);
    }
    headers.put(name, checked(value));
    return this;
  }

  /** Sent to the origin of the URL only: the first redirect to another one drops it for good. */
  public FetchRequest credential(String name, String value) {
    credentials.put(name, checked(value));
    return this;
  }

  public FetchRequest within(FetchLimits most) {
    this.limits = most;
    return this;
  }

  /** Ends the fetch, within a moment, once this is true. */
  public FetchRequest stopWhen(BooleanSupplier canceled) {
    this.stop = canceled;
    return this;
  }

  public FetchRequest guardedBy(HopGuard hopGuard) {
    this.guard = hopGuard;
    return this;
  }

  private static String checked(String value) {
    if (value.chars().anyMatch(c -> c < ' ' || c > '~')) {
      // The value itself stays out of the message, for it may be a secret.
      throw new IllegalArgumentException("a header with a character that it can't carry");
    }
    return value;
  }

  String method() {
    return method;
  }

  String url() {
    return url;
  }

  byte @Nullable [] body() {
    return body;
  }

  Map<String, String> headers() {
    return headers;
  }

  Map<String, String> credentials() {
    return credentials;
  }

  FetchLimits limits() {
    return limits;
  }

  BooleanSupplier stop() {
    return stop;
  }

  HopGuard guard() {
    return guard;
  }

  @Override
  public String toString() {
    return method;
  }
}
