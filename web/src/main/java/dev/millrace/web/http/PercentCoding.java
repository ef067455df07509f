package dev.millrace.web.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Strict decoding of paths and queries: what is not proper UTF-8 in percent-encoding is refused.
 */
final class PercentCoding {
  private PercentCoding() {}

  /** The decoded segments of a path. They are split first, so {@code %2F} stays in its segment. */
  static List<String> segments(String rawPath) {
    if (!rawPath.startsWith("/")) {
      throw ProblemException.badRequest("The path must start with a slash.");
    }
    List<String> segments = new ArrayList<>();
    for (String raw : rawPath.substring(1).split("/", -1)) {
      String segment = decode(raw, false);
      if (segment.equals(".") || segment.equals("..")) {
        throw ProblemException.badRequest("The path must not contain dot segments.");
      }
      segments.add(segment);
    }
    return segments;
  }

  /** The parameters of a query in their order. */
  static Map<String, List<String>> query(String rawQuery) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    for (String pair : rawQuery.split("&", -1)) {
      if (!pair.isEmpty()) {
        int equals = pair.indexOf('=');
        String name = decode(equals < 0 ? pair : pair.substring(0, equals), true);
        String value = equals < 0 ? "" : decode(pair.substring(equals + 1), true);
        parameters.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
      }
    }
    parameters.replaceAll((_, values) -> List.copyOf(values));
    return Collections.unmodifiableMap(parameters);
  }

  private static String decode(String raw, boolean plusIsSpace) {
    ByteBuffer bytes = ByteBuffer.allocate(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%') {
        bytes.put((byte) (hex(raw, i + 1) << 4 | hex(raw, i + 2)));
        i += 2;
      } else if (c > 0x7E) {
        throw malformed();
      } else {
        bytes.put((byte) (c == '+' && plusIsSpace ? ' ' : c));
      }
    }
    String decoded;
    try {
      decoded = StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException e) {
      throw malformed();
    }
    if (decoded.indexOf('\0') >= 0) {
      throw malformed();
    }
    return decoded;
  }

  private static int hex(String raw, int index) {
    int digit = index < raw.length() ? Character.digit(raw.charAt(index), 16) : -1;
    if (digit < 0) {
      throw malformed();
    }
    return digit;
  }

  private static ProblemException malformed() {
    return ProblemException.badRequest("The request target is not encoded properly.");
  }
}
