package dev.millrace.sketch.scene;

import dev.millrace.sketch.canvas.Canvas;
import dev.millrace.sketch.canvas.Dice;
import java.awt.Shape;
import java.awt.geom.FlatteningPathIterator;
import java.awt.geom.Path2D;
import java.awt.geom.PathIterator;
import java.awt.geom.Point2D;
import java.util.ArrayList;
import java.util.List;

/** Finds the few points that still tell what an outline is, and draws stars there. */
public final class Constellation {

  private Constellation() {}

  /** The rings of an outline, each thinned to its telling points. */
  public static List<List<Point2D>> of(Shape outline, double tolerance) {
    List<List<Point2D>> rings = new ArrayList<>();
    List<Point2D> ring = new ArrayList<>();
    double[] at = new double[6];
    for (PathIterator it = new FlatteningPathIterator(outline.getPathIterator(null), 0.4);
        !it.isDone();
        it.next()) {
      int kind = it.currentSegment(at);
      if (kind == PathIterator.SEG_MOVETO) {
        ring = new ArrayList<>();
        rings.add(ring);
      }
      if (kind != PathIterator.SEG_CLOSE) {
        ring.add(new Point2D.Double(at[0], at[1]));
      }
    }
    List<List<Point2D>> thinned = new ArrayList<>();
    for (List<Point2D> full : rings) {
      List<Point2D> thin = thinRing(full, tolerance);
      if (thin.size() >= 4) {
        thinned.add(thin);
      }
    }
    return thinned;
  }

  public static void draw(Canvas canvas, List<Point2D> ring, int color, Dice dice) {
    Path2D.Double lines = new Path2D.Double();
    for (int i = 0; i <= ring.size(); i++) {
      Point2D p = ring.get(i % ring.size());
      if (i == 0) {
        lines.moveTo(p.getX(), p.getY());
      } else {
        lines.lineTo(p.getX(), p.getY());
      }
    }
    canvas.line(lines, 5, color, 0.10);
    canvas.line(lines, 1.5, color, 0.62);
    for (Point2D p : ring) {
      star(canvas, p.getX(), p.getY(), dice.between(2.4, 5.2), color);
    }
  }

  /** A bright star with a halo and four fine points. */
  static void star(Canvas canvas, double x, double y, double size, int color) {
    canvas.glow(x, y, size * 6.5, color, 0.5);
    Path2D.Double points = new Path2D.Double();
    double reach = size * 3.2;
    double waist = size * 0.34;
    for (int i = 0; i < 8; i++) {
      double angle = Math.PI * i / 4;
      double r = i % 2 == 0 ? reach : waist;
      double px = x + r * Math.cos(angle);
      double py = y + r * Math.sin(angle);
      if (i == 0) {
        points.moveTo(px, py);
      } else {
        points.lineTo(px, py);
      }
    }
    points.closePath();
    canvas.fill(points, 0xFFFFFF, 0.9);
    canvas.dot(x, y, size * 0.72, 0xFFFFFF, 1);
  }

  /** Splits a closed ring at two far points, since thinning needs open ends. */
  private static List<Point2D> thinRing(List<Point2D> ring, double tolerance) {
    if (ring.size() < 4) {
      return ring;
    }
    int far = 0;
    for (int i = 0; i < ring.size(); i++) {
      if (ring.get(i).distance(ring.getFirst()) > ring.get(far).distance(ring.getFirst())) {
        far = i;
      }
    }
    List<Point2D> thin = new ArrayList<>();
    thin.add(ring.getFirst());
    thin(ring, 0, far, tolerance, thin);
    thin.add(ring.get(far));
    thin(ring, far, ring.size() - 1, tolerance, thin);
    return thin;
  }

  private static void thin(
      List<Point2D> ring, int from, int to, double tolerance, List<Point2D> kept) {
    int worst = -1;
    double most = tolerance;
    Point2D a = ring.get(from);
    Point2D b = ring.get(to);
    for (int i = from + 1; i < to; i++) {
      Point2D p = ring.get(i);
      double off =
          java.awt.geom.Line2D.ptSegDist(
              a.getX(), a.getY(), b.getX(), b.getY(), p.getX(), p.getY());
      if (off > most) {
        most = off;
        worst = i;
      }
    }
    if (worst > 0) {
      thin(ring, from, worst, tolerance, kept);
      kept.add(ring.get(worst));
      thin(ring, worst, to, tolerance, kept);
    }
  }
}
