package dev.millrace.sketch.scene;

import dev.millrace.sketch.canvas.Dice;
import dev.millrace.sketch.canvas.Layer;
import dev.millrace.sketch.subject.Figure;
import java.awt.Shape;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;

/** What stands closest to whoever looks: it frames the picture and hides where feet meet ground. */
public final class Foreground {

  private Foreground() {}

  /** Grass along the ground, low in the middle. */
  public static Shape verge(
      Layer nearest, double width, double height, double clearing, Dice dice) {
    Path2D.Double verge = new Path2D.Double(Path2D.WIND_NON_ZERO);
    for (double x = 0; x < width; x += dice.between(9, 26)) {
      double away = Math.abs(x - clearing) / width;
      double tall = height * dice.between(0.022, 0.05) * (0.75 + 1.3 * away);
      double foot = nearest.crest().at(x) + height * (0.05 + dice.between(0, 0.035));
      verge.append(Flora.grass(x, foot, tall, dice), false);
    }
    return verge;
  }

  /** Large fronds that rise in the lower corners. */
  public static Shape corners(double width, double height, Dice dice) {
    Path2D.Double fronds = new Path2D.Double(Path2D.WIND_NON_ZERO);
    double side = Math.min(width, height);
    for (int i = 0; i < 5; i++) {
      double reach = side * dice.between(0.2, 0.36);
      double inset = width * (0.02 + i * 0.032);
      double lean = 0.25 + 0.14 * i;
      fronds.append(
          Flora.frond(inset, height * 1.02, reach, -Math.PI / 2 + lean * 0.5, lean * 0.9, dice),
          false);
      fronds.append(
          Flora.frond(
              width - inset,
              height * 1.02,
              side * dice.between(0.2, 0.36),
              -Math.PI / 2 - lean * 0.5,
              -lean * 0.9,
              dice),
          false);
    }
    return fronds;
  }

  /** The branch on which a subject sits; it meets the feet, which an owl's tail hangs below. */
  public static Shape perch(Figure figure, double width, boolean fromLeft, Dice dice) {
    Rectangle2D box = figure.bounds();
    double tail = box.getHeight() * (figure.name().equals("owl") ? 0.11 : 0.01);
    return branch(box.getCenterX(), box.getMaxY() - tail, width, fromLeft, dice);
  }

  private static Shape branch(double x, double y, double width, boolean fromLeft, Dice dice) {
    double from = fromLeft ? -20 : width + 20;
    double to = x + (fromLeft ? 0.24 : -0.24) * width;
    Path2D.Double branch = new Path2D.Double(Path2D.WIND_NON_ZERO);
    branch.moveTo(from, y + 34);
    branch.curveTo(from + (x - from) * 0.5, y + 8, x, y - 2, to, y - 22);
    branch.curveTo(x, y + 14, from + (x - from) * 0.5, y + 38, from, y + 84);
    branch.closePath();
    for (int i = 0; i < 11; i++) {
      double t = i / 10.0;
      double lx = from + (to - from) * (0.12 + 0.88 * t);
      double ly = y + 26 - 46 * t + dice.between(-5, 5);
      if (Math.abs(lx - x) > width * 0.11) {
        double up = (i % 2 == 0 ? -1 : 1) * dice.between(0.5, 1.1);
        double along = fromLeft ? 0 : Math.PI;
        double size = dice.between(46, 80);
        branch.append(Flora.leaf(lx, ly, size, size * 0.42, along + (fromLeft ? up : -up)), false);
      }
    }
    return branch;
  }
}
