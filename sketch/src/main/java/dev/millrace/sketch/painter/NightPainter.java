package dev.millrace.sketch.painter;

import dev.millrace.sketch.canvas.Canvas;
import dev.millrace.sketch.canvas.Dice;
import dev.millrace.sketch.canvas.Finish;
import dev.millrace.sketch.canvas.Layer;
import dev.millrace.sketch.canvas.Noise;
import dev.millrace.sketch.canvas.Palette;
import dev.millrace.sketch.canvas.Ramp;
import dev.millrace.sketch.canvas.Tint;
import dev.millrace.sketch.scene.Constellation;
import dev.millrace.sketch.scene.NightLand;
import dev.millrace.sketch.scene.Terrain;
import dev.millrace.sketch.subject.Brief;
import dev.millrace.sketch.subject.Coat;
import dev.millrace.sketch.subject.Figure;
import dev.millrace.sketch.subject.Land;
import dev.millrace.sketch.subject.Tone;
import dev.millrace.sketch.subject.Touch;
import java.awt.geom.Line2D;
import java.awt.geom.Point2D;
import java.awt.geom.Rectangle2D;
import java.util.List;

/** A clear night: the Milky Way, and the subject as a constellation above a dark land. */
final class NightPainter implements Painter {

  @Override
  public List<Step> plan(Canvas canvas, Brief brief) {
    Sky sky = new Sky(canvas, brief, tones(brief.palette()));
    return List.of(
        new Step("sky", "Waiting for the dark", sky::air),
        new Step("stars", "Counting the stars", sky::stars),
        new Step("figure", "Joining the stars into a figure", sky::figure),
        new Step("land", "Finding the horizon", sky::land),
        new Step("texture", "Letting the eyes adjust", sky::finish));
  }

  /** Brings a palette into the night while it keeps its own hue. */
  private static Tones tones(Palette palette) {
    int hue = Tint.saturate(Tint.mix(palette.skyHigh(), palette.mid(), 0.4), 1.1);
    int deep = Tint.mix(0x060A1C, hue, 0.10);
    int blue = Tint.mix(0x12234F, hue, 0.24);
    int rim = Tint.mix(Tint.mix(0x4D6FA3, hue, 0.5), palette.glow(), 0.14);
    int dust = Tint.mix(0xC9B7E8, palette.accent(), 0.35);
    return new Tones(deep, blue, rim, dust, Tint.mix(palette.accent(), 0xFFF3D6, 0.6));
  }

  private record Tones(int deep, int blue, int rim, int dust, int spark) {}

  private record Sky(Canvas canvas, Brief brief, Tones tones) {

    private double horizon() {
      return canvas.height() * 0.84;
    }

    void air() {
      Dice dice = brief.dice().fork("air");
      Noise cloud = dice.noise();
      double tilt = dice.between(0.5, 0.95) * (brief.mirrored() ? -1 : 1);
      Ramp ramp =
          new Ramp(
              tones.deep(), tones.blue(), Tint.mix(tones.blue(), tones.rim(), 0.6), tones.rim());
      Ramp dust =
          new Ramp(tones.blue(), Tint.mix(tones.rim(), tones.dust(), 0.5), tones.dust(), 0xFFF6EA);
      double width = canvas.width();
      double height = canvas.height();
      boolean aurora =
          brief.reading().has(Touch.AURORA)
              || (brief.reading().cast().isEmpty() && dice.chance(0.4));
      canvas.fill(
          canvas.bounds(),
          (x, y, grain) -> {
            double across = ((x - width / 2) * tilt + (y - height * 0.42)) / 250;
            double warp = cloud.fbm(x / 230, y / 230, 5) - 0.5;
            double band = Math.exp(-Math.pow(across + warp * 0.9, 2));
            double lanes = cloud.fbm(x / 120 + 40, y / 120 + warp * 2, 5);
            double rift = Math.exp(-Math.pow((across + 0.1 + warp * 2.4) / 0.2, 2));
            double milk = band * Noise.clamp(0.16 + 1.5 * (lanes - 0.28)) * (1 - 0.72 * rift);
            double t = y / horizon();
            int base = ramp.at(t * t * 0.9 + 0.08 + (grain - 0.5) * 0.03);
            int lit = blend(base, dust.at(milk * 1.1), milk * 0.72 + (grain - 0.5) * 0.03);
            return 0xFF000000 | (aurora ? curtain(lit, x, y, cloud, grain) : lit);
          });
    }

    private int curtain(int under, double x, double y, Noise cloud, double grain) {
      double fold = cloud.fbm(x / 260, 3, 3) * 0.34 + 0.26;
      double foot = canvas.height() * fold * 1.35;
      double above = (foot - y) / (canvas.height() * 0.34);
      double body = above < 0 ? Math.exp(above * 16) : Math.exp(-above * 2.3);
      double pleats = 0.45 + 0.55 * cloud.at(x / 17, y / 700 + 5);
      double strength = body * pleats * (0.9 + (grain - 0.5) * 0.06);
      int color = blend(0x5CF2B0, 0x9B6BE8, Noise.clamp(above * 1.1));
      return blend(under, color, strength * 0.62);
    }

    void stars() {
      Dice dice = brief.dice().fork("stars");
      double area = canvas.width() * canvas.height() / 1e6;
      int[] hues = {0xFFFFFF, 0xDCE8FF, 0xFFF1D8, 0xFFE0C4, tones.dust()};
      for (int i = 0; i < 2300 * area; i++) {
        double size = 0.55 + 1.7 * Math.pow(dice.unit(), 5);
        canvas.dot(
            canvas.width() * dice.unit(),
            horizon() * dice.unit(),
            size,
            hues[dice.below(hues.length)],
            dice.between(0.25, 0.95));
      }
      for (int i = 0; i < 16 * area; i++) {
        double x = canvas.width() * dice.unit();
        double y = horizon() * dice.unit() * 0.9;
        canvas.glow(x, y, dice.between(9, 17), hues[dice.below(hues.length)], 0.6);
        canvas.dot(x, y, 1.9, 0xFFFFFF, 1);
      }
      fallingStar(dice);
    }

    private void fallingStar(Dice dice) {
      double x = canvas.width() * dice.between(0.12, 0.88);
      double y = canvas.height() * dice.between(0.06, 0.16);
      double run = dice.between(90, 150) * (brief.mirrored() ? -1 : 1);
      for (int i = 0; i < 24; i++) {
        double t = i / 24.0;
        canvas.line(
            new Line2D.Double(
                x - run * t,
                y - Math.abs(run) * 0.42 * t,
                x - run * (t + 0.05),
                y - Math.abs(run) * 0.42 * (t + 0.05)),
            2.4 * (1 - t),
            0xFFFFFF,
            0.85 * (1 - t));
      }
      canvas.glow(x, y, 16, 0xFFFFFF, 0.8);
    }

    void figure() {
      List<Figure> cast = brief.reading().cast();
      double side = Math.min(canvas.width(), canvas.height());
      if (cast.isEmpty() || brief.reading().has(Touch.MOON)) {
        double x = canvas.width() * (brief.mirrored() ? 0.26 : 0.74);
        moon(
            x,
            canvas.height() * (cast.isEmpty() ? 0.28 : 0.16),
            side * (cast.isEmpty() ? 0.1 : 0.055));
      }
      for (int i = 0; i < cast.size(); i++) {
        double x = canvas.width() * (cast.size() == 1 ? 0.5 : (i + 0.5) / cast.size());
        double room = cast.size() == 1 ? 0.62 : 0.86 / cast.size();
        Figure figure =
            cast.get(i)
                .within(
                    x,
                    canvas.height() * 0.41,
                    side * room,
                    side * Math.min(0.54, room),
                    brief.mirrored());
        constellation(figure);
      }
    }

    private void constellation(Figure figure) {
      Dice dice = brief.dice().fork(figure.name());
      Rectangle2D box = figure.bounds();
      Coat coat = brief.coat(figure);
      canvas.glow(box.getCenterX(), box.getCenterY(), box.getHeight() * 0.8, tones.rim(), 0.3);
      for (Figure.Part part : figure.parts()) {
        int color =
            part.tone() == Tone.DARK
                ? tones.deep()
                : Tint.mix(coat.of(part.tone()), tones.spark(), 0.25);
        double weight = part.tone() == Tone.COAT || part.tone() == Tone.SHADE ? 0.3 : 0.42;
        canvas.fill(
            part.shape(),
            (x, y, grain) -> (int) (255 * weight * (0.55 + 0.45 * grain)) << 24 | color);
        canvas.line(part.shape(), 1, tones.spark(), 0.38);
      }
      for (List<Point2D> ring : Constellation.of(figure.outline(), box.getHeight() * 0.022)) {
        Rectangle2D extent =
            new Rectangle2D.Double(ring.getFirst().getX(), ring.getFirst().getY(), 0, 0);
        ring.forEach(extent::add);
        if (extent.getHeight() > box.getHeight() * 0.2) {
          Constellation.draw(canvas, ring, tones.spark(), dice);
        }
      }
    }

    private void moon(double x, double y, double r) {
      canvas.glow(x, y, r * 4.2, brief.palette().glow(), 0.42);
      int pale = Tint.mix(0xFFF8E6, brief.palette().glow(), 0.3);
      Noise seas = brief.dice().fork("moon").noise();
      Ramp ramp = new Ramp(Tint.lift(pale, -0.16), pale, Tint.mix(pale, 0xFFFFFF, 0.6));
      canvas.fill(
          Canvas.disc(x, y, r),
          (px, py, grain) ->
              0xFF000000
                  | ramp.at(
                      seas.fbm(px / (r * 0.55), py / (r * 0.55), 4) * 1.9
                          - 0.35
                          + (grain - 0.5) * 0.08));
    }

    void land() {
      double width = canvas.width();
      Land kind =
          brief.reading().land() == Land.SEA || brief.reading().land() == Land.CITY
              ? brief.reading().land()
              : Land.MOUNTAINS;
      List<Layer> layers =
          Terrain.of(kind, width, canvas.height() * 0.56, width / 2, brief.dice().fork("land"));
      double drop = canvas.height() * (kind == Land.SEA ? 0.5 : 0.48);
      Ramp dark =
          new Ramp(
              Tint.mix(tones.blue(), tones.rim(), 0.34),
              Tint.mix(tones.deep(), tones.blue(), 0.6),
              Tint.mix(tones.deep(), 0x000000, 0.5));
      NightLand.draw(canvas, layers, drop, dark, tones.spark());
    }

    void finish() {
      Finish.vignette(canvas, 0.55);
      Finish.paper(canvas, brief.dice().fork("paper").noise(), 5);
    }
  }

  /** A fast mixture in plain RGB, good enough for light in the dark. */
  static int blend(int under, int over, double part) {
    double t = Noise.clamp(part);
    int r = (int) Noise.lerp((under >> 16) & 255, (over >> 16) & 255, t);
    int g = (int) Noise.lerp((under >> 8) & 255, (over >> 8) & 255, t);
    int b = (int) Noise.lerp(under & 255, over & 255, t);
    return r << 16 | g << 8 | b;
  }
}
