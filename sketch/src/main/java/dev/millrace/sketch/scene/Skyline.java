package dev.millrace.sketch.scene;

import dev.millrace.sketch.canvas.Canvas;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.List;

/** Turns blocks of houses into a silhouette with a few different roofs. */
final class Skyline {

  private Skyline() {}

  /** Each block is left, right, top, and a number from 0 to 1 that picks its roof. */
  static Path2D of(List<double[]> blocks, double floor) {
    Path2D.Double city = new Path2D.Double(Path2D.WIND_NON_ZERO);
    for (double[] block : blocks) {
      double left = block[0];
      double right = block[1];
      double top = block[2];
      double wide = right - left;
      double middle = (left + right) / 2;
      city.append(new Rectangle2D.Double(left, top, wide, floor - top + 2), false);
      if (block[3] < 0.2) {
        city.append(triangle(left, right, top, top - wide * 0.4), false);
      } else if (block[3] < 0.4) {
        city.append(
            new Rectangle2D.Double(left + wide * 0.2, top - wide * 0.3, wide * 0.6, wide * 0.3 + 1),
            false);
        city.append(
            new Rectangle2D.Double(middle - wide * 0.02, top - wide * 0.9, wide * 0.04, wide * 0.7),
            false);
      } else if (block[3] < 0.55) {
        city.append(triangle(left, left + wide, top, top - wide * 0.28, left), false);
      } else if (block[3] < 0.65) {
        city.append(Canvas.disc(middle, top, wide * 0.42), false);
      }
    }
    return city;
  }

  private static Path2D triangle(double left, double right, double base, double peak) {
    return triangle(left, right, base, peak, (left + right) / 2);
  }

  private static Path2D triangle(double left, double right, double base, double peak, double at) {
    Path2D.Double roof = new Path2D.Double();
    roof.moveTo(left, base + 1);
    roof.lineTo(at, peak);
    roof.lineTo(right, base + 1);
    roof.closePath();
    return roof;
  }
}
