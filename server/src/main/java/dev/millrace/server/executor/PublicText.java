package dev.millrace.server.executor;

import java.util.stream.Collectors;

/** Words from a provider, made fit to be shown: one line, no control characters, not too long. */
final class PublicText {

  private static final int LIMIT = 300;

  private PublicText() {}

  static String of(String text) {
    String line =
        text.codePoints()
            .filter(c -> Character.isDefined(c) && Character.getType(c) != Character.SURROGATE)
            .mapToObj(c -> Character.isISOControl(c) ? " " : Character.toString(c))
            .collect(Collectors.joining())
            .strip();
    return line.codePointCount(0, line.length()) <= LIMIT
        ? line
        : line.substring(0, line.offsetByCodePoints(0, LIMIT));
  }
}
