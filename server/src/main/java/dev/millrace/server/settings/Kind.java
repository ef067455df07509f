package dev.millrace.server.settings;

import dev.millrace.providers.fetch.AllowList;
import dev.millrace.server.settings.Settings.LogFormat;
import dev.millrace.service.access.Secret;
import dev.millrace.service.guard.ModerationFailure;
import dev.millrace.web.dialect.Dialect;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What values a setting takes: how one is read and checked, and how it is shown.
 *
 * @param allowed completes the sentence "it must be ..."
 * @param secret whether the text of a value may never be quoted
 * @param show the text that a report may print
 */
record Kind<T>(
    Class<T> type, String allowed, boolean secret, Reader<T> reader, Function<T, String> show) {

  private static final String NO_DIALECT = "none";
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._:%-]{1,255}");
  private static final Pattern ALLOWED_HOST =
      Pattern.compile(
          "\\*|(\\*\\.)?[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*\\.?|\\[?[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*]?");
  private static final Pattern VISIBLE = Pattern.compile("[!-~]{1,1000}");
  private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
  private static final Pattern REGION = Pattern.compile("[a-z0-9-]{1,50}");
  private static final Pattern PREFIX =
      Pattern.compile("(?!.{201})[A-Za-z0-9_][A-Za-z0-9._-]*(?:/[A-Za-z0-9_][A-Za-z0-9._-]*)*/?");
  private static final int SECRET_LENGTH_MIN = 32;

  /** Reads a text that is neither blank nor has control characters or white space around it. */
  @FunctionalInterface
  interface Reader<T> {
    /**
     * Reads and checks.
     *
     * @throws IllegalArgumentException if the text is not allowed; a {@link Refused} says why in
     *     words that can be shown
     */
    T read(String text, Path workingDir);
  }

  /** A refusal whose message does not quote the value, and so may be shown for secrets too. */
  static final class Refused extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    Refused(String reason) {
      super(reason);
    }
  }

  static Kind<Long> number(long min, long max) {
    return new Kind<>(
        Long.class,
        "a whole number from " + min + " to " + max,
        false,
        (text, _) -> readNumber(text, min, max),
        Object::toString);
  }

  static Kind<Duration> seconds(long min, long max) {
    return number(min, max).as(Duration.class, Duration::ofSeconds, Duration::toSeconds);
  }

  static Kind<Duration> millis(long min, long max) {
    return number(min, max).as(Duration.class, Duration::ofMillis, Duration::toMillis);
  }

  static Kind<Path> folder() {
    return new Kind<>(
        Path.class, "a path", false, (text, dir) -> resolve(text, dir), Path::toString);
  }

  static Kind<String> host() {
    return new Kind<>(
        String.class,
        "a host name or an IP address without a port",
        false,
        (text, _) -> {
          if (!HOST.matcher(text).matches()) {
            throw new IllegalArgumentException("host");
          }
          return text;
        },
        Function.identity());
  }

  static Kind<String> hosts() {
    return new Kind<>(
        String.class,
        "hosts without ports and with commas between them, such as `example.com, *.example.org`",
        false,
        (text, _) -> {
          List<String> hosts = hostsOf(text);
          if (hosts.isEmpty() || !hosts.stream().allMatch(ALLOWED_HOST.asMatchPredicate())) {
            throw new IllegalArgumentException("hosts");
          }
          return text;
        },
        Function.identity());
  }

  static List<String> hostsOf(String text) {
    return words(text);
  }

  static List<String> words(String text) {
    return Arrays.stream(text.split(",", -1)).map(String::strip).filter(s -> !s.isEmpty()).toList();
  }

  static Kind<String> dialects() {
    String all =
        Arrays.stream(Dialect.values()).map(Dialect::label).collect(Collectors.joining(", "));
    return new Kind<>(
        String.class,
        "none, or some of these with commas between them: " + all,
        false,
        (text, _) -> {
          if (!text.equals(NO_DIALECT)
              && (words(text).isEmpty()
                  || !words(text).stream().allMatch(word -> Dialect.ofLabel(word).isPresent()))) {
            throw new IllegalArgumentException("dialects");
          }
          return text;
        },
        Function.identity());
  }

  static Set<Dialect> dialectsOf(String text) {
    return words(text).stream()
        .flatMap(word -> Dialect.ofLabel(word).stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  static Kind<URI> webAddress() {
    return new Kind<>(
        URI.class,
        "an http or https URL without user, query and fragment",
        false,
        (text, _) -> readWebAddress(text),
        URI::toString);
  }

  static Kind<LogFormat> logFormat() {
    return new Kind<>(
        LogFormat.class,
        "auto, json or text",
        false,
        (text, _) -> LogFormat.valueOf(text.toUpperCase(Locale.ROOT)),
        format -> format.name().toLowerCase(Locale.ROOT));
  }

  static Kind<ModerationFailure> moderationFailure() {
    return new Kind<>(
        ModerationFailure.class,
        "closed or open",
        false,
        (text, _) -> ModerationFailure.valueOf(text.toUpperCase(Locale.ROOT)),
        failure -> failure.name().toLowerCase(Locale.ROOT));
  }

  /** One of the names of an enum, in lower case. */
  static <E extends Enum<E>> Kind<E> word(Class<E> words) {
    String allowed =
        Arrays.stream(words.getEnumConstants())
            .map(word -> word.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "))
            .replaceFirst(", ([a-z]+)$", " or $1");
    return new Kind<>(
        words,
        allowed,
        false,
        (text, _) -> Enum.valueOf(words, text.toUpperCase(Locale.ROOT)),
        word -> word.name().toLowerCase(Locale.ROOT));
  }

  static Kind<String> modelName() {
    return new Kind<>(
        String.class,
        "a name without spaces",
        false,
        (text, _) -> {
          if (!VISIBLE.matcher(text).matches()) {
            throw new IllegalArgumentException("model");
          }
          return text;
        },
        Function.identity());
  }

  static Kind<Boolean> truth() {
    return new Kind<>(
        Boolean.class,
        "true or false",
        false,
        (text, _) -> {
          if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException("truth");
          }
          return text.equals("true");
        },
        Object::toString);
  }

  static Kind<String> bucket() {
    return formed("a bucket's name: 3 to 63 lower case letters, digits, dots and dashes", BUCKET);
  }

  static Kind<String> region() {
    return formed("a region's name, such as eu-central-1", REGION);
  }

  static Kind<String> prefix() {
    return formed("letters, digits, dots, dashes and underscores, with / between parts", PREFIX);
  }

  private static Kind<String> formed(String allowed, Pattern form) {
    return new Kind<>(
        String.class,
        allowed,
        false,
        (text, _) -> {
          if (!form.matcher(text).matches()) {
            throw new IllegalArgumentException("form");
          }
          return text;
        },
        Function.identity());
  }

  static Kind<String> allowList() {
    return new Kind<>(
        String.class,
        "names, addresses and ranges with commas between them, each with a port if it is unusual",
        false,
        (text, _) -> {
          AllowList.parse(text);
          return text;
        },
        Function.identity());
  }

  /** Somebody else's key: of any length, but fit for a header. */
  static Kind<Secret> token() {
    return new Kind<>(
        Secret.class,
        "a key of letters, digits and signs without spaces",
        true,
        (text, _) -> {
          if (!VISIBLE.matcher(text).matches()) {
            throw new Refused("it has a space or another character that a header can't carry");
          }
          return new Secret(text);
        },
        Secret::toString);
  }

  static Kind<DatabaseUrl> databaseUrl() {
    return new Kind<>(
        DatabaseUrl.class,
        "a URL such as `postgres://user:password@host:5432/name`"
            + " or `jdbc:postgresql://host:5432/name?user=...&password=...`",
        true,
        (text, _) -> DatabaseUrlReader.read(text),
        DatabaseUrl::masked);
  }

  static Kind<Secret> secretText() {
    return new Kind<>(
        Secret.class,
        "at least " + SECRET_LENGTH_MIN + " characters",
        true,
        (text, _) -> {
          if (text.length() < SECRET_LENGTH_MIN) {
            throw new Refused("it is shorter than " + SECRET_LENGTH_MIN + " characters");
          }
          return new Secret(text);
        },
        Secret::toString);
  }

  private <U> Kind<U> as(Class<U> target, Function<T, U> to, Function<U, T> from) {
    return new Kind<>(
        target,
        allowed,
        secret,
        (text, dir) -> to.apply(reader.read(text, dir)),
        value -> show.apply(from.apply(value)));
  }

  private static Long readNumber(String text, long min, long max) {
    long number = Long.parseLong(text);
    if (number < min || number > max) {
      throw new IllegalArgumentException("out of range");
    }
    return number;
  }

  private static Path resolve(String text, Path workingDir) {
    if (text.startsWith("~")) {
      throw new Refused("only a shell knows what ~ is, so write the whole path");
    }
    return workingDir.resolve(text).toAbsolutePath().normalize();
  }

  private static URI readWebAddress(String text) {
    if (text.indexOf('@') >= 0) {
      throw new Refused("it has an @, and what stands before that may be a password");
    }
    URI uri = URI.create(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
    boolean web =
        "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
    if (!web
        || uri.getHost() == null
        || uri.getRawQuery() != null
        || uri.getRawFragment() != null) {
      throw new IllegalArgumentException("web address");
    }
    return uri;
  }
}
