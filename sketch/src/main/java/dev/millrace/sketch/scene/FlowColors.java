package dev.millrace.sketch.scene;

import dev.millrace.sketch.canvas.Canvas;
import dev.millrace.sketch.canvas.Dice;
import dev.millrace.sketch.canvas.Layer;
import dev.millrace.sketch.canvas.Noise;
import dev.millrace.sketch.canvas.Palette;
import dev.millrace.sketch.canvas.Ramp;
import dev.millrace.sketch.canvas.Tint;
import dev.millrace.sketch.subject.Brief;
import java.util.List;

/** What colour the paint has at a place. */
public final class FlowColors {
  private final Stage stage;
  private final Palette palette;
  private final Ramp sky;
  private final Ramp land;
  private final Noise noise;
  private final double height;

  public FlowColors(Canvas canvas, Brief brief, Stage stage) {
    this.stage = stage;
    this.palette = brief.palette();
    this.sky =
        new Ramp(
            palette.skyHigh(),
            Tint.mix(palette.skyHigh(), palette.skyLow(), 0.5),
            palette.skyLow());
    this.land = palette.depth();
    this.noise = brief.dice().fork("colors").noise();
    this.height = canvas.height();
  }

  /** 0 is sky, 1 the light, 2 and up the sheets of land. */
  public int region(double x, double y) {
    List<Layer> layers = stage.layers();
    for (int i = layers.size() - 1; i >= 0; i--) {
      if (y > layers.get(i).crest().at(x)) {
        return i + 2;
      }
    }
    return Math.hypot(x - stage.sunX(), y - stage.sunY()) < stage.sunRadius() ? 1 : 0;
  }

  public int at(double x, double y, Dice dice) {
    int region = region(x, y);
    double drift = (noise.fbm(x / 130, y / 130, 3) - 0.5) * 0.75 + dice.bell() * 0.07;
    if (region == 0) {
      double halo =
          Math.exp(-(Math.hypot(x - stage.sunX(), y - stage.sunY()) - stage.sunRadius()) / 120);
      return Tint.mix(sky.at(y / (height * 0.62) + drift), palette.glow(), halo * 0.55);
    }
    if (region == 1) {
      double rim = Math.hypot(x - stage.sunX(), y - stage.sunY()) / stage.sunRadius();
      return Tint.mix(palette.glow(), palette.accent(), 0.3 * rim * rim * dice.unit());
    }
    double depth = stage.layers().get(region - 2).depth();
    int color = land.at(depth + drift * 0.55);
    return dice.chance(0.035) ? Tint.mix(color, palette.accent(), 0.6) : color;
  }
}
