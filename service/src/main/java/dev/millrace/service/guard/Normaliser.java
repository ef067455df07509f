package dev.millrace.service.guard;

import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Reads a text as a person would see it: without what is invisible, without accents, without case,
 * and with letters of other alphabets taken for the Latin ones that they imitate.
 *
 * <p>Imitation is a matter of company. A word of mixed alphabets is one; a word that is wholly
 * Cyrillic may be Russian. It counts as an imitation if every letter of it could be Latin, and if
 * it is long enough that this is no accident, or stands in a text that isn't otherwise Russian.
 */
final class Normaliser {

  private static final Lookalikes TABLE = Lookalikes.TABLE;

  /** Shorter words may look Latin by accident: a Russian "nose" is a Latin "hoc". */
  private static final int TOO_LONG_FOR_AN_ACCIDENT = 5;

  /** Alphabets whose marks are mere accents, or may be left out by their own readers. */
  private static final Set<UnicodeScript> WITHOUT_MARKS =
      EnumSet.of(
          UnicodeScript.COMMON,
          UnicodeScript.INHERITED,
          UnicodeScript.LATIN,
          UnicodeScript.GREEK,
          UnicodeScript.CYRILLIC,
          UnicodeScript.ARABIC,
          UnicodeScript.HEBREW,
          UnicodeScript.SYRIAC);

  private static final Set<UnicodeScript> IMITABLE =
      EnumSet.of(UnicodeScript.CYRILLIC, UnicodeScript.GREEK, UnicodeScript.ARMENIAN);

  private Normaliser() {}

  /** The text as it is meant, whatever alphabet that is. */
  static String plain(String text) {
    return fold(visible(text));
  }

  /** Every way to read the text, the plain one first. */
  static Set<String> readings(String text) {
    String visible = visible(text);
    Set<String> readings = new LinkedHashSet<>();
    readings.add(fold(visible));
    readings.add(fold(asLatin(visible)));
    for (UnicodeScript script : IMITABLE) {
      readings.add(fold(mixedAs(script, visible)));
    }
    return readings;
  }

  /** Whether a character is part of a word; a mark that is left by now belongs to its letter. */
  static boolean isWord(int point) {
    return Character.isLetterOrDigit(point) || isMark(point);
  }

  /** Letters of scripts that put no space between words. */
  static boolean isUnspaced(int point) {
    return switch (UnicodeScript.of(point)) {
      case HAN, HIRAGANA, KATAKANA, THAI, LAO, KHMER, MYANMAR -> true;
      default -> false;
    };
  }

  private static String visible(String text) {
    StringBuilder kept = new StringBuilder(text.length());
    int letter = ' ';
    for (int point : Normalizer.normalize(text, Normalizer.Form.NFKD).codePoints().toArray()) {
      if (Character.isWhitespace(point) || point == 0x2800) {
        kept.append(' ');
        letter = ' ';
      } else if (isMark(point)) {
        if (belongs(point, letter)) {
          kept.appendCodePoint(point);
        }
      } else if (!isInvisible(point)) {
        kept.appendCodePoint(point);
        letter = point;
      }
    }
    return Normalizer.normalize(kept, Normalizer.Form.NFC);
  }

  private static boolean isInvisible(int point) {
    return switch (Character.getType(point)) {
      case Character.FORMAT,
          Character.CONTROL,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          true;
      default -> point == 0x115F || point == 0x1160; // The fillers of Hangul.
    };
  }

  private static boolean isMark(int point) {
    return switch (Character.getType(point)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.COMBINING_SPACING_MARK ->
          true;
      default -> false;
    };
  }

  /** In Hindi or Thai a mark is a vowel, and in kana it makes another letter: there it counts. */
  private static boolean belongs(int mark, int letter) {
    UnicodeScript script = UnicodeScript.of(letter);
    if (mark == 0x3099 || mark == 0x309A) {
      return script == UnicodeScript.HIRAGANA || script == UnicodeScript.KATAKANA;
    }
    return UnicodeScript.of(mark) == script && !WITHOUT_MARKS.contains(script);
  }

  private static String fold(String text) {
    return text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT).replace('ς', 'σ');
  }

  private static String asLatin(String text) {
    int[] points = text.codePoints().toArray();
    Set<UnicodeScript> genuine = EnumSet.noneOf(UnicodeScript.class);
    for (int from = 0; from < points.length; from = wordEnd(points, from)) {
      Word word = Word.of(points, from, wordEnd(points, from));
      if (!word.hasLatin()) {
        genuine.addAll(word.unlikeLatin());
      }
    }
    StringBuilder latin = new StringBuilder(text.length());
    for (int from = 0; from < points.length; ) {
      int to = wordEnd(points, from);
      Word word = Word.of(points, from, to);
      boolean imitates = word.imitatesLatin(genuine);
      for (int i = from; i < to; i++) {
        int point = points[i];
        latin.appendCodePoint(
            word.hasLatin() ? TABLE.alike(point) : imitates ? TABLE.same(point) : point);
      }
      from = to;
    }
    return latin.toString();
  }

  /** Words of two alphabets, with their Latin letters taken for those of the other one. */
  private static String mixedAs(UnicodeScript script, String text) {
    int[] points = text.codePoints().toArray();
    StringBuilder mixed = new StringBuilder(text.length());
    for (int from = 0; from < points.length; ) {
      int to = wordEnd(points, from);
      boolean other = false;
      for (int i = from; i < to; i++) {
        other |= UnicodeScript.of(points[i]) == script;
      }
      for (int i = from; i < to; i++) {
        mixed.appendCodePoint(other ? TABLE.back(script, points[i]) : points[i]);
      }
      from = to;
    }
    return mixed.toString();
  }

  /** The end of the word that begins here, or of the one character that isn't of a word. */
  private static int wordEnd(int[] points, int from) {
    int to = from;
    while (to < points.length && isPartOfSpacedWord(points[to])) {
      to++;
    }
    return Math.max(to, from + 1);
  }

  private static boolean isPartOfSpacedWord(int point) {
    return (isWord(point) || TABLE.same(point) != point) && !isUnspaced(point);
  }

  /**
   * What a word is made of.
   *
   * @param letters how many it has, digits left out
   * @param scripts of its letters other than the Latin ones
   * @param unlikeLatin the scripts of letters that couldn't be Latin
   */
  private record Word(
      boolean hasLatin, int letters, Set<UnicodeScript> scripts, Set<UnicodeScript> unlikeLatin) {

    static Word of(int[] points, int from, int to) {
      boolean hasLatin = false;
      int letters = 0;
      Set<UnicodeScript> scripts = EnumSet.noneOf(UnicodeScript.class);
      Set<UnicodeScript> unlike = EnumSet.noneOf(UnicodeScript.class);
      for (int i = from; i < to; i++) {
        UnicodeScript script = UnicodeScript.of(points[i]);
        if (Character.isDigit(points[i])) {
          continue;
        }
        letters++;
        if (script == UnicodeScript.LATIN) {
          hasLatin = true;
        } else {
          scripts.add(script);
          if (TABLE.same(points[i]) == points[i]) {
            unlike.add(script);
          }
        }
      }
      return new Word(hasLatin, letters, scripts, unlike);
    }

    boolean imitatesLatin(Set<UnicodeScript> genuine) {
      return unlikeLatin.isEmpty()
          && (letters >= TOO_LONG_FOR_AN_ACCIDENT || genuine.stream().noneMatch(scripts::contains));
    }
  }
}
