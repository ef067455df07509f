package dev.millrace.sketch.canvas;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;

/**
 * Makes soft shadows. It works on a quarter of the pixels in each direction, and only around the
 * shape: nobody sees the difference.
 */
final class Blur {

  /** How many pixels of the picture one pixel of a shadow covers, in each direction. */
  static final int SHRINK = 4;

  private static final int PASSES = 3;

  private final double scale;
  private final int radius;
  private final int left;
  private final int top;
  private final int width;
  private final int height;

  /**
   * Prepares the shadow of a shape.
   *
   * @param area the shape's box where the shadow falls, within the canvas
   * @param scale pixels of the picture per unit
   */
  Blur(Rectangle2D area, double scale, double blur) {
    this.scale = scale / SHRINK;
    this.radius = Math.max(1, (int) Math.round(blur * this.scale / 2));
    int margin = PASSES * radius + 1;
    this.left = (int) Math.floor(area.getMinX() * this.scale) - margin;
    this.top = (int) Math.floor(area.getMinY() * this.scale) - margin;
    this.width = (int) Math.ceil(area.getMaxX() * this.scale) + margin - left;
    this.height = (int) Math.ceil(area.getMaxY() * this.scale) + margin - top;
  }

  int left() {
    return left;
  }

  int top() {
    return top;
  }

  /** The shape in one colour, moved and blurred, everything else transparent. */
  BufferedImage mask(Shape shape, double dx, double dy, int color, double alpha) {
    BufferedImage mask = new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB);
    Graphics2D pen = mask.createGraphics();
    pen.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    pen.translate(-left, -top);
    pen.scale(scale, scale);
    pen.translate(dx, dy);
    pen.setPaint(Canvas.color(0, 1));
    pen.fill(shape);
    pen.dispose();
    int[] pixels = ((DataBufferInt) mask.getRaster().getDataBuffer()).getData();
    int[] cover = new int[pixels.length];
    for (int i = 0; i < pixels.length; i++) {
      cover[i] = (pixels[i] >>> 24) << 8;
    }
    int[] spare = new int[pixels.length];
    for (int pass = 0; pass < PASSES; pass++) {
      for (int y = 0; y < height; y++) {
        average(cover, spare, y * width, 1, width);
      }
      for (int x = 0; x < width; x++) {
        average(spare, cover, x, width, height);
      }
    }
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = (int) ((cover[i] >> 8) * alpha) << 24 | color;
    }
    return mask;
  }

  private void average(int[] from, int[] to, int start, int step, int count) {
    int window = 2 * radius + 1;
    long sum = 0;
    for (int i = -radius; i <= radius; i++) {
      sum += from[start + Math.clamp(i, 0, count - 1) * step];
    }
    for (int i = 0; i < count; i++) {
      to[start + i * step] = (int) (sum / window);
      sum += from[start + Math.min(count - 1, i + radius + 1) * step];
      sum -= from[start + Math.max(0, i - radius) * step];
    }
  }
}
