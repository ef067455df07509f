package dev.millrace.providers.fetch;

import dev.millrace.providers.fetch.FetchResult.Reason;
import java.net.IDN;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The host of a URL, in the one spelling that everybody reads alike. */
sealed interface Host {

  /** As the Host header has it, without brackets. */
  String text();

  /** A name that has to be resolved: ASCII, lower case, no dot at its end. */
  record Name(String text) implements Host {

    private static final List<String> NOT_PUBLIC =
        List.of(".localhost", ".local", ".internal", ".home.arpa", ".onion", ".alt");

    /** Whether it could be a name of the public DNS; one without a dot never is. */
    boolean mayBePublic() {
      return text.indexOf('.') > 0 && NOT_PUBLIC.stream().noneMatch(text::endsWith);
    }
  }

  /** An address. One that maps IPv4 into IPv6 counts as what it maps. */
  record Literal(String text, InetAddress address) implements Host {}

  Pattern LABEL = Pattern.compile("[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?");
  Pattern NUMBER = Pattern.compile("[0-9]+|0x[0-9a-f]*");
  Pattern QUAD =
      Pattern.compile(
          "(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}"
              + "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])");
  Pattern V6 = Pattern.compile("[0-9a-f:.]{2,45}");
  int LONGEST_NAME = 253;

  /** Reads what stands between brackets. */
  static Host bracketed(String written) throws FetchTrouble {
    String text = written.toLowerCase(Locale.ROOT);
    // A zone (%eth0) picks one of this machine's networks, which nobody outside may.
    if (!V6.matcher(text).matches() || text.indexOf(':') < 0) {
      throw FetchTrouble.refused(Reason.HOST);
    }
    try {
      return new Literal(text, InetAddress.ofLiteral(text));
    } catch (IllegalArgumentException e) {
      throw FetchTrouble.refused(Reason.HOST);
    }
  }

  /** Reads a name or an IPv4 address. */
  static Host plain(String written) throws FetchTrouble {
    String text = withoutLastDot(ascii(written).toLowerCase(Locale.ROOT));
    List<String> labels = List.of(text.split("\\.", -1));
    if (text.length() > LONGEST_NAME
        || !labels.stream().allMatch(label -> LABEL.matcher(label).matches())) {
      throw FetchTrouble.refused(Reason.HOST);
    }
    if (NUMBER.matcher(labels.getLast()).matches()) {
      return quad(text);
    }
    requireCanonical(text);
    return new Name(text);
  }

  /**
   * What ends in a number is an address to some programs and a name to others, and 0177.1 is
   * 127.0.0.1 to some and 177.0.0.1 to others. Only the usual four numbers are read.
   */
  private static Host quad(String text) throws FetchTrouble {
    if (!QUAD.matcher(text).matches()) {
      throw FetchTrouble.refused(Reason.HOST);
    }
    return new Literal(text, InetAddress.ofLiteral(text));
  }

  private static String ascii(String written) throws FetchTrouble {
    if (written.chars().allMatch(c -> c < 128)) {
      return written;
    }
    try {
      return IDN.toASCII(written, IDN.USE_STD3_ASCII_RULES);
    } catch (IllegalArgumentException e) {
      throw FetchTrouble.refused(Reason.HOST);
    }
  }

  private static String withoutLastDot(String text) {
    return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
  }

  /** An encoded name that decodes to something which would be encoded otherwise is a disguise. */
  private static void requireCanonical(String text) throws FetchTrouble {
    if (text.startsWith("xn--") || text.contains(".xn--")) {
      String decoded = IDN.toUnicode(text);
      if (decoded.startsWith("xn--")
          || decoded.contains(".xn--")
          || !ascii(decoded).equalsIgnoreCase(text)) {
        throw FetchTrouble.refused(Reason.HOST);
      }
    }
  }
}
