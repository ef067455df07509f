package dev.millrace.contract.text;

/**
 * Leaves out what can't be seen or deceives the eye, and keeps what scripts and emoji need: joiners
 * between their characters, variation selectors, the tags of flags.
 */
final class VisibleCharacters {

  private static final int JOINER = 0x200d;
  private static final int NON_JOINER = 0x200c;
  private static final int BLACK_FLAG = 0x1f3f4;
  private static final int KEYCAP = 0x20e3;
  private static final int LAST_ASCII = 0x7f;
  private static final int MOST_MARKS = 6;

  private final String text;
  private final StringBuilder seen;
  private int at;
  private int before = ' ';
  private int marks;
  private boolean inFlag;

  private VisibleCharacters(String text) {
    this.text = text;
    this.seen = new StringBuilder(text.length());
  }

  /** Line breaks stay, as {@code \n}; other controls become spaces. */
  static String of(String text) {
    VisibleCharacters reader = new VisibleCharacters(text);
    while (reader.at < text.length()) {
      reader.take();
    }
    return reader.seen.toString();
  }

  /** Line breaks become spaces, several of them one. */
  static String oneLine(String cleaned) {
    StringBuilder line = new StringBuilder(cleaned.length());
    boolean broken = false;
    for (int i = 0; i < cleaned.length(); i++) {
      char c = cleaned.charAt(i);
      if (c == '\n' || (broken && c == ' ')) {
        broken = true;
      } else {
        if (broken && !endsWithSpace(line)) {
          line.append(' ');
        }
        broken = false;
        line.append(c);
      }
    }
    return line.toString().strip();
  }

  private static boolean endsWithSpace(CharSequence text) {
    return text.isEmpty() || text.charAt(text.length() - 1) == ' ';
  }

  private void take() {
    int c = text.codePointAt(at);
    at += Character.charCount(c);
    if (c == 0x1b) {
      skipEscape();
    } else if (c == '\r' || c == '\n' || c == 0x85 || c == 0x2028 || c == 0x2029) {
      if (c == '\r' && at < text.length() && text.charAt(at) == '\n') {
        at++;
      }
      add('\n');
    } else if (Character.isISOControl(c)) {
      if (!endsWithSpace(seen)) {
        add(' ');
      }
    } else if (isShown(c)) {
      add(c);
    }
  }

  private void add(int c) {
    boolean mark =
        Character.getType(c) == Character.NON_SPACING_MARK
            || Character.getType(c) == Character.ENCLOSING_MARK;
    marks = mark ? marks + 1 : 0;
    if (marks > MOST_MARKS) {
      return;
    }
    inFlag = c == BLACK_FLAG || (inFlag && isTag(c));
    before = c;
    seen.appendCodePoint(c);
  }

  /** Terminals are told colours and more by these. */
  private void skipEscape() {
    if (at < text.length() && text.charAt(at) == '[') {
      at++;
      while (at < text.length() && text.charAt(at) < '@' && text.charAt(at) >= ' ') {
        at++;
      }
      at = Math.min(text.length(), at + 1);
    }
  }

  private boolean isShown(int c) {
    if (c == JOINER || c == NON_JOINER) {
      return before > LAST_ASCII && next() > LAST_ASCII && isVisible(next());
    }
    if (c >= 0xfe00 && c <= 0xfe0f) {
      return before > LAST_ASCII || next() == KEYCAP;
    }
    if (isTag(c)) {
      return inFlag;
    }
    return isVisible(c) || (c >= 0xe0100 && c <= 0xe01ef && before > LAST_ASCII);
  }

  private int next() {
    return at < text.length() ? text.codePointAt(at) : ' ';
  }

  private static boolean isTag(int c) {
    return c >= 0xe0020 && c <= 0xe007f;
  }

  /** Format characters have no shape of their own, and these others have none either. */
  private static boolean isVisible(int c) {
    return switch (Character.getType(c)) {
      case Character.FORMAT, Character.SURROGATE, Character.UNASSIGNED, Character.CONTROL -> false;
      default ->
          switch (c) {
            case 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x3164, 0xffa0 -> false;
            default -> !(c >= 0x180b && c <= 0x180f) && !(c >= 0xe0100 && c <= 0xe01ef);
          };
    };
  }
}
