package dev.millrace.sketch.canvas;

import java.awt.geom.Path2D;
import java.util.Scanner;

/**
 * Reads outlines written as {@code M x y}, {@code L x y}, {@code Q x y x y}, {@code C x y x y x y}
 * and {@code Z}, all absolute. Figures are drawn in this notation because it can be edited by hand.
 */
public final class Stencil {

  private Stencil() {}

  public static Path2D.Double path(String outline) {
    Path2D.Double path = new Path2D.Double(Path2D.WIND_NON_ZERO);
    try (Scanner in = new Scanner(outline.replaceAll("([A-Z])", " $1 "))) {
      while (in.hasNext()) {
        String verb = in.next();
        switch (verb) {
          case "M" -> path.moveTo(number(in), number(in));
          case "L" -> path.lineTo(number(in), number(in));
          case "Q" -> path.quadTo(number(in), number(in), number(in), number(in));
          case "C" ->
              path.curveTo(number(in), number(in), number(in), number(in), number(in), number(in));
          case "Z" -> path.closePath();
          default -> throw new IllegalStateException("unknown verb " + verb + " in a stencil");
        }
      }
    }
    return path;
  }

  private static double number(Scanner in) {
    return Double.parseDouble(in.next());
  }
}
