package dev.millrace.providers.sketch;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;

/** Makes soft shadows. It works on a quarter of the pixels in each direction: nobody sees it. */
final class Blur {

  private static final int SHRINK = 4;
  private static final int PASSES = 3;

  private final int width;
  private final int height;
  private final double scale;
  private final int radius;

  Blur(int pixelWidth, int pixelHeight, double scale, double blur) {
    this.width = (pixelWidth + SHRINK - 1) / SHRINK + 1;
    this.height = (pixelHeight + SHRINK - 1) / SHRINK + 1;
    this.scale = scale / SHRINK;
    this.radius = Math.max(1, (int) Math.round(blur * this.scale / 2));
  }

  int shrink() {
    return SHRINK;
  }

  /** The shape in one colour, moved and blurred, everything else transparent. */
  BufferedImage mask(Shape shape, double dx, double dy, int color, double alpha) {
    BufferedImage mask = new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB);
    Graphics2D pen = mask.createGraphics();
    pen.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
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
