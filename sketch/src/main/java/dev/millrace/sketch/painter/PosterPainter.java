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
import dev.millrace.sketch.scene.Bloom;
import dev.millrace.sketch.scene.Foreground;
import dev.millrace.sketch.scene.Heavens;
import dev.millrace.sketch.scene.LandInk;
import dev.millrace.sketch.scene.Stage;
import dev.millrace.sketch.scene.Weather;
import dev.millrace.sketch.subject.Brief;
import dev.millrace.sketch.subject.Coat;
import dev.millrace.sketch.subject.Figure;
import dev.millrace.sketch.subject.Habit;
import dev.millrace.sketch.subject.Land;
import dev.millrace.sketch.subject.Tone;
import dev.millrace.sketch.subject.Touch;
import java.awt.Shape;
import java.awt.geom.Area;
import java.awt.geom.Rectangle2D;
import java.awt.geom.RoundRectangle2D;
import java.util.List;

/** A screen-printed travel poster: flat inks, dry-brush grain, a paper border. */
final class PosterPainter implements Painter {

  @Override
  public List<Step> plan(Canvas canvas, Brief brief) {
    Print print = new Print(canvas, brief, Stage.set(canvas, brief));
    return List.of(
        new Step("sky", "Rolling out the sky", print::sky),
        new Step("land", "Printing the land, far to near", print::land),
        new Step("figure", "Placing the subject", print::figures),
        new Step("foreground", "Growing the foreground", print::foreground),
        new Step("texture", "Pressing it on paper", print::paper));
  }

  private record Print(Canvas canvas, Brief brief, Stage stage) {

    private Palette palette() {
      return brief.palette();
    }

    void sky() {
      Ramp ramp =
          new Ramp(
              palette().skyHigh(),
              Tint.mix(palette().skyHigh(), palette().skyLow(), 0.62),
              palette().skyLow());
      double horizon = canvas.height() * 0.66;
      Noise drift = brief.dice().fork("sky").noise();
      canvas.fill(
          canvas.bounds(),
          (x, y, grain) -> {
            double t = y / horizon + (drift.at(x / 420, y / 90) - 0.5) * 0.16;
            // Rounding a grained value gives the broken edge between two inks.
            double inked = Math.floor((t + (grain - 0.5) * 0.13) * 9) / 8.5;
            return 0xFF000000 | ramp.at(inked);
          });
      new Heavens(canvas, brief, stage).draw();
    }

    void land() {
      List<Layer> layers = stage.layers();
      boolean afloat = !stage.cast().isEmpty() && stage.afloat(stage.cast().getFirst());
      int before = afloat ? layers.size() - Stage.WAVES_IN_FRONT : layers.size();
      for (int i = 0; i < before; i++) {
        layer(layers.get(i));
      }
    }

    void figures() {
      Dice dice = brief.dice().fork("branch");
      for (int i = stage.cast().size() - 1; i >= 0; i--) {
        Figure figure = stage.cast().get(i);
        Rectangle2D box = figure.bounds();
        Coat coat = brief.coat(figure);
        if (figure.habit() == Habit.PERCH) {
          canvas.fill(
              Foreground.perch(figure, canvas.width(), brief.mirrored(), dice), palette().ink());
        }
        for (Figure.Part part : figure.parts()) {
          canvas.fill(part.shape(), shaded(coat.of(part.tone()), box, part.tone()));
        }
      }
      List<Layer> layers = stage.layers();
      if (!stage.cast().isEmpty() && stage.afloat(stage.cast().getFirst())) {
        layers.subList(layers.size() - Stage.WAVES_IN_FRONT, layers.size()).forEach(this::layer);
      }
    }

    private Shader shaded(int color, Rectangle2D box, Tone tone) {
      boolean strong = tone == Tone.COAT || tone == Tone.SHADE;
      int dark = Tint.lift(color, strong ? -0.085 : -0.06);
      double away = brief.mirrored() ? box.getMinX() : box.getMaxX();
      return Shader.stipple(
          color,
          dark,
          (x, y) -> {
            double side = 1 - Math.abs(x - away) / box.getWidth();
            double low = (y - box.getMinY()) / box.getHeight();
            return Noise.clamp(side * 0.75 + low * 0.45 - 0.62);
          });
    }

    void foreground() {
      Layer nearest = stage.layers().getLast();
      Dice dice = brief.dice().fork("front");
      double width = canvas.width();
      double height = canvas.height();
      if (!nearest.water()) {
        double clearing =
            stage.cast().isEmpty() ? stage.sunX() : stage.cast().getFirst().bounds().getCenterX();
        boolean snow = brief.reading().land() == Land.SNOW;
        if (!snow) {
          canvas.fill(
              Foreground.verge(nearest, width, height, clearing, dice),
              Tint.mix(palette().near(), palette().ink(), 0.4));
        }
        if (brief.reading().has(Touch.FLOWERS) || brief.reading().land() == Land.MEADOW) {
          Bloom.scatter(canvas, brief, nearest, dice);
        }
        if (!snow) {
          canvas.fill(
              Foreground.corners(width, height, dice),
              Tint.mix(palette().near(), palette().ink(), 0.75));
        }
      }
      new Weather(canvas, brief).draw();
    }

    void paper() {
      double rim = 46;
      Area border = new Area(canvas.bounds());
      boolean arched = brief.dice().fork("border").chance(0.35);
      border.subtract(new Area(window(rim, arched)));
      canvas.fill(border, palette().paper());
      canvas.line(window(rim - 13, arched), 1.6, palette().ink(), 0.55);
      Finish.paper(canvas, brief.dice().fork("paper").noise(), 9);
    }

    private Shape window(double rim, boolean arched) {
      double width = canvas.width() - 2 * rim;
      double height = canvas.height() - 2 * rim;
      Area window = new Area(new Rectangle2D.Double(rim, rim, width, height));
      if (arched) {
        double side = Math.min(width, height * 0.8);
        Area corners = new Area(new Rectangle2D.Double(rim, rim, width, side / 2));
        corners.subtract(
            new Area(new RoundRectangle2D.Double(rim, rim, width, height * 2, side, side)));
        window.subtract(corners);
      }
      return window;
    }

    private void layer(Layer layer) {
      LandInk.print(canvas, brief, stage, layer);
    }
  }
}
