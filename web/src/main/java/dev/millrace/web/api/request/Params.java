package dev.millrace.web.api.request;

import dev.millrace.postgres.tenants.Visibility;
import dev.millrace.service.access.Principal;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads parameters of paths and queries, and refuses what can't be meant. */
public final class Params {

  public static final String TIME_LAW =
      "must be a time such as 2030-01-31T12:00:00Z, with its offset";

  /** Java reads a time without its seconds too, which others do not. */
  private static final Pattern TIME = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}");

  /** Java also reads the digits of other scripts, which nobody means here. */
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,19}");

  private static final int DEFAULT_LIMIT = 50;
  private static final int MOST = 500;
  private static final int LONGEST_USER = 200;
  private static final int LONGEST_NAME = 200;

  public static final String USER_LAW = "must have 1 to 200 characters, none of them control";

  private Params() {}

  /** An id in the path. What is no id at all is answered like one that does not exist. */
  public static UUID id(Request request) {
    return uuid(request.pathParameter("id")).orElseThrow(ProblemException::notFound);
  }

  public static Optional<UUID> uuid(String text) {
    // UUID.fromString takes "1-1-1-1-1" too.
    if (text.length() != 36) {
      return Optional.empty();
    }
    try {
      return Optional.of(UUID.fromString(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** An id in the query. */
  public static @Nullable UUID uuidOrNull(Request request, String name) {
    return request
        .query(name)
        .map(text -> uuid(text).orElseThrow(() -> ProblemException.invalid(name, "must be an id")))
        .orElse(null);
  }

  public static @Nullable UUID cursor(Request request) {
    return request
        .query("cursor")
        .map(text -> uuid(text).orElseThrow(() -> badCursor()))
        .orElse(null);
  }

  public static @Nullable Long numberCursor(Request request) {
    return request.query("cursor").map(Params::number).orElse(null);
  }

  private static Long number(String text) {
    try {
      if (DIGITS.matcher(text).matches()) {
        return Long.valueOf(text);
      }
      throw badCursor();
    } catch (NumberFormatException e) {
      throw badCursor();
    }
  }

  public static ProblemException badCursor() {
    return ProblemException.invalid("cursor", "must be the next_cursor of the page before");
  }

  /** A time as RFC 3339 writes it, in a year that can be meant. */
  public static Optional<Instant> time(String text) {
    if (!TIME.matcher(text).lookingAt()) {
      return Optional.empty();
    }
    try {
      OffsetDateTime time = OffsetDateTime.parse(text);
      boolean meant = time.getYear() >= 2000 && time.getYear() <= 2200;
      return meant ? Optional.of(time.toInstant()) : Optional.empty();
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  public static int limit(Request request) {
    return wholeNumber(request, "limit", DEFAULT_LIMIT, 1, MOST);
  }

  public static int wholeNumber(Request request, String name, int otherwise, int least, int most) {
    Optional<String> text = request.query(name);
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      int number = Integer.parseInt(text.get());
      if (DIGITS.matcher(text.get()).matches() && number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Answered below, like a number out of range.
    }
    throw ProblemException.invalid(
        name, "must be a whole number from %d to %d".formatted(least, most));
  }

  /** Whose things are meant: the key's own user, the one named, or the default one. */
  public static String user(Request request, Principal principal) {
    return user(principal, request.query("user").orElse(null), "user");
  }

  public static String user(Principal principal, @Nullable String named, String path) {
    if (named != null && !isUser(named)) {
      throw ProblemException.invalid(path, USER_LAW);
    }
    if (principal.user() == null) {
      return named == null ? Principal.DEFAULT_USER : named;
    }
    if (named != null && !named.equals(principal.user())) {
      throw new ProblemException(
          403, "forbidden", "This key acts for one user only, not this one.");
    }
    return principal.user();
  }

  /** The workspace that is meant: the key's own, the one named, or none. */
  public static @Nullable String workspace(
      Principal principal, @Nullable String named, String path) {
    if (named != null && !isUser(named)) {
      throw ProblemException.invalid(path, USER_LAW);
    }
    @Nullable String own = principal.bounds().workspace();
    if (own != null && named != null && !named.equals(own)) {
      throw new ProblemException(
          403, "forbidden", "This key acts in one workspace only, not in this one.");
    }
    return own == null ? named : own;
  }

  /** What a list is asked for: of one user or of all, of one workspace or of all. */
  public static Visibility wanted(Request request, Principal principal) {
    @Nullable String user =
        request.query("user").isPresent() || principal.user() != null
            ? user(request, principal)
            : null;
    return of(request, principal, user);
  }

  /** Whose things are meant, where they are always one user's. */
  public static Visibility things(Request request, Principal principal) {
    return of(request, principal, user(request, principal));
  }

  private static Visibility of(Request request, Principal principal, @Nullable String user) {
    return new Visibility(
        principal.tenant(),
        user,
        workspace(principal, request.query("workspace").orElse(null), "workspace"));
  }

  /** A field's name as a step of a JSON pointer, cut where it is longer than any of ours. */
  public static String pointer(String name) {
    String shown = name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) : name;
    return shown.replace("~", "~0").replace("/", "~1");
  }

  /** Whether this can be somebody's name. */
  public static boolean isUser(String text) {
    return !text.isBlank()
        && text.length() <= LONGEST_USER
        && text.chars().noneMatch(Character::isISOControl);
  }
}
