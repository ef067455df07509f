package dev.millrace.service.guard;

import java.time.Duration;
import java.util.regex.Pattern;

/** What a gate says. */
public sealed interface Verdict {

  Verdict PASS = new Pass();

  /** Nothing speaks against it. */
  record Pass() implements Verdict {}

  /**
   * Policy forbids it.
   *
   * @param category a public word such as {@code violence}
   * @param message for the user; it never repeats any of the input
   */
  record Denied(String category, String message) implements Verdict {

    /** The category of what is no matter of policy, only too much of it. */
    static final String TOO_LONG = "too_long";

    /** What a category looks like, wherever it comes from. */
    static final Pattern CATEGORY = Pattern.compile("[a-z][a-z0-9_]{0,39}");

    public Denied {
      if (!CATEGORY.matcher(category).matches()) {
        throw new IllegalArgumentException("a category is lower case letters, digits and _");
      }
    }

    /** True if nothing is wrong with it but its length: not worth keeping as a blocked job. */
    public boolean tooLong() {
      return category.equals(TOO_LONG);
    }
  }

  /** Nobody can tell right now; the same request may be sent again later. */
  record Unavailable(Duration retryAfter) implements Verdict {}
}
