package dev.millrace.web.http;

import com.github.f4b6a3.uuid.UuidCreator;
import java.util.Optional;
import java.util.regex.Pattern;

/** The ids that tie an answer to the log lines of its request. */
public final class RequestIds {
  public static final String HEADER = "X-Request-Id";
  public static final String MDC_KEY = "request_id";

  /** Narrow enough to be written into a log and a header as it is. */
  private static final Pattern ACCEPTED = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  private RequestIds() {}

  public static String acceptOrCreate(Optional<String> offered) {
    return offered.filter(id -> ACCEPTED.matcher(id).matches()).orElseGet(RequestIds::create);
  }

  /** No secret, so that it need not cost what one does. */
  public static String create() {
    return UuidCreator.getRandomBasedFast().toString();
  }
}
