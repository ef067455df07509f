package dev.millrace.providers.fetch;

import dev.millrace.providers.fetch.FetchResult.Reason;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A URL that was read strictly. Programs disagree on what a backslash, a tab or an @ mean in one,
 * and that disagreement is how filters are passed, so there is no guessing here.
 *
 * @param scheme http or https
 * @param port the scheme's own if the URL names none
 * @param target path and query, percent-encoded, beginning with a slash
 */
record WebAddress(String scheme, Host host, int port, String target) {

  private static final int LONGEST = 4_096;
  private static final int MOST_PORT = 65_535;
  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):");
  private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");
  private static final String UNCHANGED = "-._~!$&'()*+,;=:@/?";
  private static final String HEX = "0123456789ABCDEF";

  static WebAddress parse(String text) throws FetchTrouble {
    requireReadable(text);
    Matcher scheme = SCHEME.matcher(text);
    if (!scheme.lookingAt()) {
      throw FetchTrouble.refused(Reason.MALFORMED);
    }
    String name = scheme.group(1).toLowerCase(Locale.ROOT);
    if (!name.equals("http") && !name.equals("https")) {
      throw FetchTrouble.refused(Reason.SCHEME);
    }
    String rest = text.substring(scheme.end());
    if (!rest.startsWith("//")) {
      throw FetchTrouble.refused(Reason.MALFORMED);
    }
    int end = endOfAuthority(rest);
    return of(name, rest.substring(2, end), rest.substring(end));
  }

  /** Where a Location header leads to from here. */
  WebAddress resolve(String location) throws FetchTrouble {
    requireReadable(location);
    if (SCHEME.matcher(location).lookingAt()) {
      return parse(location);
    }
    if (location.startsWith("//")) {
      return parse(scheme + ":" + location);
    }
    String path = target.substring(0, query(target));
    String next =
        switch (location.isEmpty() ? '#' : location.charAt(0)) {
          case '/' -> location;
          case '?' -> path + location;
          case '#' -> target;
          default -> path.substring(0, path.lastIndexOf('/') + 1) + location;
        };
    return new WebAddress(scheme, host, port, encoded(next));
  }

  URI uri() {
    return URI.create(origin() + target);
  }

  /** Scheme, host and port: whoever shares them may share a secret. */
  String origin() {
    return scheme + "://" + authority();
  }

  String authority() {
    String name = host.text().indexOf(':') >= 0 ? "[" + host.text() + "]" : host.text();
    return port == usualPort(scheme) ? name : name + ":" + port;
  }

  private static WebAddress of(String scheme, String authority, String rest) throws FetchTrouble {
    if (authority.indexOf('@') >= 0) {
      throw FetchTrouble.refused(Reason.USERINFO);
    }
    int bracket = authority.lastIndexOf(']');
    int colon = authority.indexOf(':', Math.max(0, bracket));
    String written = colon < 0 ? authority : authority.substring(0, colon);
    if (written.isEmpty()) {
      throw FetchTrouble.refused(Reason.MALFORMED);
    }
    int port = colon < 0 ? usualPort(scheme) : port(authority.substring(colon + 1));
    Host host =
        written.startsWith("[") && written.endsWith("]")
            ? Host.bracketed(written.substring(1, written.length() - 1))
            : Host.plain(written);
    return new WebAddress(scheme, host, port, encoded(rest));
  }

  private static int port(String text) throws FetchTrouble {
    if (!PORT.matcher(text).matches()) {
      throw FetchTrouble.refused(Reason.MALFORMED);
    }
    int port = Integer.parseInt(text);
    if (port == 0 || port > MOST_PORT) {
      throw FetchTrouble.refused(Reason.PORT);
    }
    return port;
  }

  private static int usualPort(String scheme) {
    return scheme.equals("https") ? 443 : 80;
  }

  /** No white space, no control or invisible character, no backslash, no half a character. */
  private static void requireReadable(String text) throws FetchTrouble {
    boolean readable =
        text.length() <= LONGEST && text.codePoints().noneMatch(WebAddress::isTreacherous);
    if (!readable) {
      throw FetchTrouble.refused(Reason.MALFORMED);
    }
  }

  private static boolean isTreacherous(int c) {
    return c == '\\'
        || switch (Character.getType(c)) {
          case Character.CONTROL,
              Character.FORMAT,
              Character.SURROGATE,
              Character.UNASSIGNED,
              Character.PRIVATE_USE,
              Character.SPACE_SEPARATOR,
              Character.LINE_SEPARATOR,
              Character.PARAGRAPH_SEPARATOR ->
              true;
          default -> false;
        };
  }

  private static int endOfAuthority(String rest) {
    for (int i = 2; i < rest.length(); i++) {
      if ("/?#".indexOf(rest.charAt(i)) >= 0) {
        return i;
      }
    }
    return rest.length();
  }

  private static int query(String target) {
    int mark = target.indexOf('?');
    return mark < 0 ? target.length() : mark;
  }

  /** Path and query without fragment and dot segments, with everything unusual encoded. */
  private static String encoded(String written) {
    int fragment = written.indexOf('#');
    String text = fragment < 0 ? written : written.substring(0, fragment);
    int query = query(text);
    return escaped(withoutDots(text.substring(0, query)) + text.substring(query));
  }

  private static String withoutDots(String path) {
    Deque<String> kept = new ArrayDeque<>();
    String[] segments = path.split("/", -1);
    for (int i = 1; i < segments.length; i++) {
      boolean last = i == segments.length - 1;
      switch (segments[i]) {
        case "." -> {
          if (last) {
            kept.addLast("");
          }
        }
        case ".." -> {
          kept.pollLast();
          if (last) {
            kept.addLast("");
          }
        }
        default -> kept.addLast(segments[i]);
      }
    }
    return "/" + String.join("/", kept);
  }

  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      char c = (char) (bytes[i] & 0xff);
      boolean kept =
          (c < 128 && (Character.isLetterOrDigit(c) || UNCHANGED.indexOf(c) >= 0))
              || (c == '%' && isHex(bytes, i + 1) && isHex(bytes, i + 2));
      if (kept) {
        escaped.append(c);
      } else {
        escaped.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
      }
    }
    return escaped.toString();
  }

  private static boolean isHex(byte[] bytes, int at) {
    return at < bytes.length && HEX.indexOf(Character.toUpperCase((char) bytes[at])) >= 0;
  }
}
