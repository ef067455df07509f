package dev.millrace.web.api.request;

import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The client's own name for a request, from its header or its body. */
public final class IdempotencyKey {

  private static final int LONGEST = 200;

  private IdempotencyKey() {}

  /**
   * The key, if there is one.
   *
   * @param inBody the one in the body, or null
   * @param wrong is told the path and the message of what is wrong
   */
  public static @Nullable String of(
      Request request, @Nullable String inBody, BiConsumer<String, String> wrong) {
    List<String> lines = request.headers("idempotency-key");
    if (lines.size() > 1) {
      throw ProblemException.invalid("Idempotency-Key", "must come once");
    }
    if (lines.isEmpty()) {
      return inBody;
    }
    String header = lines.getFirst();
    if (header.isBlank() || header.length() > LONGEST) {
      wrong.accept("Idempotency-Key", "must have 1 to 200 characters");
    }
    if (inBody != null && !header.equals(inBody)) {
      wrong.accept("/idempotency_key", "differs from the Idempotency-Key header");
    }
    return header;
  }
}
