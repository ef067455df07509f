package dev.millrace.sketch.canvas;

import java.awt.geom.Path2D;
import java.util.function.DoubleUnaryOperator;

/** The upper edge of a stretch of land, sampled once so that pixels can ask for it cheaply. */
public final class Crest {

  private static final double STEP = 2;

  private final double[] heights;

  public Crest(double width, DoubleUnaryOperator course) {
    heights = new double[(int) (width / STEP) + 2];
    for (int i = 0; i < heights.length; i++) {
      heights[i] = course.applyAsDouble(i * STEP);
    }
  }

  /** The y of the edge at an x. */
  public double at(double x) {
    double place = Math.clamp(x / STEP, 0, heights.length - 1.001);
    int i = (int) place;
    return Noise.lerp(heights[i], heights[i + 1], place - i);
  }

  /** Everything from the edge down to a floor. */
  public Path2D.Double ground(double floor) {
    Path2D.Double path = new Path2D.Double();
    path.moveTo(-4, floor);
    path.lineTo(-4, heights[0]);
    for (int i = 0; i < heights.length; i++) {
      path.lineTo(i * STEP, heights[i]);
    }
    path.lineTo(heights.length * STEP + 4, floor);
    path.closePath();
    return path;
  }
}
