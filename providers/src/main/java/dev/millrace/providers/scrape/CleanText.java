package dev.millrace.providers.scrape;

/** Strangers' text, made fit to be stored: no control characters, no half characters, bounded. */
final class CleanText {

  private CleanText() {}

  /** One line with single spaces. */
  static String line(String text, int most) {
    StringBuilder clean = new StringBuilder(Math.min(text.length(), most));
    append(clean, text, most);
    return clean.toString().strip();
  }

  /** Adds text with its white space made single spaces, up to a length. */
  static void append(StringBuilder to, String text, int most) {
    int i = 0;
    while (i < text.length() && to.length() < most) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      if (isSpace(c)) {
        if (!to.isEmpty() && !Character.isWhitespace(to.charAt(to.length() - 1))) {
          to.append(' ');
        }
      } else if (Character.getType(c) != Character.SURROGATE && Character.isDefined(c)) {
        to.appendCodePoint(c);
      }
    }
  }

  private static boolean isSpace(int c) {
    return Character.isISOControl(c) || Character.isWhitespace(c) || Character.isSpaceChar(c);
  }
}
