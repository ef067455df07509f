package dev.millrace.sketch;

import dev.millrace.sketch.canvas.Canvas;
import dev.millrace.sketch.canvas.Dice;
import dev.millrace.sketch.canvas.Finish;
import dev.millrace.sketch.canvas.Lettering;
import dev.millrace.sketch.canvas.Png;
import dev.millrace.sketch.painter.Step;
import dev.millrace.sketch.painter.Style;
import dev.millrace.sketch.subject.Brief;
import java.awt.Shape;
import java.awt.geom.Rectangle2D;
import java.awt.geom.RoundRectangle2D;
import java.util.ArrayList;
import java.util.List;

/**
 * A contact sheet: strips of film on a dark table, one frame for each item. The text of an item is
 * its prompt, its seed and the choice of its style, so the same item always gets the same frame.
 */
final class Sheet {

  private static final int PIXELS = 1600;
  private static final int FEWEST_COLUMNS = 3;
  private static final int MOST_COLUMNS = 8;

  /** Below this many pixels a frame is drawn at twice its size, so that fine lines survive. */
  private static final int SMALL_FRAME = 256;

  private static final double MARGIN = 0.035;
  private static final double HEAD = 0.095;
  private static final double TITLE = 0.021;

  /** Parts of a frame's side: between strips, beside a frame, and above and below it. */
  private static final double GAP = 0.1;

  private static final double BESIDE = 0.05;
  private static final double RIM = 0.2;
  private static final int HOLES = 7;

  private static final int TABLE = 0x2D2A26;
  private static final int FILM = 0x0C0B0B;
  private static final int BLANK = 0x191715;
  private static final int LIGHT = 0xF1E7D6;
  private static final int AMBER = 0xE8A33D;

  private final SheetInput input;
  private final int columns;
  private final int rows;
  private final Canvas canvas;
  private final double side;

  private Sheet(SheetInput input, int columns, int rows) {
    this.input = input;
    this.columns = columns;
    this.rows = rows;
    double part = (1 - 2 * MARGIN) / columns / (1 + 2 * BESIDE);
    double height = HEAD + rows * part * (1 + 2 * RIM + GAP) - part * GAP + MARGIN;
    this.canvas = new Canvas(PIXELS, (int) Math.round(height * PIXELS));
    this.side = part * canvas.width();
  }

  /** As square as it goes, and with at least one strip, even if nothing is on it. */
  static Sheet of(SheetInput input) {
    int count = Math.max(1, input.items().size());
    int columns = Math.clamp((int) Math.ceil(Math.sqrt(count)), FEWEST_COLUMNS, MOST_COLUMNS);
    return new Sheet(input, columns, (count + columns - 1) / columns);
  }

  List<Step> plan() {
    List<Step> steps = new ArrayList<>();
    steps.add(new Step("composing", "Laying out the strips", this::strips));
    int count = input.items().size();
    for (int i = 0; i < count; i++) {
      int index = i;
      String message = "Drawing item %d of %d".formatted(i + 1, count);
      steps.add(new Step("drawing", message, () -> item(index)));
    }
    steps.add(new Step("texture", "Dusting the table", this::finish));
    return steps;
  }

  /** The finished sheet; nothing can be drawn afterwards. */
  byte[] encode() {
    byte[] png = Png.encode(canvas.image());
    canvas.close();
    return png;
  }

  private void strips() {
    canvas.fill(canvas.bounds(), TABLE);
    double unit = canvas.width();
    double left = MARGIN * unit;
    double height = TITLE * unit;
    double top = (HEAD * unit - height) / 2;
    String count = input.items().size() + (input.items().size() == 1 ? " ITEM" : " ITEMS");
    double right = unit - left - Lettering.width(count.length(), height * 0.7);
    String title = Lettering.spelt(input.title(), height, right - 2 * left);
    Lettering.write(canvas, title, left, top, height, LIGHT);
    Lettering.write(canvas, count, right, top + height * 0.15, height * 0.7, AMBER);
    for (int row = 0; row < rows; row++) {
      strip(row);
    }
  }

  private void strip(int row) {
    double left = MARGIN * canvas.width();
    double top = top(row);
    Shape film =
        new RoundRectangle2D.Double(
            left, top, canvas.width() - 2 * left, side * (1 + 2 * RIM), side * 0.04, side * 0.04);
    canvas.shadow(film, 0, side * 0.025, side * 0.06, 0x000000, 0.6);
    canvas.fill(film, FILM);
    for (int column = 0; column < columns; column++) {
      Rectangle2D frame = frame(row, column);
      canvas.fill(frame, BLANK);
      double pitch = side * (1 + 2 * BESIDE) / HOLES;
      for (int i = 0; i < HOLES; i++) {
        double x = frame.getX() - side * BESIDE + (i + 0.5) * pitch;
        hole(x, frame.getY() - side * 0.07);
        hole(x, frame.getMaxY() + side * 0.07);
      }
    }
  }

  private void hole(double x, double y) {
    double width = side * 0.062;
    double height = side * 0.075;
    canvas.fill(
        new RoundRectangle2D.Double(
            x - width / 2, y - height / 2, width, height, side * 0.025, side * 0.025),
        TABLE);
  }

  private void item(int index) {
    Rectangle2D frame = frame(index / columns, index % columns);
    String text = input.items().get(index);
    long seed = Dice.hash(text);
    Style[] styles = Style.values();
    Style style = styles[(int) Long.remainderUnsigned(seed, styles.length)];
    int pixels = (int) Math.round(side * canvas.scale());
    int drawn = pixels < SMALL_FRAME ? 2 * pixels : pixels;
    Canvas picture = new Canvas(drawn, drawn);
    style.painter().plan(picture, Brief.of(text, seed)).forEach(step -> step.draw().run());
    canvas.paste(picture, frame);
    picture.close();
    String number = String.valueOf(index + 1);
    double height = side * 0.055;
    double x = frame.getCenterX() - Lettering.width(number.length(), height) / 2;
    Lettering.write(canvas, number, x, frame.getMaxY() + side * 0.126, height, AMBER);
  }

  private void finish() {
    Finish.paper(canvas, new Dice(Dice.hash(input.title())).noise(), 4);
  }

  private double top(int row) {
    return HEAD * canvas.width() + row * side * (1 + 2 * RIM + GAP);
  }

  private Rectangle2D frame(int row, int column) {
    double x = MARGIN * canvas.width() + side * (BESIDE + column * (1 + 2 * BESIDE));
    return new Rectangle2D.Double(x, top(row) + side * RIM, side, side);
  }
}
