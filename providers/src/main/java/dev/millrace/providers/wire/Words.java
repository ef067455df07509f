package dev.millrace.providers.wire;

/** Makes a service's words fit to be shown: one line, bounded, nothing invisible. */
public final class Words {

  private static final int LONGEST = 500;

  private Words() {}

  public static String of(String text) {
    String head = text.length() > 4 * LONGEST ? text.substring(0, 4 * LONGEST) : text;
    String line =
        head.codePoints()
            .map(c -> Character.isISOControl(c) || Character.isWhitespace(c) ? ' ' : c)
            .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString()
            .replaceAll(" +", " ")
            .strip();
    if (line.length() <= LONGEST) {
      return line;
    }
    int end = Character.isHighSurrogate(line.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
    return line.substring(0, end) + "...";
  }
}
