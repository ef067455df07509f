package dev.millrace.sketch.painter;

import dev.millrace.sketch.canvas.Canvas;
import dev.millrace.sketch.canvas.Dice;
import dev.millrace.sketch.canvas.Finish;
import dev.millrace.sketch.canvas.Layer;
import dev.millrace.sketch.canvas.Palette;
import dev.millrace.sketch.canvas.Ramp;
import dev.millrace.sketch.canvas.Tint;
import dev.millrace.sketch.scene.Current;
import dev.millrace.sketch.scene.FlowColors;
import dev.millrace.sketch.scene.Foreground;
import dev.millrace.sketch.scene.Stage;
import dev.millrace.sketch.subject.Brief;
import dev.millrace.sketch.subject.Coat;
import dev.millrace.sketch.subject.Figure;
import dev.millrace.sketch.subject.Habit;
import dev.millrace.sketch.subject.Tone;
import java.awt.geom.Area;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;

/** Thousands of strokes that follow one current; subject and light show by their colour alone. */
final class FlowPainter implements Painter {

  @Override
  public List<Step> plan(Canvas canvas, Brief brief) {
    Stage stage = Stage.set(canvas, brief);
    River river =
        new River(canvas, brief, stage, Current.around(canvas, stage, brief.dice().fork("field")));
    return List.of(
        new Step("ground", "Priming the canvas", river::ground),
        new Step("current", "Following the current", () -> river.strokes(0)),
        new Step("land", "Letting it run through the land", () -> river.strokes(1)),
        new Step("figure", "Bending it around the subject", river::figures),
        new Step("texture", "Letting the paint dry", river::finish));
  }

  private record River(Canvas canvas, Brief brief, Stage stage, Current current) {

    void ground() {
      Palette palette = brief.palette();
      Ramp ramp =
          new Ramp(
              Tint.mix(palette.skyHigh(), palette.ink(), 0.55),
              Tint.mix(palette.mid(), palette.ink(), 0.6),
              palette.ink());
      canvas.fill(
          canvas.bounds(),
          (x, y, grain) -> 0xFF000000 | ramp.at(y / canvas.height() + (grain - 0.5) * 0.05));
    }

    /** Two coats: broad and dark, then fine and bright. */
    void strokes(int coat) {
      Dice dice = brief.dice().fork("strokes" + coat);
      FlowColors colors = new FlowColors(canvas, brief, stage);
      double spacing = coat == 0 ? 11 : 8.5;
      double width = coat == 0 ? 7.5 : 3.6;
      double length = coat == 0 ? 120 : 78;
      int columns = (int) (canvas.width() / spacing) + 2;
      int rows = (int) (canvas.height() / spacing) + 2;
      int total = columns * rows;
      // A stride without a common divisor visits every place once, in an order that looks random.
      long stride = 7919;
      while (total % stride == 0) {
        stride += 2;
      }
      for (int i = 0; i < total; i++) {
        int at = (int) ((i * stride) % total);
        int row = at / columns;
        double x = (at % columns + dice.unit() - 0.5) * spacing;
        double y = (row + dice.unit() - 0.5) * spacing;
        int color = colors.at(x, y, dice);
        double lift = dice.bell() * (coat == 0 ? 0.018 : 0.03) - (coat == 0 ? 0.035 : -0.01);
        stroke(
            x,
            y,
            length * dice.between(0.5, 1.1),
            width * dice.between(0.55, 1.2),
            Tint.lift(color, lift),
            colors);
      }
    }

    private void stroke(
        double x, double y, double length, double width, int color, FlowColors colors) {
      Path2D.Double path = new Path2D.Double();
      path.moveTo(x, y);
      int region = colors.region(x, y);
      double px = x;
      double py = y;
      double step = 9;
      int steps = (int) (length / step);
      for (int i = 0; i < steps; i++) {
        double nx = px + current.dx(px, py) * step;
        py += current.dy(px, py) * step;
        px = nx;
        if (colors.region(px, py) != region) {
          break;
        }
        path.lineTo(px, py);
      }
      canvas.line(path, width, color, 1);
    }

    void figures() {
      Dice dice = brief.dice().fork("figure");
      for (int i = stage.cast().size() - 1; i >= 0; i--) {
        Figure figure = aboveWater(stage.cast().get(i));
        Coat coat = brief.coat(figure);
        if (figure.habit() == Habit.PERCH) {
          Figure.Part branch =
              new Figure.Part(
                  Tone.DARK, Foreground.perch(figure, canvas.width(), brief.mirrored(), dice));
          canvas.fill(branch.shape(), brief.palette().ink());
          hairs(branch, Tint.mix(brief.palette().ink(), brief.palette().near(), 0.5), dice);
        }
        canvas.shadow(figure.outline(), 0, 0, 34, brief.palette().ink(), 0.55);
        for (Figure.Part part : figure.parts()) {
          int color = coat.of(part.tone());
          canvas.fill(part.shape(), Tint.lift(color, -0.045));
          hairs(part, color, dice);
        }
      }
    }

    /** The part of a figure that the nearest waves don't hide. */
    private Figure aboveWater(Figure figure) {
      if (!stage.afloat(figure)) {
        return figure;
      }
      List<Layer> layers = stage.layers();
      Area waves = new Area(layers.get(layers.size() - Stage.WAVES_IN_FRONT).ground());
      List<Figure.Part> parts = new ArrayList<>();
      for (Figure.Part part : figure.parts()) {
        Area dry = new Area(part.shape());
        dry.subtract(waves);
        parts.add(new Figure.Part(part.tone(), dry));
      }
      return new Figure(figure.name(), figure.habit(), figure.coat(), figure.stature(), parts);
    }

    private void hairs(Figure.Part part, int color, Dice dice) {
      Rectangle2D box = part.shape().getBounds2D();
      if (Math.min(box.getWidth(), box.getHeight()) < 14) {
        return;
      }
      double spacing = 7;
      for (double gy = box.getMinY(); gy < box.getMaxY(); gy += spacing) {
        for (double gx = box.getMinX(); gx < box.getMaxX(); gx += spacing) {
          double x = gx + dice.between(-4, 4);
          double y = gy + dice.between(-4, 4);
          double lift = dice.bell() * 0.045 + 0.012;
          hair(part, x, y, Tint.lift(color, lift), dice);
        }
      }
    }

    private void hair(Figure.Part part, double x, double y, int color, Dice dice) {
      if (!part.shape().contains(x, y)) {
        return;
      }
      Path2D.Double path = new Path2D.Double();
      path.moveTo(x, y);
      double px = x;
      double py = y;
      int steps = 3 + dice.below(5);
      for (int i = 0; i < steps; i++) {
        double nx = px + current.dx(px, py) * 6;
        py += current.dy(px, py) * 6;
        px = nx;
        if (!part.shape().contains(px, py)) {
          break;
        }
        path.lineTo(px, py);
      }
      canvas.line(path, dice.between(1.6, 3), color, 0.9);
    }

    void finish() {
      Finish.vignette(canvas, 0.35);
      Finish.paper(canvas, brief.dice().fork("paper").noise(), 8);
    }
  }
}
