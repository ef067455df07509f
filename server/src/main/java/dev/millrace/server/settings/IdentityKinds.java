package dev.millrace.server.settings;

import dev.millrace.service.identity.RoleTable;
import java.net.URI;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** What values the settings about identity providers take. */
final class IdentityKinds {

  private static final Pattern NAME = Pattern.compile("\\P{Cntrl}{1,60}");
  private static final Pattern WORD = Pattern.compile("[!-~]{1,500}");
  private static final Pattern SLUG = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

  private IdentityKinds() {}

  /** Kept as it is written: an issuer with a slash at its end is another one. */
  static Kind<String> issuer() {
    return text("an http or https URL without user, query and fragment", IdentityKinds::isIssuer);
  }

  static Kind<String> issuers() {
    return text(
        "http or https URLs without user, query and fragment, with commas between them",
        text -> all(Kind.words(text), IdentityKinds::isIssuer));
  }

  static Kind<String> words() {
    return text(
        "names without spaces, with commas between them",
        text -> all(Kind.words(text), WORD.asMatchPredicate()));
  }

  static Kind<String> scopes() {
    return text(
        "scopes with spaces between them, one of them openid",
        text -> all(scopesOf(text), WORD.asMatchPredicate()) && scopesOf(text).contains("openid"));
  }

  static Kind<String> name() {
    return text("a name of at most 60 characters", NAME.asMatchPredicate());
  }

  static Kind<String> slug() {
    return text("the slug of a tenant, such as acme", SLUG.asMatchPredicate());
  }

  static Kind<RoleTable> roles() {
    return new Kind<>(
        RoleTable.class,
        "values and roles such as `millrace-admins=admin, staff=user`, each value once, with a role"
            + " of "
            + RoleTable.names(),
        false,
        (text, _) -> RoleTable.parse(text),
        RoleTable::toString);
  }

  static List<String> scopesOf(String text) {
    return List.of(text.strip().split("\\s+", -1));
  }

  private static boolean all(List<String> words, Predicate<String> good) {
    return !words.isEmpty() && words.stream().allMatch(good);
  }

  private static boolean isIssuer(String text) {
    if (text.indexOf('@') >= 0) {
      throw new Kind.Refused("it has an @, and what stands before that may be a password");
    }
    try {
      URI uri = URI.create(text);
      return ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
          && uri.getHost() != null
          && uri.getRawQuery() == null
          && uri.getRawFragment() == null;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private static Kind<String> text(String allowed, Predicate<String> good) {
    return new Kind<>(
        String.class,
        allowed,
        false,
        (text, _) -> {
          if (!good.test(text)) {
            throw new IllegalArgumentException("form");
          }
          return text;
        },
        Function.identity());
  }
}
