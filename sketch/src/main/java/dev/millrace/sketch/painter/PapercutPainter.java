package dev.millrace.sketch.painter;

import dev.millrace.sketch.canvas.Canvas;
import dev.millrace.sketch.canvas.Dice;
import dev.millrace.sketch.canvas.Finish;
import dev.millrace.sketch.canvas.Layer;
import dev.millrace.sketch.canvas.Noise;
import dev.millrace.sketch.canvas.Palette;
import dev.millrace.sketch.canvas.Ramp;
import dev.millrace.sketch.canvas.Shader;
import dev.millrace.sketch.canvas.Tint;
import dev.millrace.sketch.scene.Flora;
import dev.millrace.sketch.scene.Foreground;
import dev.millrace.sketch.scene.Stage;
import dev.millrace.sketch.scene.Weather;
import dev.millrace.sketch.subject.Brief;
import dev.millrace.sketch.subject.Coat;
import dev.millrace.sketch.subject.Figure;
import dev.millrace.sketch.subject.Habit;
import dev.millrace.sketch.subject.Land;
import java.awt.Shape;
import java.awt.geom.Area;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.List;

/** A shadow box of cut paper: every sheet throws a soft shadow on the one behind it. */
final class PapercutPainter implements Painter {

  @Override
  public List<Step> plan(Canvas canvas, Brief brief) {
    Box box = new Box(canvas, brief, Stage.set(canvas, brief));
    return List.of(
        new Step("sky", "Lighting the box", box::sky),
        new Step("land", "Cutting the land", box::land),
        new Step("figure", "Cutting the subject", box::figures),
        new Step("frame", "Cutting the frame", box::frame),
        new Step("texture", "Feeling the paper", box::finish));
  }

  private record Box(Canvas canvas, Brief brief, Stage stage) {

    private Palette palette() {
      return brief.palette();
    }

    void sky() {
      Ramp ramp =
          new Ramp(
              Tint.mix(palette().skyLow(), palette().light(), 0.4),
              palette().skyLow(),
              palette().skyHigh());
      canvas.fill(
          canvas.bounds(),
          (x, y, grain) -> {
            double away = Math.hypot(x - stage.sunX(), y - stage.sunY()) / 760;
            return 0xFF000000 | ramp.at(away + (grain - 0.5) * 0.02);
          });
      double r = stage.sunRadius();
      for (int ring = 3; ring >= 0; ring--) {
        int color = Tint.mix(palette().glow(), palette().skyHigh(), ring * 0.16);
        sheet(Canvas.disc(stage.sunX(), stage.sunY(), r * (0.82 + ring * 0.22)), color, 0.6);
      }
      Dice dice = brief.dice().fork("clouds");
      for (int i = 0; i < 4; i++) {
        double x = canvas.width() * dice.between(0.1, 0.9);
        double y = canvas.height() * dice.between(0.16, 0.42);
        sheet(
            cloud(x, y, dice.between(80, 150), dice),
            Tint.mix(palette().skyLow(), palette().light(), 0.75),
            0.8);
      }
    }

    private static Shape cloud(double x, double y, double size, Dice dice) {
      Path2D.Double puffs = new Path2D.Double(Path2D.WIND_NON_ZERO);
      for (int i = -2; i <= 2; i++) {
        double r = size * (0.36 - 0.07 * Math.abs(i)) * dice.between(0.85, 1.15);
        puffs.append(Canvas.disc(x + i * size * 0.3, y - r * 0.45, r), false);
      }
      Area cloud = new Area(puffs);
      cloud.subtract(new Area(new Rectangle2D.Double(x - size * 2, y, size * 4, size)));
      return cloud;
    }

    void land() {
      List<Layer> layers = stage.layers();
      int hold = floating() ? Stage.WAVES_IN_FRONT : 0;
      layers.subList(0, layers.size() - hold).forEach(this::layer);
    }

    private boolean floating() {
      return !stage.cast().isEmpty() && stage.afloat(stage.cast().getFirst());
    }

    private void layer(Layer layer) {
      int color = palette().depth().at(layer.depth());
      boolean snow = brief.reading().land() == Land.SNOW;
      if (!layer.growth().getBounds2D().isEmpty()) {
        int growth =
            snow
                ? Tint.mix(color, palette().ink(), 0.3 + 0.4 * layer.depth())
                : Tint.mix(color, palette().ink(), 0.16);
        sheet(layer.growth(), growth, 0.7);
      }
      sheet(layer.ground(), color, 0.7 + layer.depth() * 0.6);
      if (layer.water()) {
        canvas.line(layer.ground(), 2.2, Tint.mix(color, palette().light(), 0.55), 0.8);
      }
    }

    void figures() {
      for (int i = stage.cast().size() - 1; i >= 0; i--) {
        Figure figure = stage.cast().get(i);
        Rectangle2D box = figure.bounds();
        Coat coat = brief.coat(figure);
        if (figure.habit() == Habit.PERCH) {
          Dice dice = brief.dice().fork("branch");
          sheet(
              Foreground.perch(figure, canvas.width(), brief.mirrored(), dice), palette().ink(), 1);
        }
        canvas.shadow(figure.outline(), 10, 16, 26, palette().ink(), 0.5);
        for (Figure.Part part : figure.parts()) {
          canvas.shadow(part.shape(), 2, 4, 9, 0x000000, 0.34);
          canvas.fill(part.shape(), paper(coat.of(part.tone()), box));
        }
      }
      if (floating()) {
        List<Layer> layers = stage.layers();
        layers.subList(layers.size() - Stage.WAVES_IN_FRONT, layers.size()).forEach(this::layer);
      }
    }

    void frame() {
      Dice dice = brief.dice().fork("frame");
      int[] colors = {
        Tint.mix(palette().near(), palette().mid(), 0.25),
        Tint.mix(palette().ink(), palette().near(), 0.45),
        palette().paper()
      };
      if (brief.reading().land() == Land.SNOW) {
        colors[0] = Tint.mix(palette().ink(), palette().far(), 0.45);
        colors[1] = palette().ink();
      }
      for (int i = 0; i < colors.length; i++) {
        Shape opening = opening(i, dice);
        canvas.shadow(opening, 8, 14, 33, Tint.mix(palette().ink(), 0x000000, 0.3), 0.5);
        Shader shader = paper(colors[i], canvas.bounds());
        if (i < 2) {
          // The leaves are filled on their own: in one path they would cut holes into the sheet.
          Shape leaves = leaves(i, dice);
          canvas.shadow(leaves, 8, 14, 26, Tint.mix(palette().ink(), 0x000000, 0.3), 0.45);
          canvas.fill(leaves, shader);
        }
        canvas.fill(opening, shader);
      }
    }

    /** A sheet with a wavy hole. */
    private Shape opening(int index, Dice dice) {
      Noise noise = dice.noise();
      double width = canvas.width();
      double height = canvas.height();
      double rim = index == 2 ? 26 : 62 - index * 22;
      Path2D.Double hole = new Path2D.Double();
      int points = 240;
      for (int i = 0; i <= points; i++) {
        double a = 2 * Math.PI * i / points;
        double wave =
            (noise.fbm(3 + 1.6 * Math.cos(a), 3 + 1.6 * Math.sin(a), 2) - 0.4)
                * (index == 2 ? 26 : 120);
        double x = Math.copySign(Math.pow(Math.abs(Math.cos(a)), 0.42), Math.cos(a));
        double y = Math.copySign(Math.pow(Math.abs(Math.sin(a)), 0.42), Math.sin(a));
        double px = width / 2 + x * (width / 2 - rim - wave);
        double py = height / 2 + y * (height / 2 - rim - wave);
        if (i == 0) {
          hole.moveTo(px, py);
        } else {
          hole.lineTo(px, py);
        }
      }
      hole.closePath();
      Area sheet = new Area(new Rectangle2D.Double(-40, -40, width + 80, height + 80));
      sheet.subtract(new Area(hole));
      return sheet;
    }

    private Shape leaves(int index, Dice dice) {
      Path2D.Double sheet = new Path2D.Double(Path2D.WIND_NON_ZERO);
      double width = canvas.width();
      double height = canvas.height();
      double side = Math.min(width, height);
      int count = 5;
      for (int i = 0; i < count; i++) {
        double t = (i + dice.between(0.1, 0.5)) / count;
        double size = side * dice.between(0.14, 0.24) * (index == 0 ? 1.15 : 0.9);
        double left = height * (0.52 + 0.5 * t);
        double right = height * (0.52 + 0.5 * ((t + 0.13) % 1));
        sheet.append(
            Flora.frond(0, left, size * 1.05, -0.9 + dice.between(-0.3, 0.3), 0.6, dice), false);
        sheet.append(
            Flora.frond(
                width, right, size * 1.05, Math.PI + 0.9 + dice.between(-0.3, 0.3), -0.6, dice),
            false);
        double x = width * (i < 3 ? 0.02 + 0.09 * i : 0.98 - 0.09 * (i - 3));
        sheet.append(
            Flora.frond(
                x, -5, size * 0.9, Math.PI / 2 + (i < 3 ? -0.4 : 0.4), i < 3 ? -0.5 : 0.5, dice),
            false);
      }
      return sheet;
    }

    void finish() {
      new Weather(canvas, brief).draw();
      Finish.paper(canvas, brief.dice().fork("paper").noise(), 10);
      Finish.vignette(canvas, 0.22);
    }

    private void sheet(Shape shape, int color, double lift) {
      canvas.shadow(
          shape, 5 * lift, 9 * lift, 22 * lift, Tint.mix(palette().ink(), 0x000000, 0.3), 0.5);
      canvas.fill(shape, paper(color, shape.getBounds2D()));
    }

    /** Coloured paper: a little brighter where the light falls on it. */
    private static Shader paper(int color, Rectangle2D box) {
      Ramp ramp = new Ramp(Tint.lift(color, 0.035), color, Tint.lift(color, -0.035));
      double reach = Math.max(60, box.getHeight() + box.getWidth() * 0.3);
      return (x, y, grain) ->
          0xFF000000
              | ramp.at(
                  (y - box.getMinY() + (x - box.getMinX()) * 0.3) / reach + (grain - 0.5) * 0.12);
    }
  }
}
