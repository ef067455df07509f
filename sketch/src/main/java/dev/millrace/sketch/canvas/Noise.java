package dev.millrace.sketch.canvas;

/** Smooth seeded noise, the stuff of ridges, mist, paper and currents. */
public final class Noise {

  private final int seed;

  public Noise(long seed) {
    this.seed = (int) Dice.mix(seed);
  }

  /** White noise of a whole-numbered point, from 0 up to 1. */
  public static double white(int x, int y, int salt) {
    int h = x * 0x27d4eb2d + y * 0x165667b1 + salt * 0x9e3779b1;
    h = (h ^ (h >>> 15)) * 0x85ebca6b;
    h = (h ^ (h >>> 13)) * 0xc2b2ae35;
    return ((h ^ (h >>> 16)) >>> 8) * (1.0 / (1 << 24));
  }

  /** Value noise from 0 to 1 that changes over about one unit. */
  public double at(double x, double y) {
    int ix = (int) Math.floor(x);
    int iy = (int) Math.floor(y);
    double fx = ease(x - ix);
    double fy = ease(y - iy);
    double top = lerp(white(ix, iy, seed), white(ix + 1, iy, seed), fx);
    double bottom = lerp(white(ix, iy + 1, seed), white(ix + 1, iy + 1, seed), fx);
    return lerp(top, bottom, fy);
  }

  /** Several octaves of noise, still from 0 to 1. */
  public double fbm(double x, double y, int octaves) {
    double sum = 0;
    double weight = 0.5;
    double total = 0;
    double px = x;
    double py = y;
    for (int i = 0; i < octaves; i++) {
      sum += weight * at(px, py);
      total += weight;
      weight *= 0.5;
      // The axes turn a little with each octave, which hides the lattice.
      double qx = 1.62 * px - 1.18 * py + 17.3;
      py = 1.18 * px + 1.62 * py + 9.1;
      px = qx;
    }
    return sum / total;
  }

  /** Sharp crests and round valleys, from 0 to 1. */
  public double ridged(double x, double y, int octaves) {
    double sum = 0;
    double weight = 0.5;
    double total = 0;
    double frequency = 1;
    for (int i = 0; i < octaves; i++) {
      sum += weight * (1 - Math.abs(2 * at(x * frequency, y + i * 7.7) - 1));
      total += weight;
      weight *= 0.48;
      frequency *= 2.1;
    }
    return sum / total;
  }

  private static double ease(double t) {
    return t * t * t * (t * (t * 6 - 15) + 10);
  }

  public static double lerp(double a, double b, double t) {
    return a + (b - a) * t;
  }

  public static double clamp(double value) {
    return Math.clamp(value, 0.0, 1.0);
  }
}
