package dev.millrace.providers.replicate;

import dev.millrace.contract.text.OwnerText;
import dev.millrace.spi.provider.Outcome;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a failed prediction's words mean. Replicate has no field for it; models write as they like.
 */
final class Errors {

  /** E005 is Replicate's own code for what its filters hold back. */
  private static final Pattern SAFETY =
      Pattern.compile(
          "\\bnsfw\\b|\\(e005\\)|flagged as sensitive|safety (system|filter|checker)"
              + "|content (policy|moderation)|moderation (policy|blocked)",
          Pattern.CASE_INSENSITIVE);

  /** Trouble of their machines, not of the input. */
  private static final Pattern PASSING =
      Pattern.compile(
          "please (retry|try again later)|prediction interrupted|temporarily unavailable"
              + "|\\be(6716|8765|9243|9825|004|003)\\b|unexpected error handling prediction"
              + "|health ?check failed|queue is full|rate limit|high demand",
          Pattern.CASE_INSENSITIVE);

  private Errors() {}

  static Outcome outcome(String error) {
    if (SAFETY.matcher(error).find()) {
      return new Outcome.Rejected("safety");
    }
    String words = OwnerText.line(error);
    if (PASSING.matcher(error).find()) {
      return new Outcome.Unavailable("The service broke down: " + words, Optional.empty());
    }
    return new Outcome.Failed(words.isEmpty() ? "The model failed without saying why." : words);
  }
}
