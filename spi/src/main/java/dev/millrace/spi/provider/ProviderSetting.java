package dev.millrace.spi.provider;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One thing that an operator can set for a provider.
 *
 * @param name such as {@code replicate-url}, which is set as {@code MILLRACE_REPLICATE_URL} or
 *     {@code millrace.replicate-url}
 * @param fallback what holds when it isn't set; may refer to another setting, such as <code>
 *     ${millrace.moderation-model}</code>
 * @param unset what it means that it isn't set, in a few words for the documentation; empty if
 *     there is a fallback
 * @param description one sentence for the documentation
 */
public record ProviderSetting(
    String name, Kind kind, Optional<String> fallback, String unset, String description) {

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");
  private static final Pattern SENTENCE = Pattern.compile("[A-Z][^|\\n]+\\.");

  public ProviderSetting {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          name + " is no setting's name: it has lower case letters, digits and dashes");
    }
    if (!SENTENCE.matcher(description).matches()) {
      throw new IllegalArgumentException("what " + name + " means is one sentence");
    }
    if (fallback.isPresent() && kind instanceof Kind.Secret) {
      throw new IllegalArgumentException(name + " is secret, so it can't have a default");
    }
    if (fallback.isEmpty() && unset.isBlank()) {
      throw new IllegalArgumentException("nobody says what happens without " + name);
    }
  }

  /** A setting with a default. */
  public static ProviderSetting of(String name, Kind kind, String fallback, String description) {
    return new ProviderSetting(name, kind, Optional.of(fallback), "", description);
  }

  /** A setting that may be left out. */
  public static ProviderSetting optional(String name, Kind kind, String unset, String description) {
    return new ProviderSetting(name, kind, Optional.empty(), unset, description);
  }

  /** What values it takes, and by which method of {@link ProviderSettings} they are read. */
  public sealed interface Kind {

    /** A name without spaces, read as a text. */
    record Word() implements Kind {}

    /** An http or https URL without user, query and fragment. */
    record Address() implements Kind {}

    /** A whole number of seconds, read as a duration. */
    record Seconds(long least, long most) implements Kind {}

    /** A whole number. */
    record WholeNumber(long least, long most) implements Kind {}

    /** A file or a folder. */
    record File() implements Kind {}

    /** A key that a header can carry. It is never shown, quoted or logged. */
    record Secret() implements Kind {}
  }
}
