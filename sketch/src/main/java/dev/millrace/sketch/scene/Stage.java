package dev.millrace.sketch.scene;

import dev.millrace.sketch.canvas.Canvas;
import dev.millrace.sketch.canvas.Crest;
import dev.millrace.sketch.canvas.Dice;
import dev.millrace.sketch.canvas.Layer;
import dev.millrace.sketch.subject.Brief;
import dev.millrace.sketch.subject.Figure;
import dev.millrace.sketch.subject.Habit;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;

/**
 * Where things are in a landscape picture: the light behind the subject, so that it always stands
 * out, and the land around it.
 *
 * @param cast the subjects in their places, the main one first
 * @param sunX the middle of sun or moon
 */
public record Stage(
    List<Layer> layers, List<Figure> cast, double sunX, double sunY, double sunRadius) {

  /** How many sheets of water lie in front of a subject that floats. */
  public static final int WAVES_IN_FRONT = 3;

  public static Stage set(Canvas canvas, Brief brief) {
    Dice dice = brief.dice().fork("stage");
    double width = canvas.width();
    double height = canvas.height();
    List<Figure> wanted = brief.reading().cast();
    double heroX = width * (0.5 + dice.between(-0.06, 0.06));
    List<Layer> layers =
        Terrain.of(brief.reading().land(), width, height, heroX, brief.dice().fork("land"));
    if (layers.getLast().water()
        && !wanted.isEmpty()
        && wanted.getFirst().habit() == Habit.GROUND) {
      layers.add(headland(width, height, heroX));
    }
    boolean mirrored = brief.mirrored();
    List<Figure> cast = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      cast.add(place(wanted.get(i), i, heroX, width, height, layers, mirrored));
    }
    double side = Math.min(width, height);
    if (cast.isEmpty()) {
      double x = width * (mirrored ? dice.between(0.28, 0.42) : dice.between(0.58, 0.72));
      return new Stage(
          layers, cast, x, height * dice.between(0.3, 0.4), side * dice.between(0.12, 0.17));
    }
    Rectangle2D hero = cast.getFirst().bounds();
    double radius =
        Math.clamp(Math.max(hero.getWidth(), hero.getHeight()) * 0.62, side * 0.2, side * 0.31);
    double y = Math.min(height * 0.46, hero.getY() + hero.getHeight() * 0.32);
    return new Stage(layers, cast, hero.getCenterX() + side * dice.between(-0.05, 0.05), y, radius);
  }

  private static Figure place(
      Figure figure,
      int index,
      double heroX,
      double width,
      double height,
      List<Layer> layers,
      boolean mirrored) {
    double side = Math.min(width, height);
    double tall = side * 0.4 * Math.min(1.45, figure.stature()) * (index == 0 ? 1 : 0.52);
    Rectangle2D box = figure.bounds();
    double most = width * (index == 0 ? 0.62 : 0.3);
    tall = Math.min(tall, most * box.getHeight() / box.getWidth());
    double away = index == 0 ? 0 : (index == 1 ? 0.3 : -0.3) * width * (mirrored ? -1 : 1);
    double x = Math.clamp(heroX + away, width * 0.22, width * 0.78);
    double ground = layers.getLast().crest().at(x);
    return switch (figure.habit()) {
      case GROUND ->
          figure.standing(
              x, ground + height * 0.035 + (index > 0 ? 0 : height * 0.012), tall, mirrored);
      case WATER -> figure.standing(x, height * 0.775 + tall * 0.09, tall, mirrored);
      case AIR ->
          figure.standing(x, height * (index == 0 ? 0.40 : 0.26) + tall / 2, tall, mirrored);
      case PERCH -> figure.standing(x, height * 0.66, tall, mirrored);
    };
  }

  /** Dry land in the sea, for subjects that can't swim. */
  private static Layer headland(double width, double height, double x) {
    Crest crest =
        new Crest(
            width,
            at -> {
              double away = Math.abs(at - x) / (width * 0.4);
              double rock = 6 * Math.sin(at / 23) + 4 * Math.sin(at / 9.1);
              return height * (1.02 - 0.2 * Math.exp(-Math.pow(away, 3))) + rock;
            });
    return new Layer(crest, crest.ground(height + 10), new Path2D.Double(), 0.97, false);
  }

  public boolean afloat(Figure figure) {
    return figure.habit() == Habit.WATER && layers.getLast().water();
  }
}
