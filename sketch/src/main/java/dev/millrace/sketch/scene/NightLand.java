package dev.millrace.sketch.scene;

import dev.millrace.sketch.canvas.Canvas;
import dev.millrace.sketch.canvas.Crest;
import dev.millrace.sketch.canvas.Layer;
import dev.millrace.sketch.canvas.Noise;
import dev.millrace.sketch.canvas.Ramp;
import dev.millrace.sketch.canvas.Tint;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.util.List;

/** The dark land below a night sky. */
public final class NightLand {

  private NightLand() {}

  public static void draw(Canvas canvas, List<Layer> layers, double drop, Ramp dark, int lamp) {
    AffineTransform down = AffineTransform.getTranslateInstance(0, drop);
    for (Layer layer : layers) {
      int color = dark.at(layer.depth());
      int mist = Tint.mix(color, dark.at(0), 0.5);
      Shape ground = down.createTransformedShape(layer.ground());
      Shape growth = down.createTransformedShape(layer.growth());
      canvas.fill(growth, Tint.mix(color, 0x000000, 0.25));
      if (layer.depth() < 0.7) {
        windows(canvas, growth, layer, lamp);
      }
      Crest crest = layer.crest();
      double fog = (1 - layer.depth()) * 0.8;
      boolean water = layer.water();
      Noise ripple = new Noise(Double.doubleToLongBits(layer.depth()));
      canvas.fill(
          ground,
          (x, y, grain) -> {
            double below = y - drop - crest.at(x);
            if (water && ripple.at(x / (24 + 50 * layer.depth()), y / 3.4) > 0.9) {
              return 0xFF000000 | mist;
            }
            return 0xFF000000 | (grain < Noise.clamp(below / 120) * fog ? mist : color);
          });
    }
  }

  /** Only a city's growth is square enough to look right with lit windows; trees stay dark. */
  private static void windows(Canvas canvas, Shape growth, Layer layer, int lamp) {
    if (layer.crest().at(0) != layer.crest().at(300)) {
      return;
    }
    double cell = 9 + layer.depth() * 6;
    canvas.fill(
        growth,
        (x, y, grain) -> {
          int column = (int) Math.floor(x / cell);
          int row = (int) Math.floor(y / (cell * 1.3));
          double fx = x / cell - column;
          double fy = y / (cell * 1.3) - row;
          boolean pane = fx > 0.28 && fx < 0.72 && fy > 0.28 && fy < 0.72;
          return pane && Noise.white(column, row, 3) < 0.3 ? 0xE0000000 | lamp : 0;
        });
  }
}
