package dev.millrace.sketch.subject;

import dev.millrace.sketch.canvas.Palette;
import dev.millrace.sketch.canvas.Tint;

/** The colours of a figure in one picture. */
public record Coat(int main, int shade, int light, int dark, int spark) {

  public static Coat of(Reading reading, Figure figure, Palette palette) {
    int main = Palettes.coat(reading, figure, palette);
    boolean pale = Tint.lightness(main) > 0.85;
    int spark = Tint.distance(main, palette.glow()) > 0.2 ? palette.glow() : palette.accent();
    if (Tint.lightness(spark) > 0.93) {
      spark = 0xF5B843;
    }
    int dark = Tint.lightness(main) < 0.4 ? Tint.lift(palette.ink(), -0.04) : palette.ink();
    return new Coat(
        main,
        Tint.lift(main, pale ? -0.14 : -0.09),
        Tint.mix(palette.light(), 0xFFFFFF, 0.3),
        dark,
        spark);
  }

  public int of(Tone tone) {
    return switch (tone) {
      case COAT -> main;
      case SHADE -> shade;
      case LIGHT -> light;
      case DARK -> dark;
      case SPARK -> spark;
    };
  }
}
