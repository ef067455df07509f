package dev.millrace.sketch.canvas;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RadialGradientPaint;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Point2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;

/**
 * The picture being drawn. Its units don't depend on its pixels: the shorter side is always 1000
 * long, so a drawing looks the same at every size.
 */
public final class Canvas {

  static final double SHORT_SIDE = 1000;

  private final BufferedImage image;
  private final Graphics2D pen;
  private final double scale;
  private int salt;

  public Canvas(int pixelWidth, int pixelHeight) {
    image = new BufferedImage(pixelWidth, pixelHeight, BufferedImage.TYPE_INT_RGB);
    scale = Math.min(pixelWidth, pixelHeight) / SHORT_SIDE;
    pen = image.createGraphics();
    pen.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    pen.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
    pen.setRenderingHint(
        RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
    pen.scale(scale, scale);
  }

  public double width() {
    return image.getWidth() / scale;
  }

  public double height() {
    return image.getHeight() / scale;
  }

  /** Pixels per unit. */
  public double scale() {
    return scale;
  }

  public Rectangle2D bounds() {
    return new Rectangle2D.Double(0, 0, width(), height());
  }

  public BufferedImage image() {
    return image;
  }

  /** The live pixels, {@code 0xRRGGBB} row by row. */
  int[] pixels() {
    return ((DataBufferInt) image.getRaster().getDataBuffer()).getData();
  }

  public void fill(Shape shape, int color) {
    fill(shape, color, 1);
  }

  public void fill(Shape shape, int color, double alpha) {
    pen.setPaint(color(color, alpha));
    pen.fill(shape);
  }

  public void fill(Shape shape, Shader shader) {
    pen.setPaint(new PixelPaint(shader, scale, ++salt));
    pen.fill(shape);
  }

  public void line(Shape path, double width, int color, double alpha) {
    pen.setPaint(color(color, alpha));
    pen.setStroke(new BasicStroke((float) width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
    pen.draw(path);
  }

  public void dot(double x, double y, double radius, int color, double alpha) {
    fill(disc(x, y, radius), color, alpha);
  }

  /** A soft light that fades to nothing at its radius. */
  public void glow(double x, double y, double radius, int color, double alpha) {
    pen.setPaint(
        new RadialGradientPaint(
            new Point2D.Double(x, y),
            (float) radius,
            new float[] {0f, 0.35f, 0.7f, 1f},
            new Color[] {
              color(color, alpha),
              color(color, alpha * 0.45),
              color(color, alpha * 0.12),
              color(color, 0)
            }));
    pen.fill(disc(x, y, radius));
  }

  /** The blurred shadow that a shape casts on what is already drawn. */
  public void shadow(Shape shape, double dx, double dy, double blur, int color, double alpha) {
    Rectangle2D box = shape.getBounds2D();
    Rectangle2D moved =
        new Rectangle2D.Double(box.getX() + dx, box.getY() + dy, box.getWidth(), box.getHeight());
    Rectangle2D seen =
        new Rectangle2D.Double(-2 * blur, -2 * blur, width() + 4 * blur, height() + 4 * blur);
    Rectangle2D area = moved.createIntersection(seen);
    if (area.isEmpty()) {
      return;
    }
    Blur soft = new Blur(area, scale, blur);
    BufferedImage mask = soft.mask(shape, dx, dy, color, alpha);
    AffineTransform saved = pen.getTransform();
    pen.setTransform(AffineTransform.getScaleInstance(Blur.SHRINK, Blur.SHRINK));
    pen.drawImage(mask, soft.left(), soft.top(), null);
    pen.setTransform(saved);
  }

  /** Puts another picture into a box. */
  public void paste(Canvas other, Rectangle2D box) {
    AffineTransform fit = AffineTransform.getTranslateInstance(box.getX(), box.getY());
    fit.scale(box.getWidth() / other.image.getWidth(), box.getHeight() / other.image.getHeight());
    pen.drawImage(other.image, fit, null);
  }

  public static Ellipse2D disc(double x, double y, double radius) {
    return new Ellipse2D.Double(x - radius, y - radius, 2 * radius, 2 * radius);
  }

  static Color color(int rgb, double alpha) {
    return new Color(
        (rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255, (int) (Noise.clamp(alpha) * 255 + 0.5));
  }

  public void close() {
    pen.dispose();
  }
}
