package dev.millrace.sketch.canvas;

/** Last touches on the whole picture: the tooth of the paper and a darker rim. */
public final class Finish {

  private Finish() {}

  /**
   * Adds paper fibre and grain.
   *
   * @param strength in steps of 255; 6 is felt rather than seen
   */
  public static void paper(Canvas canvas, Noise noise, double strength) {
    int[] pixels = canvas.pixels();
    int width = canvas.image().getWidth();
    double scale = canvas.scale();
    for (int i = 0; i < pixels.length; i++) {
      int px = i % width;
      int py = i / width;
      double x = px / scale;
      double y = py / scale;
      double fibre = noise.at(x * 0.09, y * 0.35) + noise.at(x * 0.3 + 50, y * 0.08) - 1;
      double grain = Noise.white(px, py, 77) - 0.5;
      pixels[i] = shift(pixels[i], strength * (0.55 * fibre + 0.9 * grain));
    }
  }

  /** Darkens towards the corners by at most the given part. */
  public static void vignette(Canvas canvas, double strength) {
    int[] pixels = canvas.pixels();
    int width = canvas.image().getWidth();
    int height = canvas.image().getHeight();
    for (int i = 0; i < pixels.length; i++) {
      double dx = (i % width + 0.5) / width * 2 - 1;
      double dy = ((double) i / width) / height * 2 - 1;
      double rim = Math.max(0, dx * dx + dy * dy - 0.55) / 1.45;
      if (rim > 0) {
        // A little noise in the strength keeps smooth skies from showing steps.
        double dither = (Noise.white(i % width, i / width, 5) - 0.5) * 0.012;
        pixels[i] = scale(pixels[i], 1 - strength * rim * (2 - rim) * 0.7 + dither);
      }
    }
  }

  private static int shift(int color, double amount) {
    int delta = (int) Math.round(amount);
    return channel(((color >> 16) & 255) + delta) << 16
        | channel(((color >> 8) & 255) + delta) << 8
        | channel((color & 255) + delta);
  }

  private static int scale(int color, double factor) {
    return channel((int) (((color >> 16) & 255) * factor)) << 16
        | channel((int) (((color >> 8) & 255) * factor)) << 8
        | channel((int) ((color & 255) * factor));
  }

  private static int channel(int value) {
    return Math.clamp(value, 0, 255);
  }
}
