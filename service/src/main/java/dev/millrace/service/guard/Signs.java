package dev.millrace.service.guard;

/** Which letters a digit or a sign can stand for. */
final class Signs {

  /** In place of one letter, whichever it is. */
  static final int ANY = '*';

  private Signs() {}

  /** The letters, or nothing if the character only means itself. */
  static String letters(int point) {
    return switch (point) {
      case '0' -> "o";
      case '1', '!', '|' -> "il";
      case '2' -> "z";
      case '3' -> "e";
      case '4', '@' -> "a";
      case '5', '$' -> "s";
      case '6' -> "gb";
      case '7', '+' -> "t";
      case '8' -> "b";
      case '9' -> "g";
      default -> "";
    };
  }

  /** Signs that count as letters also where a word begins or ends. */
  static boolean atEdge(int point) {
    return point == '@' || point == '$';
  }

  /** Signs that count as letters only inside a word; elsewhere they are punctuation. */
  static boolean inside(int point) {
    return point == '!' || point == '|' || point == '+' || point == ANY;
  }

  /**
   * A reading with letters for the digits and signs of those words that have letters too.
   *
   * @param choice which letter where there are two
   */
  static String replaced(String reading, int choice) {
    Spelling spelling = Spelling.withSigns(reading);
    StringBuilder replaced = new StringBuilder(spelling.size());
    for (int i = 0; i < spelling.size(); i++) {
      String letters = spelling.readsSigns(i) ? letters(spelling.at(i)) : "";
      if (letters.isEmpty()) {
        replaced.appendCodePoint(spelling.at(i));
      } else {
        replaced.append(letters.charAt(Math.min(choice, letters.length() - 1)));
      }
    }
    return replaced.toString();
  }
}
