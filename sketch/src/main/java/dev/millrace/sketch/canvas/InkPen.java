package dev.millrace.sketch.canvas;

import java.awt.Shape;
import java.awt.geom.AffineTransform;

/** Ink lines over watercolour that was laid a little beside them. */
public final class InkPen {

  private final Canvas canvas;
  private final Noise pigment;
  private final int ink;

  public InkPen(Canvas canvas, Noise pigment, int ink) {
    this.canvas = canvas;
    this.pigment = pigment;
    this.ink = ink;
  }

  /** A washed and outlined shape. */
  public void draw(Shape shape, int color) {
    draw(shape, color, 1.5);
  }

  public void draw(Shape shape, int color, double line) {
    wash(shape, color);
    canvas.line(shape, line, ink, 0.85);
  }

  public void stem(Shape path, double width, int color) {
    canvas.line(path, width + 1.6, ink, 0.8);
    canvas.line(path, width, color, 1);
  }

  public void line(Shape path, double width) {
    canvas.line(path, width, ink, 0.6);
  }

  public void dot(double x, double y, double radius) {
    canvas.dot(x, y, radius, ink, 0.85);
  }

  private void wash(Shape shape, int color) {
    Shape beside = AffineTransform.getTranslateInstance(2.5, 2).createTransformedShape(shape);
    int pale = Tint.lift(color, 0.07);
    Ramp ramp = new Ramp(pale, color, Tint.lift(color, -0.06));
    canvas.fill(
        beside,
        (x, y, grain) -> {
          double pool = pigment.fbm(x / 46, y / 46, 3);
          int alpha = (int) (255 * (0.62 + 0.36 * pool) + grain * 10);
          return Math.min(255, alpha) << 24 | ramp.at(pool * 1.7 - 0.35 + (grain - 0.5) * 0.1);
        });
  }
}
