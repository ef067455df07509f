package dev.millrace.sketch.canvas;

import java.text.Normalizer;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Small capitals made of dots, as on the edge of a film. They are our own because a server often
 * has no fonts; what can't be spelt with them is left out.
 */
public final class Lettering {

  private static final int ROWS = 7;
  private static final int COLUMNS = 5;
  private static final int ROW_RADIX = 32;

  /** A letter and then its seven rows from the top, each a digit in base 32 of five dots. */
  private static final String LETTERS =
      """
      AEHHVHHH BUHHUHHU CEHGGGHE DUHHHHHU EVGGUGGV FVGGUGGG GEHGNHHF HHHHVHHH IE44444E
      J72222IC KHIKOKIH LGGGGGGV MHRLLHHH NHHPLJHH OEHHHHHE PUHHUGGG QEHHHLID RUHHUKIH
      SFGGE11U TV444444 UHHHHHHE VHHHHHA4 WHHHLLLA XHHA4AHH YHHHA444 ZV1248GV 0EHJLPHE
      14C4444E 2EH1248V 3V2421HE 426AIV22 5VGU11HE 668GUHHE 7V124888 8EHHEHHE 9EHHF12C
      -000V000 .00000CC ,0000C48 :0CC0CC0 !4444404 /11248GG +044V440\
      """;

  private static final Map<Character, String> SHAPES = shapes();

  private Lettering() {}

  /** The text as it can be spelt, cut to what fits. */
  public static String spelt(String text, double height, double room) {
    String plain = Normalizer.normalize(text, Normalizer.Form.NFD).toUpperCase(Locale.ROOT);
    int most = (int) (room / width(1, height));
    StringBuilder spelt = new StringBuilder();
    for (int i = 0; i < plain.length() && spelt.length() < most; i++) {
      char letter = plain.charAt(i);
      boolean gap = spelt.isEmpty() || spelt.charAt(spelt.length() - 1) == ' ';
      if (SHAPES.containsKey(letter) || (letter == ' ' && !gap)) {
        spelt.append(letter);
      }
    }
    return spelt.toString().strip();
  }

  public static double width(int letters, double height) {
    return letters * (COLUMNS + 1) * height / ROWS;
  }

  /** Writes a text from the given upper left corner. */
  public static void write(
      Canvas canvas, String text, double x, double y, double height, int color) {
    double pitch = height / ROWS;
    for (int i = 0; i < text.length(); i++) {
      String shape = SHAPES.getOrDefault(text.charAt(i), "");
      for (int row = 0; row < shape.length(); row++) {
        int dots = Character.digit(shape.charAt(row), ROW_RADIX);
        for (int column = 0; column < COLUMNS; column++) {
          if ((dots >> (COLUMNS - 1 - column) & 1) == 1) {
            double dotX = x + width(i, height) + (column + 0.5) * pitch;
            canvas.dot(dotX, y + (row + 0.5) * pitch, pitch * 0.5, color, 1);
          }
        }
      }
    }
  }

  private static Map<Character, String> shapes() {
    Map<Character, String> shapes = new HashMap<>();
    for (String letter : LETTERS.split("\\s+", -1)) {
      shapes.put(letter.charAt(0), letter.substring(1));
    }
    return Map.copyOf(shapes);
  }
}
