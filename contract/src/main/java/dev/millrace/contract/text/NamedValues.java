package dev.millrace.contract.text;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Values whose name says that they are secret: {@code password=...}, {@code "apiKey": "..."},
 * {@code X-Api-Key: ...}, {@code --token ...}, {@code ?X-Amz-Signature=...}.
 */
final class NamedValues {

  /** A name that ends so, in any spelling, has a secret as its value. */
  private static final List<String> SECRET_ENDS =
      List.of(
          "password",
          "passwd",
          "pwd",
          "passphrase",
          "passwort",
          "secret",
          "secrets",
          "token",
          "apikey",
          "accesskey",
          "accesskeyid",
          "secretkey",
          "privatekey",
          "signingkey",
          "encryptionkey",
          "authkey",
          "authorization",
          "cookie",
          "signature",
          "credential",
          "credentials",
          "sessionid",
          "connectionstring");

  private static final Set<String> SECRET_NAMES =
      Set.of("sig", "auth", "pass", "jwt", "bearer", "xamzcredential");

  /** Tokens that models work with. */
  private static final Set<String> OF_MODELS =
      Set.of(
          "padtoken",
          "eostoken",
          "bostoken",
          "unktoken",
          "septoken",
          "clstoken",
          "masktoken",
          "nexttoken",
          "imagetoken",
          "starttoken",
          "endtoken",
          "specialtoken");

  private static final String HOST = "[host]";
  private static final Set<String> HOSTS = Set.of("host", "hostname", "server", "endpoint");

  /** Only names with such a word in them are worth a look at their values. */
  private static final String NAME =
      "(?<![A-Za-z0-9_.-])[-_.]{0,8}+(?=[A-Za-z0-9_.-]{0,200}?(?i:pass|pwd|secret|token|key|auth|cookie|sig"
          + "|credential|session|jwt|bearer|host|server|endpoint|connection))"
          + "([A-Za-z][A-Za-z0-9_.-]{0,220}+)";

  private static final String QUOTE = "\\\\{0,3}[\"'`]";
  private static final String QUOTED_VALUE =
      "(?:\\\\{0,3}\"[^\"\\n]{0,4000}+\"?|'[^'\\n]{0,4000}+'?|`[^`\\n]{0,4000}+`?)";
  private static final String BARE_VALUE = "[^\\s\"'`,;&<>(){}\\\\\\]]{1,4000}+";

  static final List<Rule> RULES =
      List.of(
          // A header's value goes on to the end of its line.
          Rule.of(
              "(?<![A-Za-z0-9])((?i:proxy-)?(?i:authorization|cookie|set-cookie)"
                  + QUOTE
                  + "?[ \\t]{0,4}[:=][ \\t]{0,4}"
                  + QUOTE
                  + "?)([^\"'`\\n]{1,4000}+)",
              found -> isReplaced(found.group(2)) ? null : found.group(1) + Secrets.SECRET),
          Rule.of(
              NAME
                  + "("
                  + QUOTE
                  + "?[ \\t]{0,4}(?:=>|:=|[:=])[ \\t\\n]{0,4})("
                  + QUOTED_VALUE
                  + "|"
                  + BARE_VALUE
                  + ")(?=([ \\t]{0,4}(?:\\z|[\\n,;&})\\]]))?)",
              NamedValues::assigned),
          Rule.of(
              "(?<![A-Za-z0-9-])--?([A-Za-z][A-Za-z0-9_-]{2,63}+)([ \\t]{1,4})("
                  + QUOTED_VALUE
                  + "|(?!-)"
                  + BARE_VALUE
                  + ")",
              found ->
                  isSecret(plain(found.group(1))) && !isReplaced(found.group(3))
                      ? before(found, 3) + Secrets.SECRET
                      : null),
          // What curl and its like are given to sign in with.
          Rule.of(
              "(?<![A-Za-z0-9-])((?:-u|-U|--user|--proxy-user)[ =]{1,4}[\"'`]?)"
                  + "([^\\s:\"'`]{1,200}+:[^\\s\"'`]{1,4000}+)",
              found -> isUserId(found.group(2)) ? null : found.group(1) + Secrets.SECRET),
          Rule.of(
              "(?<![A-Za-z0-9])((?i:password|passwd|passphrase|secret|token|api[ _-]?key)"
                  + " (?i:is|was|of|for)? ?)([^\\s\"'`,;]{6,4000}+|['\"`][^\\s\"'`]{3,4000}+['\"`])",
              found ->
                  isTold(found) && !isReplaced(found.group(2))
                      ? before(found, 2) + Secrets.SECRET
                      : null));

  private NamedValues() {}

  /** Numbers of a user and a group, which other programs take by the same option. */
  private static boolean isUserId(String value) {
    return value.matches("[0-9]{1,10}:[0-9]{1,10}[,.;:)]?");
  }

  private static String before(MatchResult found, int group) {
    return found.group().substring(0, found.start(group) - found.start());
  }

  private static @Nullable String assigned(MatchResult found) {
    String name = plain(found.group(1));
    String value = found.group(3);
    boolean quotedName = isQuoted(found.group(2));
    boolean sure = found.group(2).contains("=") || isQuoted(value) || quotedName;
    if (isHost(name, value) && sure) {
      return kept(found, value, HOST);
    }
    return isHarmless(name, value) || (!sure && !isPlausible(found, name, value))
        ? null
        : kept(found, value, Secrets.SECRET);
  }

  /**
   * What stands for a value that has a name of its own, as in a document.
   *
   * @return null if the name says nothing against showing it
   */
  static @Nullable String instead(String name, String value) {
    String plain = plain(name);
    if (isHost(plain, value)) {
      return HOST;
    }
    return isHarmless(plain, value) ? null : Secrets.SECRET;
  }

  static boolean isSecretName(String name) {
    return isSecret(plain(name));
  }

  private static boolean isHost(String name, String value) {
    return HOSTS.contains(name) && !isReplaced(value);
  }

  private static boolean isHarmless(String name, String value) {
    return !isSecret(name, value)
        || isReplaced(value)
        || (isCount(value) && !name.contains("pass") && !name.endsWith("secret"))
        || (isCount(value) && name.equals("pass"));
  }

  /** Whether this was a secret once. */
  private static boolean isReplaced(String value) {
    int quote = quoteAt(value);
    String content = value.substring(quote + 1);
    return Stream.of("[secret", "[url", "[host", "[path", "[address", "[data")
        .anyMatch(word -> content.equals(word) || content.startsWith(word + "]"));
  }

  /** Such as {@code 3/20}, which is how far something is. */
  private static boolean isCount(String value) {
    return value.length() <= 8 && value.chars().allMatch(c -> "0123456789./%".indexOf(c) >= 0);
  }

  private static boolean isSecret(String name, String value) {
    return isSecret(name)
        || (name.equals("key") && value.length() >= 16 && Secrets.looksRandom(value));
  }

  /** The quotes stay, so that a document is still one. */
  private static String kept(MatchResult found, String value, String instead) {
    int quote = quoteAt(value);
    String open = quote < 0 ? "" : value.substring(0, quote + 1);
    boolean closed = quote >= 0 && value.length() > quote + 1 && value.endsWith(end(value, quote));
    String close = closed ? (open.length() > 1 ? open : end(value, quote)) : "";
    return before(found, 3) + open + instead + close;
  }

  private static String end(String value, int quote) {
    return value.substring(quote, quote + 1);
  }

  private static int quoteAt(String value) {
    int at = 0;
    while (at < value.length() && value.charAt(at) == '\\') {
      at++;
    }
    return at < value.length() && "\"'`".indexOf(value.charAt(at)) >= 0 ? at : -1;
  }

  private static boolean isQuoted(String value) {
    return quoteAt(value) >= 0;
  }

  /** In a sentence, a colon after such a word may only introduce the next ones. */
  private static boolean isPlausible(MatchResult found, String name, String value) {
    if (name.endsWith("token") || name.endsWith("signature")) {
      return value.length() >= 6 && Secrets.isToken(value) && Secrets.looksRandom(value);
    }
    boolean last = found.group(4) != null;
    return Secrets.isToken(value) || last;
  }

  /** A token or a password that a sentence names. */
  private static boolean isTold(MatchResult found) {
    String value = found.group(2);
    if (isQuoted(value)) {
      return found.group(1).toLowerCase(Locale.ROOT).startsWith("pass")
          || Secrets.looksRandom(value.substring(1, value.length() - 1));
    }
    return value.length() >= 6
        && Secrets.hasDigit(value)
        && value.chars().anyMatch(Character::isLetter);
  }

  private static String plain(String name) {
    StringBuilder plain = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c != '_' && c != '-' && c != '.') {
        plain.append(Character.toLowerCase(c));
      }
    }
    return plain.toString();
  }

  private static boolean isSecret(String plain) {
    return SECRET_NAMES.contains(plain)
        || (SECRET_ENDS.stream().anyMatch(plain::endsWith)
            && OF_MODELS.stream().noneMatch(plain::endsWith));
  }
}
