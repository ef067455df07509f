package dev.millrace.sketch.scene;

import dev.millrace.sketch.canvas.Canvas;
import dev.millrace.sketch.canvas.Dice;
import dev.millrace.sketch.canvas.Layer;
import dev.millrace.sketch.canvas.Palette;
import dev.millrace.sketch.canvas.Tint;
import dev.millrace.sketch.subject.Brief;
import java.awt.geom.QuadCurve2D;

/** Small flowers on stems. */
public final class Bloom {

  private Bloom() {}

  public static void scatter(Canvas canvas, Brief brief, Layer nearest, Dice dice) {
    Palette palette = brief.palette();
    int[] colors = {
      palette.accent(),
      palette.glow(),
      palette.light(),
      Tint.mix(palette.accent(), palette.light(), 0.45)
    };
    int stem = Tint.mix(palette.near(), palette.ink(), 0.4);
    int count = (int) (canvas.width() / 17);
    for (int i = 0; i < count; i++) {
      double x = canvas.width() * dice.unit();
      double foot = nearest.crest().at(x) + canvas.height() * dice.between(0.05, 0.17);
      double tall = canvas.height() * dice.between(0.025, 0.06);
      double top = foot - tall;
      double lean = dice.between(-12, 12);
      canvas.line(new QuadCurve2D.Double(x, foot, x, top + tall * 0.4, x + lean, top), 2, stem, 1);
      flower(
          canvas,
          x + lean,
          top,
          dice.between(6, 13),
          colors[dice.below(colors.length)],
          palette,
          dice);
    }
  }

  private static void flower(
      Canvas canvas, double x, double y, double size, int color, Palette palette, Dice dice) {
    int petals = 5 + dice.below(3);
    double turn = dice.unit();
    for (int i = 0; i < petals; i++) {
      double angle = 2 * Math.PI * (i + turn) / petals;
      canvas.fill(Flora.leaf(x, y, size, size * 0.85, angle), color);
    }
    int heart = Tint.distance(color, palette.glow()) > 0.12 ? palette.glow() : palette.accent();
    canvas.dot(x, y, size * 0.27, heart, 1);
  }
}
