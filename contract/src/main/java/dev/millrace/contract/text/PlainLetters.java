package dev.millrace.contract.text;

import java.text.Normalizer;

/**
 * Writes letters and digits that only look different, such as fullwidth ones, in their plain form:
 * a key is a key in any of them. Marks of other scripts stay, because they end a sentence there.
 */
final class PlainLetters {

  private static final int LAST_ASCII = 0x7f;

  /** What keys, names and addresses have beside letters and digits. */
  private static final String FULLWIDTH_MARKS = "－＿＝：／．＠＋";

  private PlainLetters() {}

  static String of(String text) {
    if (text.chars().allMatch(c -> c <= LAST_ASCII)) {
      return text;
    }
    StringBuilder plain = new StringBuilder(text.length());
    text.codePoints().forEach(c -> add(plain, c));
    return plain.toString();
  }

  private static void add(StringBuilder plain, int c) {
    if (c <= LAST_ASCII) {
      plain.append((char) c);
      return;
    }
    String normal = Normalizer.normalize(Character.toString(c), Normalizer.Form.NFKC);
    boolean word = normal.chars().allMatch(n -> n <= LAST_ASCII && Character.isLetterOrDigit(n));
    if (word || FULLWIDTH_MARKS.indexOf(c) >= 0) {
      plain.append(normal);
    } else {
      plain.appendCodePoint(c);
    }
  }
}
