package dev.millrace.spi.provider;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One attempt, as it is handed to an outside service.
 *
 * @param intent names this handover for ever; committed before the call. It travels to the service
 *     wherever that has room for it, so that lost answers can be found again.
 * @param jobId the job's public id
 * @param attempt counts from 1
 * @param settings what the workflow says for this provider, such as a model; users can't change it
 * @param input the resolved input: plain JSON values
 * @param callback where the service may call; it ends with the intent, after a slash or an equals
 *     sign. Empty if nobody outside can reach this server.
 * @param intendedAt when the intent was committed
 * @param runFor how long the service may take in all; empty for as long as it likes
 * @param lastSubmitAt when its submit can have been sent last; the same as {@code intendedAt} as
 *     long as nobody asks for a submit whose answer was lost
 */
public record Order(
    String intent,
    String jobId,
    int attempt,
    Map<String, Object> settings,
    Map<String, Object> input,
    Optional<URI> callback,
    Instant intendedAt,
    Optional<Duration> runFor,
    Instant lastSubmitAt) {

  /** Harmless in a path, a query, a header and a file name. */
  private static final Pattern INTENT = Pattern.compile("[A-Za-z0-9_-]{8,64}");

  public Order {
    Objects.requireNonNull(intendedAt, "intendedAt");
    Objects.requireNonNull(lastSubmitAt, "lastSubmitAt");
    if (!INTENT.matcher(intent).matches()) {
      throw new IllegalArgumentException("an intent has 8 to 64 letters, digits, - or _");
    }
    if (callback.isPresent() && !intentIn(callback.get().toString()).equals(Optional.of(intent))) {
      throw new IllegalArgumentException("the callback's address must end with the intent");
    }
    // Null is a JSON value, which Map.copyOf would not take; the order of keys is kept for people.
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    input = Collections.unmodifiableMap(new LinkedHashMap<>(input));
  }

  /** An order that is submitted once, when it is intended. */
  public Order(
      String intent,
      String jobId,
      int attempt,
      Map<String, Object> settings,
      Map<String, Object> input,
      Optional<URI> callback,
      Instant intendedAt,
      Optional<Duration> runFor) {
    this(intent, jobId, attempt, settings, input, callback, intendedAt, runFor, intendedAt);
  }

  /** The same order, whose submit can have been sent until then. */
  public Order lastSubmittedAt(Instant time) {
    return new Order(intent, jobId, attempt, settings, input, callback, intendedAt, runFor, time);
  }

  /** The intent that a callback's address ends with, for services that repeat the address. */
  public static Optional<String> intentIn(String callback) {
    int before = Math.max(callback.lastIndexOf('/'), callback.lastIndexOf('='));
    String last = callback.substring(before + 1);
    return before >= 0 && INTENT.matcher(last).matches() ? Optional.of(last) : Optional.empty();
  }

  /** Without what only the customer and the service should see. */
  @Override
  public String toString() {
    return "Order[" + intent + ", job " + jobId + ", attempt " + attempt + "]";
  }
}
