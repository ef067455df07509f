package dev.millrace.sketch.painter;

import dev.millrace.sketch.canvas.Canvas;
import dev.millrace.sketch.canvas.Dice;
import dev.millrace.sketch.canvas.Finish;
import dev.millrace.sketch.canvas.Palette;
import dev.millrace.sketch.canvas.Tint;
import dev.millrace.sketch.scene.Tile;
import dev.millrace.sketch.subject.Brief;
import dev.millrace.sketch.subject.Coat;
import dev.millrace.sketch.subject.Figure;
import dev.millrace.sketch.subject.Land;
import dev.millrace.sketch.subject.Palettes;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;

/** Circles, bars and triangles on a strict grid; the subject takes the largest field. */
final class BauhausPainter implements Painter {

  @Override
  public List<Step> plan(Canvas canvas, Brief brief) {
    Sheet sheet = new Sheet(canvas, brief, new ArrayList<>());
    return List.of(
        new Step("grid", "Ruling the grid", sheet::grid),
        new Step("tiles", "Setting the small fields", sheet::tiles),
        new Step("figure", "Building the large field", sheet::hero),
        new Step("texture", "Printing", sheet::finish));
  }

  private record Sheet(Canvas canvas, Brief brief, List<Rectangle2D> fields) {

    private static final int ACROSS = 6;
    private static final double MARGIN = 40;

    private int[] colors() {
      Palette p = brief.palette();
      boolean snow = brief.reading().land() == Land.SNOW;
      return new int[] {
        Tint.saturate(p.accent(), 1.05),
        snow ? Tint.mix(p.ink(), p.far(), 0.3) : p.near(),
        Tint.saturate(p.mid(), 1.15),
        Tint.mix(p.glow(), 0xF4B740, 0.55),
        Tint.saturate(p.skyHigh(), 1.15),
        Tint.mix(p.paper(), p.skyLow(), 0.5)
      };
    }

    /** Splits the sheet into fields; the first is the largest. */
    void grid() {
      canvas.fill(canvas.bounds(), brief.palette().paper());
      Dice dice = brief.dice().fork("grid");
      double inner = Math.min(canvas.width(), canvas.height()) - 2 * MARGIN;
      double cell = inner / ACROSS;
      int columns = (int) Math.round((canvas.width() - 2 * MARGIN) / cell);
      int rows = (int) Math.round((canvas.height() - 2 * MARGIN) / cell);
      double wide = (canvas.width() - 2 * MARGIN) / columns;
      double tall = (canvas.height() - 2 * MARGIN) / rows;
      boolean[][] taken = new boolean[columns][rows];
      int size = brief.reading().cast().isEmpty() ? 3 : 4;
      take(taken, dice.below(columns - size + 1), dice.below(rows - size + 1), size, wide, tall);
      for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
          if (!taken[column][row]) {
            boolean two = free(taken, column, row) && dice.chance(0.4);
            take(taken, column, row, two ? 2 : 1, wide, tall);
          }
        }
      }
    }

    private static boolean free(boolean[][] taken, int column, int row) {
      return column + 1 < taken.length
          && row + 1 < taken[0].length
          && !taken[column + 1][row]
          && !taken[column][row + 1]
          && !taken[column + 1][row + 1];
    }

    private void take(boolean[][] taken, int column, int row, int size, double wide, double tall) {
      for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) {
          taken[column + i][row + j] = true;
        }
      }
      fields.add(
          new Rectangle2D.Double(
              MARGIN + column * wide, MARGIN + row * tall, size * wide, size * tall));
    }

    void tiles() {
      Dice dice = brief.dice().fork("tiles");
      int[] colors = colors();
      int last = -1;
      for (Rectangle2D field : fields.subList(1, fields.size())) {
        int ground = dice.below(colors.length);
        while (ground == last) {
          ground = dice.below(colors.length);
        }
        last = ground;
        int mark = dice.below(colors.length);
        while (Tint.distance(colors[mark], colors[ground]) < 0.17) {
          mark =
              (mark + 1) % colors.length == ground
                  ? (mark + 2) % colors.length
                  : (mark + 1) % colors.length;
          if (dice.chance(0.08)) {
            break;
          }
        }
        int third = colors[(mark + 1 + dice.below(2)) % colors.length];
        Tile.draw(canvas, field, colors[ground], colors[mark], third, dice);
      }
    }

    void hero() {
      Rectangle2D field = fields.getFirst();
      Dice dice = brief.dice().fork("hero");
      int[] colors = colors();
      Palette palette = brief.palette();
      double size = Math.min(field.getWidth(), field.getHeight());
      double x = field.getCenterX();
      double y = field.getCenterY();
      int ground = Tint.mix(palette.paper(), palette.skyLow(), 0.7);
      canvas.fill(field, ground);
      if (brief.reading().cast().isEmpty()) {
        Tile.target(canvas, field, colors, dice);
        return;
      }
      List<Figure> cast = brief.reading().cast();
      int coat = Palettes.coat(brief.reading(), cast.getFirst(), palette);
      int sun =
          Tint.distance(coat, colors[3]) > 0.14
              ? colors[3]
              : Tint.mix(palette.light(), palette.skyHigh(), 0.35);
      canvas.fill(
          new Rectangle2D.Double(
              field.getX(), y + size * 0.2, field.getWidth(), field.getMaxY() - y - size * 0.2),
          colors[1]);
      canvas.fill(Tile.half(x, y + size * 0.2, size * 0.43), sun);
      Tile.stripes(canvas, field, y + size * 0.2, palette.light());
      double step = size / cast.size();
      for (int i = 0; i < cast.size(); i++) {
        double cx = x + (i - (cast.size() - 1) / 2.0) * step * 0.9;
        Figure figure =
            cast.get(i).within(cx, y + size * 0.03, step * 0.72, size * 0.64, brief.mirrored());
        Coat dress = brief.coat(cast.get(i));
        for (Figure.Part part : figure.parts()) {
          canvas.fill(part.shape(), dress.of(part.tone()));
        }
      }
    }

    void finish() {
      for (Rectangle2D field : fields) {
        canvas.line(field, 5, brief.palette().paper(), 1);
      }
      Finish.paper(canvas, brief.dice().fork("paper").noise(), 9);
    }
  }
}
