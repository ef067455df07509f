package dev.millrace.mutants.sql;

import java.util.Locale;

/**
 * A piece of a statement.
 *
 * @param text words in lower case, anything else as it is written
 * @param depth in how many parentheses and {@code case} expressions it lies; those that open and
 *     close one lie outside of it
 */
record Token(Kind kind, String text, int start, int end, int depth) {

  enum Kind {
    WORD,
    LITERAL,
    PARAMETER,
    SYMBOL
  }

  boolean is(String... texts) {
    if (kind == Kind.LITERAL) {
      return false;
    }
    for (String one : texts) {
      if (text.equals(one)) {
        return true;
      }
    }
    return false;
  }

  static Token of(Kind kind, String text, int start, int depth) {
    String shown = kind == Kind.WORD ? text.toLowerCase(Locale.ROOT) : text;
    return new Token(kind, shown, start, start + text.length(), depth);
  }
}
