package dev.millrace.sketch.painter;

import dev.millrace.sketch.canvas.Canvas;
import dev.millrace.sketch.canvas.Dice;
import dev.millrace.sketch.canvas.Finish;
import dev.millrace.sketch.canvas.InkPen;
import dev.millrace.sketch.canvas.Noise;
import dev.millrace.sketch.canvas.Ramp;
import dev.millrace.sketch.canvas.Tint;
import dev.millrace.sketch.scene.Sprig;
import dev.millrace.sketch.subject.Brief;
import dev.millrace.sketch.subject.Coat;
import dev.millrace.sketch.subject.Figure;
import java.awt.geom.Rectangle2D;
import java.util.List;

/** A plate from a herbarium: ink and watercolour, a wreath around the subject or a bouquet. */
final class BotanicalPainter implements Painter {

  @Override
  public List<Step> plan(Canvas canvas, Brief brief) {
    Plate plate = new Plate(canvas, brief);
    return List.of(
        new Step("paper", "Choosing an old sheet", plate::paper),
        new Step("leaves", "Drawing the leaves", plate::leaves),
        new Step("flowers", "Opening the flowers", plate::flowers),
        new Step("figure", "Inking the subject", plate::figure),
        new Step("texture", "Letting it age", plate::finish));
  }

  private record Plate(Canvas canvas, Brief brief) {

    private int ink() {
      return Tint.mix(brief.palette().ink(), 0x2A2320, 0.5);
    }

    private InkPen pen(String part) {
      return new InkPen(canvas, brief.dice().fork("pigment" + part).noise(), ink());
    }

    private Sprig sprig(String part) {
      return new Sprig(pen(part), brief.dice().fork(part), brief.palette());
    }

    private boolean wreath() {
      return !brief.reading().cast().isEmpty();
    }

    private double side() {
      return Math.min(canvas.width(), canvas.height());
    }

    void paper() {
      int sheet = Tint.mix(brief.palette().paper(), 0xF6EEDC, 0.6);
      Ramp ramp = new Ramp(Tint.lift(sheet, 0.015), sheet, Tint.mix(sheet, 0xC9A978, 0.3));
      Noise stain = brief.dice().fork("stain").noise();
      double width = canvas.width();
      double height = canvas.height();
      canvas.fill(
          canvas.bounds(),
          (x, y, grain) -> {
            double edge = Math.hypot((x / width - 0.5) * 1.5, (y / height - 0.5) * 1.5);
            return 0xFF000000
                | ramp.at(
                    edge * edge * 0.75
                        + (stain.fbm(x / 170, y / 170, 4) - 0.5) * 0.7
                        + (grain - 0.5) * 0.05);
          });
      int wash = Tint.mix(sheet, brief.palette().skyHigh(), 0.35);
      double r = side() * (wreath() ? 0.33 : 0.3);
      double cy = height * (wreath() ? 0.48 : 0.42);
      canvas.fill(
          Canvas.disc(width / 2, cy, r * 1.3),
          (x, y, grain) -> {
            double away =
                Math.hypot(x - width / 2, y - cy) / r + (stain.fbm(x / 70, y / 70, 4) - 0.5) * 0.42;
            double pool = 0.36 + 0.4 * stain.fbm(x / 110 + 9, y / 110, 3);
            double rim = away > 0.93 && away < 1 ? 0.2 : 0;
            return away > 1 ? 0 : (int) (255 * Noise.clamp(pool + rim)) << 24 | wash;
          });
    }

    void leaves() {
      Dice dice = brief.dice().fork("layout");
      Sprig sprig = sprig("leaves");
      if (!wreath()) {
        bouquet(sprig, dice, 13, true);
        return;
      }
      double r = side() * 0.36;
      canvas.line(Canvas.disc(canvas.width() / 2, canvas.height() * 0.49, r), 3, ink(), 0.45);
      int one = dice.below(4);
      int other = (one + 1 + dice.below(3)) % 4;
      for (int i = 0; i < 17; i++) {
        double t = i / 16.0;
        for (int arm = -1; arm <= 1; arm += 2) {
          double angle = Math.PI / 2 + arm * (0.1 + 2.85 * t);
          double x = canvas.width() / 2 + Math.cos(angle) * r;
          double y = canvas.height() * 0.49 + Math.sin(angle) * r;
          double along = angle + arm * Math.PI / 2;
          // Outer sprigs turn away from the ring and inner ones into it, both with the growth.
          double flare = (i % 2 == 0 ? -0.55 : 0.5) * arm;
          double length = side() * dice.between(0.1, 0.14);
          sprig.branch(x, y, length, along + flare, arm * 0.45, i % 2 == 0 ? one : other);
        }
      }
    }

    private void bouquet(Sprig sprig, Dice dice, int count, boolean green) {
      double x = canvas.width() / 2;
      double y = canvas.height() * 0.93;
      double reach = Math.min(canvas.height() * 0.74, canvas.width() * 0.9);
      for (int i = 0; i < count; i++) {
        double spread = (i - (count - 1) / 2.0) / count * (green ? 2.1 : 1.5);
        double length =
            reach
                * dice.between(green ? 0.5 : 0.62, green ? 0.86 : 0.98)
                * (1 - Math.abs(spread) * 0.28);
        sprig.branch(
            x + spread * 26,
            y,
            length,
            -Math.PI / 2 + spread * 0.5,
            spread * 0.65,
            green ? dice.below(4) : 4 + dice.below(5));
      }
    }

    void flowers() {
      Dice dice = brief.dice().fork("blooms");
      Sprig sprig = sprig("flowers");
      if (!wreath()) {
        bouquet(sprig, dice, 9, false);
        return;
      }
      double r = side() * 0.36;
      double[] places = {0, -0.36, 0.38, -0.74, 0.78, -1.55, 1.62, -2.3, 2.25};
      for (int i = places.length - 1; i >= 0; i--) {
        double angle = Math.PI / 2 + places[i] + dice.between(-0.06, 0.06);
        double x = canvas.width() / 2 + Math.cos(angle) * r;
        double y = canvas.height() * 0.49 + Math.sin(angle) * r;
        double size = side() * (0.078 - 0.0052 * i) * dice.between(0.85, 1.1);
        if (i % 2 == 0) {
          sprig.poppy(x, y, size, sprig.petal(), angle);
        } else {
          sprig.daisy(x, y, size, sprig.petal());
        }
      }
    }

    void figure() {
      List<Figure> cast = brief.reading().cast();
      InkPen pen = pen("figure");
      double room = side() * 0.44;
      for (int i = 0; i < cast.size(); i++) {
        double step = room / cast.size();
        double x = canvas.width() / 2 + (i - (cast.size() - 1) / 2.0) * step * 1.05;
        Figure figure =
            cast.get(i)
                .within(
                    x,
                    canvas.height() * 0.475,
                    cast.size() == 1 ? room : step,
                    room,
                    brief.mirrored());
        Coat coat = brief.coat(cast.get(i));
        for (Figure.Part part : figure.parts()) {
          Rectangle2D box = part.shape().getBounds2D();
          boolean small = Math.max(box.getWidth(), box.getHeight()) < side() * 0.03;
          pen.draw(part.shape(), coat.of(part.tone()), small ? 0.7 : 1.7);
        }
      }
    }

    void finish() {
      double rim = 30;
      canvas.line(
          new Rectangle2D.Double(rim, rim, canvas.width() - 2 * rim, canvas.height() - 2 * rim),
          1.3,
          ink(),
          0.45);
      canvas.line(
          new Rectangle2D.Double(
              rim + 8, rim + 8, canvas.width() - 2 * rim - 16, canvas.height() - 2 * rim - 16),
          0.7,
          ink(),
          0.45);
      Finish.paper(canvas, brief.dice().fork("fibre").noise(), 9);
      Finish.vignette(canvas, 0.12);
    }
  }
}
