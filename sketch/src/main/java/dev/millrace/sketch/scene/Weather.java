package dev.millrace.sketch.scene;

import dev.millrace.sketch.canvas.Canvas;
import dev.millrace.sketch.canvas.Dice;
import dev.millrace.sketch.subject.Brief;
import dev.millrace.sketch.subject.Land;
import dev.millrace.sketch.subject.Touch;
import java.awt.geom.Line2D;

/** Snow and rain in front of everything. */
public final class Weather {

  private final Canvas canvas;
  private final Brief brief;

  public Weather(Canvas canvas, Brief brief) {
    this.canvas = canvas;
    this.brief = brief;
  }

  public void draw() {
    Dice dice = brief.dice().fork("weather");
    double area = canvas.width() * canvas.height() / 1e6;
    if (brief.reading().has(Touch.SNOWFALL) || brief.reading().land() == Land.SNOW) {
      for (int i = 0; i < 240 * area; i++) {
        double size = 1.2 + 4.2 * Math.pow(dice.unit(), 3);
        canvas.dot(
            canvas.width() * dice.unit(),
            canvas.height() * dice.unit(),
            size,
            0xFFFFFF,
            dice.between(0.55, 0.95));
      }
    }
    if (brief.reading().has(Touch.RAIN)) {
      for (int i = 0; i < 260 * area; i++) {
        double x = canvas.width() * dice.unit() * 1.1;
        double y = canvas.height() * dice.unit();
        double long_ = dice.between(18, 46);
        canvas.line(
            new Line2D.Double(x, y, x - long_ * 0.28, y + long_),
            1.2,
            brief.palette().light(),
            dice.between(0.2, 0.5));
      }
    }
  }
}
