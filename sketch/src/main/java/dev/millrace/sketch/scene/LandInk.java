package dev.millrace.sketch.scene;

import dev.millrace.sketch.canvas.Canvas;
import dev.millrace.sketch.canvas.Crest;
import dev.millrace.sketch.canvas.Layer;
import dev.millrace.sketch.canvas.Noise;
import dev.millrace.sketch.canvas.Palette;
import dev.millrace.sketch.canvas.Shader;
import dev.millrace.sketch.canvas.Tint;
import dev.millrace.sketch.subject.Brief;
import dev.millrace.sketch.subject.Land;
import java.awt.Shape;

/** Prints a sheet of land with light along its crest and mist at its foot. */
public final class LandInk {

  private LandInk() {}

  public static void print(Canvas canvas, Brief brief, Stage stage, Layer layer) {
    Palette palette = brief.palette();
    int base = palette.depth().at(layer.depth());
    if (layer.water()) {
      water(canvas, stage, palette, layer, base);
      return;
    }
    int growth = growthColor(brief, base, layer.depth());
    Crest crest = layer.crest();
    canvas.fill(layer.growth(), growth);
    int lit = Tint.mix(base, palette.glow(), 0.34);
    int mist = Tint.mix(base, palette.skyLow(), 0.42);
    double reach = 40 + 90 * layer.depth();
    double fog = Math.pow(1 - layer.depth(), 1.3) * 0.95;
    Shader shader =
        (x, y, grain) -> {
          double below = y - crest.at(x);
          double nearSun = Math.exp(-Math.pow((x - stage.sunX()) / 330, 2));
          double rim = Math.exp(-below / reach) * (0.18 + 0.5 * nearSun);
          if (grain < rim) {
            return 0xFF000000 | lit;
          }
          double veil = Noise.clamp((below - 30) / 190) * fog;
          return 0xFF000000 | (1 - grain < veil ? mist : base);
        };
    canvas.fill(layer.ground(), shader);
    if (brief.reading().land() == Land.MOUNTAINS || brief.reading().land() == Land.SNOW) {
      caps(canvas, stage, palette, layer, base);
    }
    if (brief.reading().land() == Land.CITY && layer.depth() < 0.7) {
      windows(canvas, palette, layer, growth);
    }
  }

  private static int growthColor(Brief brief, int base, double depth) {
    if (brief.reading().land() == Land.SNOW) {
      return Tint.mix(base, brief.palette().ink(), 0.35 + 0.45 * depth);
    }
    return Tint.mix(base, brief.palette().ink(), brief.reading().land() == Land.CITY ? 0.12 : 0.3);
  }

  /** Snow on the high ground, with a ragged lower edge and a shaded flank. */
  private static void caps(Canvas canvas, Stage stage, Palette palette, Layer layer, int base) {
    if (layer.depth() > 0.4) {
      return;
    }
    Noise ragged = new Noise(Double.doubleToLongBits(layer.depth()));
    double line = canvas.height() * (0.42 + layer.depth() * 0.2);
    int snow = Tint.mix(palette.light(), base, 0.1);
    int shadow = Tint.mix(snow, base, 0.55);
    Crest crest = layer.crest();
    double sunSide = stage.sunX();
    canvas.fill(
        layer.ground(),
        (x, y, grain) -> {
          double edge = line + (ragged.fbm(x / 26, y / 60, 3) - 0.5) * 130 + (grain - 0.5) * 5;
          if (y > edge) {
            return 0;
          }
          double slope =
              crest.at(x + 7 + (y - crest.at(x)) * 0.25)
                  - crest.at(x - 7 + (y - crest.at(x)) * 0.25);
          boolean shaded = (x < sunSide) == (slope < 0);
          return 0xFF000000 | (shaded && grain < 0.9 ? shadow : snow);
        });
  }

  private static void windows(Canvas canvas, Palette palette, Layer layer, int wall) {
    int lamp = Tint.mix(wall, palette.accent(), 0.35 + layer.depth());
    double cell = 13 + layer.depth() * 8;
    int salt = (int) (layer.depth() * 100);
    canvas.fill(
        layer.growth(),
        (x, y, grain) -> {
          int column = (int) Math.floor(x / cell);
          int row = (int) Math.floor(y / (cell * 1.3));
          double fx = x / cell - column;
          double fy = y / (cell * 1.3) - row;
          boolean pane = fx > 0.3 && fx < 0.72 && fy > 0.3 && fy < 0.72;
          return pane && Noise.white(column, row, salt) < 0.34 ? 0xFF000000 | lamp : 0;
        });
  }

  private static void water(Canvas canvas, Stage stage, Palette palette, Layer layer, int base) {
    Crest crest = layer.crest();
    int lit = Tint.mix(base, palette.glow(), 0.62);
    int foam = Tint.mix(base, palette.light(), 0.5);
    int deep = Tint.lift(base, -0.05);
    Noise ripple = new Noise(Double.doubleToLongBits(layer.depth()) + 3);
    double depth = layer.depth();
    Shape surface = layer.ground();
    canvas.fill(
        surface,
        (x, y, grain) -> {
          double below = y - crest.at(x);
          if (below < 2.2 + 3.4 * depth) {
            return 0xFF000000 | foam;
          }
          double across = (x - stage.sunX()) / (70 + 200 * depth);
          double path = Math.exp(-across * across) * 0.75;
          double glint = ripple.at(x / (34 + 60 * depth), y / (3 + 6 * depth));
          if (glint > 0.93 - path * 0.36 && grain < 0.92) {
            return 0xFF000000 | lit;
          }
          return 0xFF000000 | (grain < Noise.clamp(below / 120) * 0.7 ? deep : base);
        });
  }
}
