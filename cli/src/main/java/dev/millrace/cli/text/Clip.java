package dev.millrace.cli.text;

/** Measures text in terminal columns and cuts it to fit. */
public final class Clip {

  private Clip() {}

  /** Makes control characters harmless: a stored message must not move the cursor or ring bells. */
  public static String plain(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    text.codePoints()
        .map(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x2029 ? ' ' : c)
        .filter(c -> Character.getType(c) != Character.FORMAT)
        .forEach(plain::appendCodePoint);
    return plain.toString();
  }

  /** How many columns a terminal uses for this text. */
  public static int width(String text) {
    return text.codePoints().map(Clip::width).sum();
  }

  /** Cuts to at most {@code columns}, marking the cut. */
  public static String fit(String text, int columns, boolean unicode) {
    if (width(text) <= columns) {
      return text;
    }
    String mark = unicode ? "\u2026" : "...";
    if (columns <= mark.length()) {
      return mark.substring(0, Math.max(0, columns));
    }
    StringBuilder cut = new StringBuilder();
    int left = columns - mark.length();
    for (int at = 0; at < text.length(); ) {
      int point = text.codePointAt(at);
      left -= width(point);
      if (left < 0) {
        break;
      }
      cut.appendCodePoint(point);
      at += Character.charCount(point);
    }
    return cut.append(mark).toString();
  }

  private static int width(int point) {
    if (point < 0x300) {
      return 1;
    }
    int type = Character.getType(point);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
      return 0;
    }
    boolean wide =
        (point >= 0x1100 && point <= 0x115F)
            || (point >= 0x2E80 && point <= 0xA4CF)
            || (point >= 0xAC00 && point <= 0xD7A3)
            || (point >= 0xF900 && point <= 0xFAFF)
            || (point >= 0xFE30 && point <= 0xFE6F)
            || (point >= 0xFF00 && point <= 0xFF60)
            || (point >= 0x1F300 && point <= 0x1FAFF)
            || (point >= 0x20000 && point <= 0x3FFFD);
    return wide ? 2 : 1;
  }
}
