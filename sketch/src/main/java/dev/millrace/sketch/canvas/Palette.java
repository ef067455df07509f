package dev.millrace.sketch.canvas;

/**
 * The colours of one picture, each {@code 0xRRGGBB}.
 *
 * @param skyHigh the sky overhead
 * @param skyLow the sky at the horizon
 * @param glow sun, moon and lamps
 * @param far the farthest land
 * @param mid land half way
 * @param near the nearest land
 * @param accent the one colour that stands out
 * @param light highlights
 * @param ink the darkest tone
 * @param paper the unprinted sheet
 */
public record Palette(
    int skyHigh,
    int skyLow,
    int glow,
    int far,
    int mid,
    int near,
    int accent,
    int light,
    int ink,
    int paper) {

  /** Ten six-digit colours in the order of the components. */
  public static Palette of(String colors) {
    String[] hex = colors.trim().split(" +", -1);
    int[] c = new int[hex.length];
    for (int i = 0; i < hex.length; i++) {
      c[i] = Integer.parseInt(hex[i], 16);
    }
    return new Palette(c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9]);
  }

  /** From the farthest land at 0 to the nearest at 1. */
  public Ramp depth() {
    return new Ramp(far, mid, near);
  }

  public Palette withAccent(int color) {
    return new Palette(skyHigh, skyLow, glow, far, mid, near, color, light, ink, paper);
  }

  /** The same scenery with everything but its lights leaning towards a colour. */
  public Palette leaning(int color, double part) {
    return new Palette(
        Tint.mix(skyHigh, color, part),
        Tint.mix(skyLow, color, part * 0.5),
        glow,
        Tint.mix(far, color, part),
        Tint.mix(mid, color, part * 0.7),
        Tint.mix(near, color, part * 0.3),
        accent,
        light,
        ink,
        paper);
  }
}
