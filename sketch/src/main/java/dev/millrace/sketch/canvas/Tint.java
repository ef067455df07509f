package dev.millrace.sketch.canvas;

/**
 * Arithmetic on {@code 0xRRGGBB} colours, done in the Oklab space so that mixtures stay as clean as
 * the colours they are made of.
 */
public final class Tint {

  private Tint() {}

  /** The colour a part of the way from one to the other. */
  public static int mix(int from, int to, double part) {
    double[] a = lab(from);
    double[] b = lab(to);
    double t = Noise.clamp(part);
    return rgb(Noise.lerp(a[0], b[0], t), Noise.lerp(a[1], b[1], t), Noise.lerp(a[2], b[2], t));
  }

  /** Lighter for a positive amount, darker for a negative one; 1 is the whole way. */
  public static int lift(int color, double amount) {
    double[] c = lab(color);
    return rgb(c[0] + amount, c[1], c[2]);
  }

  /** The same lightness with its colourfulness multiplied. */
  public static int saturate(int color, double factor) {
    double[] c = lab(color);
    return rgb(c[0], c[1] * factor, c[2] * factor);
  }

  public static double lightness(int color) {
    return lab(color)[0];
  }

  /** How different two colours look; 0.1 is clearly visible. */
  public static double distance(int one, int other) {
    double[] a = lab(one);
    double[] b = lab(other);
    return Math.sqrt(sq(a[0] - b[0]) + sq(a[1] - b[1]) + sq(a[2] - b[2]));
  }

  private static double sq(double v) {
    return v * v;
  }

  private static double[] lab(int color) {
    double r = linear(((color >> 16) & 255) / 255.0);
    double g = linear(((color >> 8) & 255) / 255.0);
    double b = linear((color & 255) / 255.0);
    double l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    double m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    double s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return new double[] {
      0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s
    };
  }

  private static int rgb(double lightness, double a, double b) {
    double l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
    double m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
    double s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
    int red = channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
    int green = channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
    int blue = channel(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
    return red << 16 | green << 8 | blue;
  }

  private static double cube(double v) {
    return v * v * v;
  }

  private static double linear(double v) {
    return v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4);
  }

  private static int channel(double v) {
    double c = Noise.clamp(v);
    double s = c <= 0.0031308 ? 12.92 * c : 1.055 * Math.pow(c, 1 / 2.4) - 0.055;
    return (int) Math.round(s * 255);
  }
}
