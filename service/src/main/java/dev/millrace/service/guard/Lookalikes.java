package dev.millrace.service.guard;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.Character.UnicodeScript;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * Letters of other alphabets that look like Latin ones.
 *
 * <p>Some are the same to the eye and some only resemble each other. The first kind can spell a
 * whole word that passes for a Latin one; the second only helps inside a word that is mixed anyway.
 */
final class Lookalikes {

  private static final int CHEROKEE_SMALL = 0xAB70;
  private static final int CHEROKEE_SMALL_END = 0xABBF;
  private static final int CHEROKEE = 0x13A0;

  /** Where a whole Latin alphabet of pictures begins: circled, squared, and that of flags. */
  private static final int[] PICTURES = {0x1F150, 0x1F170, 0x1F1E6};

  static final Lookalikes TABLE = read("/guard/lookalikes.txt");

  private final Map<Integer, Integer> same = new HashMap<>();
  private final Map<Integer, Integer> alike = new HashMap<>();
  private final Map<UnicodeScript, Map<Integer, Integer>> back = new EnumMap<>(UnicodeScript.class);

  private Lookalikes() {}

  int size() {
    return same.size() + alike.size();
  }

  /** The Latin letter that can't be told from this one, or the letter itself. */
  int same(int point) {
    return same.getOrDefault(capital(point), point);
  }

  /** The Latin letter that this one resembles at all, or the letter itself. */
  int alike(int point) {
    int found = same(point);
    return found == point ? alike.getOrDefault(capital(point), point) : found;
  }

  /** The letter of a script that looks the same as a Latin one, or the Latin one itself. */
  int back(UnicodeScript script, int latin) {
    Map<Integer, Integer> letters = back.getOrDefault(script, Map.of());
    int capital = letters.getOrDefault(Character.toUpperCase(latin), latin);
    return letters.getOrDefault(latin, capital);
  }

  private static int capital(int point) {
    boolean smallCherokee = point >= CHEROKEE_SMALL && point <= CHEROKEE_SMALL_END;
    return smallCherokee ? point - CHEROKEE_SMALL + CHEROKEE : point;
  }

  private static Lookalikes read(String resource) {
    Lookalikes table = new Lookalikes();
    try (InputStream in = Lookalikes.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(resource + " is not packed");
      }
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .forEach(table::addLine);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    for (int start : PICTURES) {
      for (int i = 0; i < 26; i++) {
        table.same.put(start + i, 'A' + i);
      }
    }
    return table;
  }

  /** A line is {@code = a 0430 0251}: the kind, the Latin letter, and the others in hexadecimal. */
  private void addLine(String line) {
    String[] parts = line.split(" ", -1);
    boolean isSame = parts[0].equals("=");
    int latin = parts[1].charAt(0);
    for (int i = 2; i < parts.length; i++) {
      int other = Integer.parseInt(parts[i], 16);
      if (same.containsKey(other) || alike.containsKey(other)) {
        throw new IllegalStateException("the lookalike " + parts[i] + " is listed twice");
      }
      (isSame ? same : alike).put(other, latin);
      if (isSame) {
        back.computeIfAbsent(UnicodeScript.of(other), _ -> new HashMap<>())
            .putIfAbsent(latin, other);
      }
    }
  }
}
