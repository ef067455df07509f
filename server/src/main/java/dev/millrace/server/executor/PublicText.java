package dev.millrace.server.executor;

import java.util.stream.Collectors;

/** Words from a provider, made fit to be shown: one line, no control characters, not too long. */
public final class PublicText {

  private static final int LIMIT = 300;

  /** No more is read, however long the text is: what is cut off isn't worth looking at. */
  private static final int LOOKED_AT = 10 * LIMIT;

  private PublicText() {}

  public static String of(String text) {
    String line =
        text.codePoints()
            .limit(LOOKED_AT)
            .filter(c -> Character.isDefined(c) && Character.getType(c) != Character.SURROGATE)
            .mapToObj(c -> Character.isISOControl(c) ? " " : Character.toString(c))
            .collect(Collectors.joining())
            .strip();
    return line.codePointCount(0, line.length()) <= LIMIT
        ? line
        : line.substring(0, line.offsetByCodePoints(0, LIMIT));
  }
}
