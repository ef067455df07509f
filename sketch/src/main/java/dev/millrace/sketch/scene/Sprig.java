package dev.millrace.sketch.scene;

import dev.millrace.sketch.canvas.Canvas;
import dev.millrace.sketch.canvas.Dice;
import dev.millrace.sketch.canvas.InkPen;
import dev.millrace.sketch.canvas.Palette;
import dev.millrace.sketch.canvas.Tint;
import java.awt.geom.Path2D;
import java.awt.geom.QuadCurve2D;

/** Plants in ink: each grows from a point in a direction given in radians. */
public final class Sprig {

  private final InkPen pen;
  private final Dice dice;
  private final int green;
  private final int[] petals;
  private final int heart;

  public Sprig(InkPen pen, Dice dice, Palette palette) {
    this.pen = pen;
    this.dice = dice;
    int leaf = Tint.mix(palette.mid(), 0x5E8A5A, 0.5);
    this.green = Tint.lightness(leaf) > 0.72 ? Tint.lift(leaf, -0.14) : leaf;
    this.petals =
        new int[] {
          palette.accent(),
          Tint.mix(palette.accent(), palette.light(), 0.5),
          Tint.mix(palette.skyHigh(), palette.accent(), 0.15),
          Tint.mix(palette.light(), palette.glow(), 0.35)
        };
    this.heart = Tint.mix(palette.glow(), 0xE9A820, 0.6);
  }

  public int petal() {
    return petals[dice.below(petals.length)];
  }

  private int leafColor() {
    return Tint.lift(green, dice.between(-0.07, 0.07));
  }

  /** A bent stem with leaves in pairs; the tip carries what is asked for. */
  public void branch(double x, double y, double length, double angle, double bend, int kind) {
    int joints = 7;
    double heading = angle;
    double px = x;
    double py = y;
    Path2D.Double stem = new Path2D.Double();
    stem.moveTo(x, y);
    double[][] points = new double[joints][];
    for (int i = 0; i < joints; i++) {
      heading += bend / joints;
      px += Math.cos(heading) * length / joints;
      py += Math.sin(heading) * length / joints;
      stem.lineTo(px, py);
      points[i] = new double[] {px, py, heading};
    }
    pen.stem(stem, Math.max(1.6, length * 0.011), Tint.lift(green, -0.08));
    for (int i = 0; i < joints - 1; i++) {
      double size = length * dice.between(0.17, 0.24) * (1 - 0.5 * i / joints);
      leaves(points[i], size, kind);
    }
    tip(points[joints - 1], length, kind);
  }

  private void leaves(double[] at, double size, int kind) {
    for (int side = -1; side <= 1; side += 2) {
      double angle = at[2] + side * dice.between(0.6, 1);
      switch (kind % 4) {
        case 0 -> leaf(at[0], at[1], size, size * 0.42, angle);
        case 1 -> {
          double cx = at[0] + Math.cos(angle) * size * 0.42;
          double cy = at[1] + Math.sin(angle) * size * 0.42;
          pen.draw(Canvas.disc(cx, cy, size * 0.27), leafColor(), 1.2);
        }
        case 2 -> leaf(at[0], at[1], size * 1.15, size * 0.22, angle);
        default -> berry(at[0], at[1], size * 0.8, angle);
      }
    }
  }

  private void tip(double[] at, double length, int kind) {
    double size = Math.clamp(length * 0.2, 22, 70);
    switch (kind) {
      case 4, 8 -> daisy(at[0], at[1], size, petal());
      case 5 -> poppy(at[0], at[1], size, petal(), at[2]);
      case 6 -> lavender(at[0], at[1], length * 0.45, at[2], petal());
      case 7 -> tulip(at[0], at[1], size * 1.2, at[2], petal());
      default -> leaf(at[0], at[1], length * 0.15, length * 0.055, at[2]);
    }
  }

  void leaf(double x, double y, double length, double width, double angle) {
    pen.draw(Flora.leaf(x, y, length, width, angle), leafColor(), 1.3);
    pen.line(
        new QuadCurve2D.Double(
            x,
            y,
            x + Math.cos(angle) * length * 0.5,
            y + Math.sin(angle) * length * 0.5,
            x + Math.cos(angle) * length * 0.82,
            y + Math.sin(angle) * length * 0.82),
        0.9);
  }

  private void berry(double x, double y, double size, double angle) {
    double cx = x + Math.cos(angle) * size;
    double cy = y + Math.sin(angle) * size;
    pen.line(new QuadCurve2D.Double(x, y, (x + cx) / 2, (y + cy) / 2 - 3, cx, cy), 1.5);
    pen.draw(Canvas.disc(cx, cy, size * 0.2), petals[0], 1.2);
  }

  public void daisy(double x, double y, double size, int color) {
    int count = 9 + dice.below(5);
    double turn = dice.unit();
    for (int i = 0; i < count; i++) {
      double angle = 2 * Math.PI * (i + turn) / count;
      pen.draw(Flora.leaf(x, y, size * dice.between(0.9, 1.06), size * 0.46, angle), color, 1.2);
    }
    pen.draw(Canvas.disc(x, y, size * 0.27), heart, 1.3);
    for (int i = 0; i < 14; i++) {
      pen.dot(x + dice.bell() * size * 0.1, y + dice.bell() * size * 0.1, 1);
    }
  }

  /** Broad overlapping petals around a dark heart. */
  public void poppy(double x, double y, double size, int color, double heading) {
    for (int ring = 0; ring < 2; ring++) {
      int count = 5;
      double reach = size * (ring == 0 ? 1.15 : 0.8);
      for (int i = 0; i < count; i++) {
        double angle = heading + 2 * Math.PI * (i + ring * 0.5) / count;
        pen.draw(round(x, y, reach, angle), Tint.lift(color, ring == 0 ? -0.02 : 0.035), 1.3);
      }
    }
    pen.draw(Canvas.disc(x, y, size * 0.2), heart, 1.3);
    for (int i = 0; i < 12; i++) {
      double angle = 2 * Math.PI * i / 12;
      pen.dot(x + Math.cos(angle) * size * 0.32, y + Math.sin(angle) * size * 0.32, size * 0.03);
    }
  }

  private static Path2D round(double x, double y, double reach, double angle) {
    Path2D.Double petal = new Path2D.Double();
    petal.moveTo(0, 0);
    petal.curveTo(reach * 0.2, -reach * 0.75, reach * 0.85, -reach * 0.7, reach, -reach * 0.18);
    petal.curveTo(reach * 0.93, -reach * 0.05, reach * 0.93, reach * 0.05, reach, reach * 0.18);
    petal.curveTo(reach * 0.85, reach * 0.7, reach * 0.2, reach * 0.75, 0, 0);
    petal.closePath();
    petal.transform(
        new java.awt.geom.AffineTransform(
            Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), x, y));
    return petal;
  }

  private void lavender(double x, double y, double length, double heading, int color) {
    for (int i = 0; i < 9; i++) {
      double t = i / 9.0;
      double px = x + Math.cos(heading) * length * t;
      double py = y + Math.sin(heading) * length * t;
      double size = length * 0.13 * (1.1 - 0.7 * t);
      for (int side = -1; side <= 1; side++) {
        pen.draw(
            Flora.leaf(px, py, size * 1.4, size, heading + side * 0.8),
            Tint.lift(color, dice.between(-0.04, 0.04)),
            1);
      }
    }
  }

  private void tulip(double x, double y, double size, double heading, int color) {
    for (int side = -1; side <= 1; side += 2) {
      pen.draw(
          Flora.leaf(x, y, size * 1.25, size * 0.8, heading + side * 0.32),
          Tint.lift(color, -0.04),
          1.3);
    }
    pen.draw(Flora.leaf(x, y, size * 1.2, size * 0.8, heading), color, 1.3);
  }
}
