package dev.millrace.sketch.subject;

import dev.millrace.sketch.canvas.Stencil;
import java.awt.BasicStroke;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Area;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;

/**
 * A stylised subject made of flat parts, back to front.
 *
 * @param coat its natural main colour
 * @param stature how tall it stands in a picture, where 1 is a fox
 */
public record Figure(String name, Habit habit, int coat, double stature, List<Part> parts) {

  /** One flat piece of a figure. */
  public record Part(Tone tone, Shape shape) {}

  public Figure {
    parts = List.copyOf(parts);
  }

  static Drawing draw(String name, Habit habit, int coat, double stature) {
    return new Drawing(name, habit, coat, stature);
  }

  public Rectangle2D bounds() {
    Rectangle2D all = parts.getFirst().shape().getBounds2D();
    for (Part part : parts) {
      all = all.createUnion(part.shape().getBounds2D());
    }
    return all;
  }

  /** The whole figure as one shape. */
  public Area outline() {
    Area area = new Area();
    for (Part part : parts) {
      area.add(new Area(part.shape()));
    }
    return area;
  }

  /** The same figure with its feet at a point, at a given height. */
  public Figure standing(double x, double feet, double height, boolean mirrored) {
    Rectangle2D box = bounds();
    double size = height / box.getHeight();
    AffineTransform move = AffineTransform.getTranslateInstance(x, feet);
    move.scale(mirrored ? -size : size, size);
    move.translate(-box.getCenterX(), -box.getMaxY());
    return transformed(move);
  }

  /** The same figure as large as fits into a box around a point. */
  public Figure within(double x, double y, double width, double height, boolean mirrored) {
    Rectangle2D box = bounds();
    double size = Math.min(width / box.getWidth(), height / box.getHeight());
    AffineTransform move = AffineTransform.getTranslateInstance(x, y);
    move.scale(mirrored ? -size : size, size);
    move.translate(-box.getCenterX(), -box.getCenterY());
    return transformed(move);
  }

  Figure transformed(AffineTransform move) {
    List<Part> moved = new ArrayList<>();
    for (Part part : parts) {
      moved.add(new Part(part.tone(), move.createTransformedShape(part.shape())));
    }
    return new Figure(name, habit, coat, stature, moved);
  }

  /** Collects the parts of a figure, drawn with feet near y = 100. */
  static final class Drawing {
    private final String name;
    private final Habit habit;
    private final int coat;
    private final double stature;
    private final List<Part> parts = new ArrayList<>();

    private Drawing(String name, Habit habit, int coat, double stature) {
      this.name = name;
      this.habit = habit;
      this.coat = coat;
      this.stature = stature;
    }

    Drawing part(Tone tone, String outline) {
      parts.add(new Part(tone, Stencil.path(outline)));
      return this;
    }

    /** A part and its mirror image across a vertical axis. */
    Drawing pair(Tone tone, double axis, String outline) {
      return both(tone, axis, Stencil.path(outline));
    }

    Drawing oval(Tone tone, double x, double y, double rx, double ry) {
      parts.add(new Part(tone, ellipse(x, y, rx, ry)));
      return this;
    }

    Drawing ovals(Tone tone, double axis, double x, double y, double rx, double ry) {
      return both(tone, axis, ellipse(x, y, rx, ry));
    }

    Drawing line(Tone tone, double width, String course) {
      parts.add(new Part(tone, stroked(width, Stencil.path(course))));
      return this;
    }

    Drawing lines(Tone tone, double axis, double width, String course) {
      return both(tone, axis, stroked(width, Stencil.path(course)));
    }

    Figure done() {
      return new Figure(name, habit, coat, stature, parts);
    }

    private Drawing both(Tone tone, double axis, Shape shape) {
      AffineTransform mirror = new AffineTransform(-1, 0, 0, 1, 2 * axis, 0);
      parts.add(new Part(tone, shape));
      parts.add(new Part(tone, mirror.createTransformedShape(shape)));
      return this;
    }

    private static Shape ellipse(double x, double y, double rx, double ry) {
      return new Ellipse2D.Double(x - rx, y - ry, 2 * rx, 2 * ry);
    }

    private static Shape stroked(double width, Path2D course) {
      return new BasicStroke((float) width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND)
          .createStrokedShape(course);
    }
  }
}
