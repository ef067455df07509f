package dev.millrace.sketch.scene;

import dev.millrace.sketch.canvas.Canvas;
import dev.millrace.sketch.canvas.Dice;
import java.awt.Shape;
import java.awt.geom.Arc2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;

/** The small compositions of which a geometric sheet is made. */
public final class Tile {

  private static final int KINDS = 9;

  private Tile() {}

  public static void draw(
      Canvas canvas, Rectangle2D box, int ground, int mark, int third, Dice dice) {
    canvas.fill(box, ground);
    double x = box.getX();
    double y = box.getY();
    double w = box.getWidth();
    double h = box.getHeight();
    int turn = dice.below(4);
    switch (dice.below(KINDS)) {
      case 0 -> canvas.fill(quarter(box, turn, 1), mark);
      case 1 -> {
        canvas.fill(quarter(box, turn, 1), mark);
        canvas.fill(quarter(box, turn, 0.66), third);
        canvas.fill(quarter(box, turn, 0.33), ground);
      }
      case 2 -> {
        canvas.fill(quarter(box, turn, 1), mark);
        canvas.fill(quarter(box, (turn + 2) % 4, 0.42), third);
      }
      case 3 -> canvas.fill(Canvas.disc(x + w / 2, y + h / 2, w * 0.34), mark);
      case 4 -> bars(canvas, box, mark, turn % 2 == 0);
      case 5 -> dots(canvas, box, mark);
      case 6 -> {
        canvas.fill(triangle(box, turn), mark);
        canvas.dot(
            x + w * (turn % 3 == 0 ? 0.72 : 0.28),
            y + h * (turn < 2 ? 0.28 : 0.72),
            w * 0.13,
            third,
            1);
      }
      case 7 -> canvas.fill(petal(box, turn % 2 == 0), mark);
      default -> {
        canvas.fill(Canvas.disc(x + w / 2, y + h / 2, w * 0.42), mark);
        canvas.fill(Canvas.disc(x + w / 2, y + h / 2, w * 0.27), ground);
        canvas.fill(Canvas.disc(x + w / 2, y + h / 2, w * 0.12), third);
      }
    }
  }

  /** A large field without a subject: rings cut by a bar and a wedge. */
  public static void target(Canvas canvas, Rectangle2D box, int[] colors, Dice dice) {
    double size = Math.min(box.getWidth(), box.getHeight());
    double x = box.getCenterX();
    double y = box.getCenterY();
    for (int i = 0; i < 4; i++) {
      canvas.fill(
          Canvas.disc(x, y, size * (0.45 - 0.1 * i)), colors[(i + dice.below(2)) % colors.length]);
    }
    int turn = dice.below(4);
    canvas.fill(
        new Arc2D.Double(
            x - size * 0.45, y - size * 0.45, size * 0.9, size * 0.9, turn * 90, 90, Arc2D.PIE),
        colors[1]);
    canvas.fill(
        new Rectangle2D.Double(box.getX(), y - size * 0.03, box.getWidth(), size * 0.06),
        colors[5]);
    canvas.dot(x, y, size * 0.08, colors[0], 1);
  }

  /** The upper half of a disc. */
  public static Shape half(double x, double y, double radius) {
    return new Arc2D.Double(x - radius, y - radius, 2 * radius, 2 * radius, 0, 180, Arc2D.PIE);
  }

  /** Lines on a floor that spread as they come nearer. */
  public static void stripes(Canvas canvas, Rectangle2D box, double top, int color) {
    double gap = 10;
    for (double y = top + 8; y < box.getMaxY() - 6; y += gap) {
      canvas.fill(new Rectangle2D.Double(box.getX(), y, box.getWidth(), gap * 0.22), color, 0.8);
      gap *= 1.32;
    }
  }

  private static Shape quarter(Rectangle2D box, int turn, double part) {
    double w = box.getWidth() * part;
    double h = box.getHeight() * part;
    double x = turn == 0 || turn == 3 ? box.getX() : box.getMaxX();
    double y = turn < 2 ? box.getMaxY() : box.getY();
    double start = new double[] {0, 90, 180, 270}[turn];
    return new Arc2D.Double(x - w, y - h, 2 * w, 2 * h, start, 90, Arc2D.PIE);
  }

  private static Shape triangle(Rectangle2D box, int turn) {
    double[][] corners = {
      {box.getX(), box.getY()},
      {box.getMaxX(), box.getY()},
      {box.getMaxX(), box.getMaxY()},
      {box.getX(), box.getMaxY()}
    };
    Path2D.Double path = new Path2D.Double();
    path.moveTo(corners[turn][0], corners[turn][1]);
    path.lineTo(corners[(turn + 1) % 4][0], corners[(turn + 1) % 4][1]);
    path.lineTo(corners[(turn + 2) % 4][0], corners[(turn + 2) % 4][1]);
    path.closePath();
    return path;
  }

  private static Shape petal(Rectangle2D box, boolean rising) {
    double left = rising ? box.getX() : box.getMaxX();
    double right = rising ? box.getMaxX() : box.getX();
    double bend = 0.45 * (right - left);
    Path2D.Double path = new Path2D.Double();
    path.moveTo(left, box.getMaxY());
    path.curveTo(
        left,
        box.getCenterY() - box.getHeight() * 0.05,
        left + bend,
        box.getY(),
        right,
        box.getY());
    path.curveTo(
        right,
        box.getCenterY() + box.getHeight() * 0.05,
        right - bend,
        box.getMaxY(),
        left,
        box.getMaxY());
    path.closePath();
    return path;
  }

  private static void bars(Canvas canvas, Rectangle2D box, int color, boolean upright) {
    int count = 5;
    for (int i = 0; i < count; i += 2) {
      double w = box.getWidth() / count;
      double h = box.getHeight() / count;
      canvas.fill(
          upright
              ? new Rectangle2D.Double(box.getX() + i * w, box.getY(), w, box.getHeight())
              : new Rectangle2D.Double(box.getX(), box.getY() + i * h, box.getWidth(), h),
          color);
    }
  }

  private static void dots(Canvas canvas, Rectangle2D box, int color) {
    int count = 4;
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < count; j++) {
        double x = box.getX() + (i + 0.5) * box.getWidth() / count;
        double y = box.getY() + (j + 0.5) * box.getHeight() / count;
        canvas.dot(x, y, box.getWidth() * 0.075, color, 1);
      }
    }
  }
}
