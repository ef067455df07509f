package dev.millrace.service.guard;

import java.util.Arrays;

/**
 * The words of a reading with one space between them, ready to be compared with listed words.
 *
 * <p>A reading can be cut into words in more than one way: a {@code $} is a sign or an s, and a dot
 * ends a sentence or hides a word. Each way is a spelling of its own.
 */
final class Spelling {

  private static final int MOST_REPEATS = 3;
  private static final int MOST_SIGNS = 3;
  private static final int FEWEST_SPELLED_OUT = 3;

  private final int[] points;
  private final boolean[] spelledOut;
  private final boolean[] hasLetter;
  private final boolean signs;

  private Spelling(Builder built, boolean signs) {
    this.points = Arrays.copyOf(built.points, built.size);
    this.spelledOut = Arrays.copyOf(built.spelledOut, built.size);
    this.hasLetter = wordsWithLetters(points);
    this.signs = signs;
  }

  /** Letters and digits are words, and all the rest is between them. */
  static Spelling plain(String reading) {
    int[] text = reading.codePoints().toArray();
    Builder built = new Builder(text.length);
    for (int point : text) {
      built.add(Normaliser.isWord(point) ? point : ' ', false);
    }
    return new Spelling(built, false);
  }

  /** Digits and signs may stand for letters. */
  static Spelling withSigns(String reading) {
    int[] text = reading.codePoints().toArray();
    boolean[] word = wordsAndSigns(text);
    Builder built = new Builder(text.length);
    for (int i = 0; i < text.length; i++) {
      built.add(word[i] ? text[i] : ' ', false);
    }
    return new Spelling(built, true);
  }

  /** The same, and a few signs inside a word don't end it: {@code ki.ll}. */
  static Spelling squeezed(String reading) {
    int[] text = reading.codePoints().toArray();
    boolean[] word = wordsAndSigns(text);
    Builder built = new Builder(text.length);
    for (int i = 0; i < text.length; ) {
      if (word[i]) {
        built.add(text[i], false);
        i++;
        continue;
      }
      int end = i;
      boolean space = false;
      while (end < text.length && !word[end]) {
        space |= text[end] == ' ';
        end++;
      }
      boolean inside = i > 0 && end < text.length && end - i <= MOST_SIGNS && !space;
      if (!inside) {
        built.add(' ', false);
      }
      i = end;
    }
    return new Spelling(built, true);
  }

  /** Letters that stand alone are put together: {@code b.a.d w o r d}. */
  static Spelling joined(String reading) {
    int[] text = reading.codePoints().toArray();
    Builder built = new Builder(text.length);
    int i = 0;
    while (i < text.length) {
      int end = isAlone(text, i) ? endOfRun(text, i) : i;
      if (end > i) {
        join(text, i, end, built);
        i = end;
      } else {
        built.add(Normaliser.isWord(text[i]) ? text[i] : ' ', false);
        i++;
      }
    }
    return new Spelling(built, true);
  }

  int size() {
    return points.length;
  }

  int at(int index) {
    return points[index];
  }

  /** Whether a digit or sign here may be read as a letter: a word without any is a number. */
  boolean readsSigns(int index) {
    return signs && hasLetter[index];
  }

  boolean isSpelledOut(int index) {
    return spelledOut[index];
  }

  /** Whether a word may begin at this index, or end before it. */
  boolean isEdge(int index) {
    return index == 0
        || index == points.length
        || points[index - 1] == ' '
        || points[index] == ' '
        || Normaliser.isUnspaced(points[index - 1])
        || Normaliser.isUnspaced(points[index]);
  }

  /** Whether the character before is the same, and both belong to a run that was drawn out. */
  boolean isDrawnOut(int index) {
    return index > 0
        && points[index] == points[index - 1]
        && ((index > 1 && points[index] == points[index - 2])
            || (index + 1 < points.length && points[index] == points[index + 1]));
  }

  @Override
  public String toString() {
    return new String(points, 0, points.length);
  }

  private static boolean[] wordsAndSigns(int[] text) {
    boolean[] word = new boolean[text.length];
    for (int i = 0; i < text.length; i++) {
      word[i] = Normaliser.isWord(text[i]) || (Signs.atEdge(text[i]) && touchesWord(text, i));
    }
    for (int i = 0; i < text.length; ) {
      int end = i;
      while (end < text.length && !word[end] && Signs.inside(text[end])) {
        end++;
      }
      boolean between = i > 0 && word[i - 1] && end < text.length && word[end];
      if (end > i && between && end - i <= MOST_SIGNS) {
        Arrays.fill(word, i, end, true);
      }
      i = Math.max(end, i + 1);
    }
    return word;
  }

  private static boolean touchesWord(int[] text, int index) {
    return (index > 0 && isWordOrSign(text[index - 1]))
        || (index + 1 < text.length && isWordOrSign(text[index + 1]));
  }

  private static boolean isWordOrSign(int point) {
    return Normaliser.isWord(point) || Signs.atEdge(point);
  }

  private static boolean isAlone(int[] text, int index) {
    return Normaliser.isWord(text[index])
        && !Normaliser.isUnspaced(text[index])
        && (index == 0 || !Normaliser.isWord(text[index - 1]))
        && (index + 1 == text.length || !Normaliser.isWord(text[index + 1]));
  }

  /** The end of a run of single letters that begins here, or its begin if it is too short. */
  private static int endOfRun(int[] text, int from) {
    int letters = 0;
    int end = from;
    int next = from;
    while (next < text.length && isAlone(text, next)) {
      letters++;
      end = next + 1;
      next = nextWord(text, end);
    }
    return letters >= FEWEST_SPELLED_OUT ? end : from;
  }

  /** What separates the first two letters separates the word's others too; else it ends. */
  private static void join(int[] text, int from, int end, Builder built) {
    String gap = "";
    int i = from;
    while (i < end) {
      built.add(text[i], true);
      int next = Math.min(end, nextWord(text, i + 1));
      String found = new String(text, i + 1, next - i - 1);
      if (gap.isEmpty()) {
        gap = found;
      } else if (next < end && !found.equals(gap)) {
        built.add(' ', false);
        gap = "";
      }
      i = next;
    }
  }

  private static int nextWord(int[] text, int from) {
    int next = from;
    while (next < text.length && !Normaliser.isWord(text[next])) {
      next++;
    }
    return next;
  }

  private static boolean[] wordsWithLetters(int[] points) {
    boolean[] has = new boolean[points.length];
    for (int from = 0; from < points.length; ) {
      int to = from;
      boolean letter = false;
      while (to < points.length && points[to] != ' ') {
        letter |= Character.isLetter(points[to]);
        to++;
      }
      Arrays.fill(has, from, to, letter);
      from = to + 1;
    }
    return has;
  }

  /** Collects, with one space for many and at most three of the same letter. */
  private static final class Builder {
    private final int[] points;
    private final boolean[] spelledOut;
    private int size;

    Builder(int most) {
      points = new int[2 * most];
      spelledOut = new boolean[2 * most];
    }

    void add(int point, boolean alone) {
      if (!Character.isDigit(point) && endsWith(point, point == ' ' ? 1 : MOST_REPEATS)) {
        return;
      }
      points[size] = point;
      spelledOut[size] = alone;
      size++;
    }

    private boolean endsWith(int point, int times) {
      for (int i = 1; i <= times; i++) {
        if (size < i || points[size - i] != point) {
          return false;
        }
      }
      return true;
    }
  }
}
