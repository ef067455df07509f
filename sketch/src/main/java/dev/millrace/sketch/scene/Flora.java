package dev.millrace.sketch.scene;

import dev.millrace.sketch.canvas.Canvas;
import dev.millrace.sketch.canvas.Dice;
import dev.millrace.sketch.canvas.Stencil;
import java.awt.BasicStroke;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;

/** Silhouettes of plants, each with its foot at the given point. */
public final class Flora {

  private Flora() {}

  static Shape conifer(double x, double foot, double height, Dice dice) {
    Path2D.Double tree = new Path2D.Double();
    int tiers = 6 + dice.below(3);
    double half = height * dice.between(0.17, 0.23);
    double lean = dice.between(-0.02, 0.02) * height;
    tree.moveTo(x + lean, foot - height);
    for (int side = 1; side >= -1; side -= 2) {
      for (int k = 0; k < tiers; k++) {
        // The left side is walked upwards, so that the outline closes.
        int i = side == 1 ? k : tiers - 1 - k;
        double t = (i + 1.0) / tiers;
        double y = foot - height * (0.97 - 0.87 * t);
        double out = half * Math.pow(t, 0.85) * dice.between(0.86, 1.1);
        double inner = out * 0.52;
        if (side == 1) {
          tree.quadTo(x + out * 0.42, y - height * 0.045, x + out, y + height * 0.02);
          tree.lineTo(x + inner, y - height * 0.004);
        } else {
          tree.lineTo(x - inner, y - height * 0.004);
          tree.lineTo(x - out, y + height * 0.02);
          tree.quadTo(x - out * 0.42, y - height * 0.045, x - inner * 0.7, y - height * 0.1);
        }
      }
      if (side == 1) {
        double trunk = height * 0.022;
        tree.lineTo(x + trunk, foot - height * 0.1);
        tree.lineTo(x + trunk, foot + height * 0.05);
        tree.lineTo(x - trunk, foot + height * 0.05);
        tree.lineTo(x - trunk, foot - height * 0.1);
      }
    }
    tree.closePath();
    return tree;
  }

  static Shape roundTree(double x, double foot, double height, Dice dice) {
    Path2D.Double tree = new Path2D.Double(Path2D.WIND_NON_ZERO);
    double trunk = height * 0.03;
    tree.append(
        Stencil.path("M-1 0 L1 0 L0.7 -16 L-0.7 -16 Z")
            .createTransformedShape(
                new AffineTransform(trunk, 0, 0, height * 0.034, x, foot + height * 0.04)),
        false);
    int puffs = 6;
    for (int i = 0; i < puffs; i++) {
      double angle = 2 * Math.PI * i / puffs + dice.between(-0.3, 0.3);
      double r = height * dice.between(0.15, 0.2);
      double cx = x + Math.cos(angle) * height * 0.15;
      double cy = foot - height * 0.68 + Math.sin(angle) * height * 0.15;
      tree.append(Canvas.disc(cx, cy, r), false);
    }
    tree.append(Canvas.disc(x, foot - height * 0.68, height * 0.2), false);
    return tree;
  }

  static Shape poplar(double x, double foot, double height, Dice dice) {
    double half = height * dice.between(0.1, 0.14);
    Path2D.Double tree = new Path2D.Double();
    tree.moveTo(x, foot - height);
    tree.curveTo(
        x + half * 1.3,
        foot - height * 0.7,
        x + half * 1.3,
        foot - height * 0.2,
        x + half * 0.2,
        foot - height * 0.1);
    tree.lineTo(x + half * 0.14, foot + height * 0.04);
    tree.lineTo(x - half * 0.14, foot + height * 0.04);
    tree.lineTo(x - half * 0.2, foot - height * 0.1);
    tree.curveTo(
        x - half * 1.3, foot - height * 0.2, x - half * 1.3, foot - height * 0.7, x, foot - height);
    tree.closePath();
    return tree;
  }

  static Shape cactus(double x, double foot, double height, Dice dice) {
    Path2D.Double arms = new Path2D.Double();
    double left = dice.between(0.3, 0.5);
    double right = dice.between(0.35, 0.6);
    arms.moveTo(x, foot + height * 0.05);
    arms.lineTo(x, foot - height);
    arms.moveTo(x, foot - height * left);
    arms.quadTo(
        x - height * 0.24, foot - height * left, x - height * 0.24, foot - height * (left + 0.32));
    arms.moveTo(x, foot - height * right);
    arms.quadTo(
        x + height * 0.22,
        foot - height * right,
        x + height * 0.22,
        foot - height * (right + 0.26));
    return new BasicStroke((float) (height * 0.12), BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND)
        .createStrokedShape(arms);
  }

  /** A tuft of blades that bend away from its middle. */
  static Shape grass(double x, double foot, double height, Dice dice) {
    Path2D.Double tuft = new Path2D.Double(Path2D.WIND_NON_ZERO);
    int blades = 6 + dice.below(4);
    for (int i = 0; i < blades; i++) {
      double spread = (i - (blades - 1) / 2.0) / blades;
      double tall = height * dice.between(0.6, 1) * (1 - Math.abs(spread) * 0.6);
      double root = x + spread * height * 0.3;
      double tip = x + spread * height * 1.5 + dice.between(-0.1, 0.1) * height;
      double thick = height * 0.035;
      tuft.moveTo(root - thick, foot);
      tuft.quadTo(root - thick, foot - tall * 0.6, tip, foot - tall);
      tuft.quadTo(root + thick * 1.4, foot - tall * 0.5, root + thick, foot);
      tuft.closePath();
    }
    return tuft;
  }

  /** A pointed leaf from a root, in a direction given in radians. */
  static Path2D.Double leaf(double x, double y, double length, double width, double angle) {
    Path2D.Double leaf = new Path2D.Double();
    leaf.moveTo(0, 0);
    leaf.curveTo(length * 0.25, -width * 0.7, length * 0.7, -width * 0.55, length, 0);
    leaf.curveTo(length * 0.7, width * 0.55, length * 0.25, width * 0.7, 0, 0);
    leaf.closePath();
    AffineTransform move = AffineTransform.getTranslateInstance(x, y);
    move.rotate(angle);
    leaf.transform(move);
    return leaf;
  }

  /** A bent frond with leaves on both sides. */
  public static Shape frond(
      double x, double y, double length, double angle, double bend, Dice dice) {
    Path2D.Double frond = new Path2D.Double(Path2D.WIND_NON_ZERO);
    int pairs = 13;
    double heading = angle;
    double px = x;
    double py = y;
    double step = length / pairs;
    Path2D.Double rib = new Path2D.Double();
    rib.moveTo(px, py);
    for (int i = 0; i < pairs; i++) {
      heading += bend / pairs;
      px += Math.cos(heading) * step;
      py += Math.sin(heading) * step;
      rib.lineTo(px, py);
      double t = (i + 1.0) / pairs;
      double size =
          length * 0.27 * Math.sin(Math.PI * Math.min(1, 0.18 + t * 0.8)) * dice.between(0.9, 1.08);
      frond.append(leaf(px, py, size, size * 0.3, heading + 0.95 - 0.3 * t), false);
      frond.append(leaf(px, py, size, size * 0.3, heading - 0.95 + 0.3 * t), false);
    }
    frond.append(leaf(px, py, length * 0.14, length * 0.045, heading), false);
    frond.append(new BasicStroke((float) (length * 0.014)).createStrokedShape(rib), false);
    return frond;
  }

  static Shape bush(double x, double foot, double size, Dice dice) {
    Path2D.Double bush = new Path2D.Double(Path2D.WIND_NON_ZERO);
    for (int i = 0; i < 5; i++) {
      double r = size * dice.between(0.22, 0.36);
      double cx = x + size * (i - 2) * 0.25;
      bush.append(new Ellipse2D.Double(cx - r, foot - r * 1.2, 2 * r, 2.2 * r), false);
    }
    return bush;
  }
}
