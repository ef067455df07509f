package dev.millrace.providers.scrape;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a robots.txt says to one robot, by RFC 9309. */
final class RobotsRules {

  static final RobotsRules ALLOW_ALL = new RobotsRules(List.of());

  private static final int MOST_RULES = 5_000;
  private static final int LONGEST_RULE = 1_000;
  private static final String HEX = "0123456789ABCDEF";
  private static final String UNRESERVED = "-._~";

  /**
   * One line.
   *
   * @param pattern in the normal form of {@link #normal}
   */
  private record Rule(boolean allows, String pattern) {

    boolean matches(String path) {
      boolean toTheEnd = pattern.endsWith("$");
      String body = toTheEnd ? pattern.substring(0, pattern.length() - 1) : pattern;
      List<String> pieces = List.of(body.split("\\*", -1));
      if (!path.startsWith(pieces.getFirst())) {
        return false;
      }
      // The leftmost place of each piece leaves the most room for the others.
      int at = pieces.getFirst().length();
      for (String piece : pieces.subList(1, pieces.size())) {
        int found = path.indexOf(piece, at);
        if (found < 0) {
          return false;
        }
        at = found + piece.length();
      }
      String last = pieces.getLast();
      return !toTheEnd
          || (pieces.size() == 1
              ? at == path.length()
              : path.endsWith(last) && path.length() - last.length() >= at - last.length());
    }
  }

  private final List<Rule> rules;

  private RobotsRules(List<Rule> rules) {
    this.rules = List.copyOf(rules);
  }

  int size() {
    return rules.stream().mapToInt(rule -> rule.pattern().length() + 50).sum() + 100;
  }

  /**
   * The rules for a robot: those of every group that names it, or else those for everybody.
   *
   * @param token the robot's product token, in lower case
   */
  static RobotsRules read(String text, String token) {
    List<Rule> own = new ArrayList<>();
    List<Rule> everybody = new ArrayList<>();
    boolean named = false;
    boolean forUs = false;
    boolean forAll = false;
    boolean naming = false;
    for (String line : text.split("[\r\n]+", -1)) {
      String[] field = field(line);
      if (field == null) {
        continue;
      }
      String value = field[1];
      if (field[0].equals("user-agent")) {
        if (!naming) {
          forUs = false;
          forAll = false;
        }
        naming = true;
        forAll |= value.equals("*");
        forUs |= product(value).equals(token);
        named |= forUs;
      } else if (field[0].equals("allow") || field[0].equals("disallow")) {
        naming = false;
        Rule rule = new Rule(field[0].equals("allow"), normal(value));
        boolean counts = !value.isEmpty() && rule.pattern().length() <= LONGEST_RULE;
        add(own, rule, counts && forUs);
        add(everybody, rule, counts && forAll);
      }
    }
    return new RobotsRules(named ? own : everybody);
  }

  private static void add(List<Rule> rules, Rule rule, boolean counts) {
    if (counts && rules.size() < MOST_RULES) {
      rules.add(rule);
    }
  }

  /** Name in lower case and value of a line, or null if there is none. */
  private static String @Nullable [] field(String line) {
    int comment = line.indexOf('#');
    String content = comment < 0 ? line : line.substring(0, comment);
    int colon = content.indexOf(':');
    return colon < 0
        ? null
        : new String[] {
          content.substring(0, colon).strip().replace("\ufeff", "").toLowerCase(Locale.ROOT),
          content.substring(colon + 1).strip()
        };
  }

  /** The letters with which a robot's name begins; a version or a comment may follow. */
  private static String product(String value) {
    int end = 0;
    while (end < value.length() && isTokenSign(value.charAt(end))) {
      end++;
    }
    return value.substring(0, end).toLowerCase(Locale.ROOT);
  }

  private static boolean isTokenSign(char c) {
    return c < 128 && (Character.isLetter(c) || c == '_' || c == '-');
  }

  /**
   * Whether a page may be read.
   *
   * @param target path and query
   */
  boolean allow(String target) {
    String path = normal(target);
    @Nullable Rule best = null;
    for (Rule rule : rules) {
      if (isBetter(rule, best) && rule.matches(path)) {
        best = rule;
      }
    }
    return best == null || best.allows();
  }

  /** The longest rule counts; of two equally long ones, the one that allows. */
  private static boolean isBetter(Rule rule, @Nullable Rule best) {
    return best == null
        || rule.pattern().length() > best.pattern().length()
        || (rule.pattern().length() == best.pattern().length() && rule.allows());
  }

  /** One spelling for one path: what needn't be encoded isn't, and what must be is. */
  private static String normal(String path) {
    StringBuilder normal = new StringBuilder(path.length());
    byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      int value = bytes[i] & 0xff;
      boolean encoded = value == '%' && i + 2 < bytes.length;
      int high = encoded ? Character.digit(bytes[i + 1], 16) : -1;
      int low = encoded ? Character.digit(bytes[i + 2], 16) : -1;
      if (high >= 0 && low >= 0) {
        i += 2;
        append(normal, high * 16 + low, !isUnreserved(high * 16 + low));
      } else {
        append(normal, value, value >= 128);
      }
    }
    return normal.toString();
  }

  private static boolean isUnreserved(int c) {
    return c < 128 && (Character.isLetterOrDigit(c) || UNRESERVED.indexOf(c) >= 0);
  }

  private static void append(StringBuilder to, int value, boolean encoded) {
    if (encoded) {
      to.append('%').append(HEX.charAt(value >> 4)).append(HEX.charAt(value & 15));
    } else {
      to.append((char) value);
    }
  }
}
