package dev.millrace.sketch.scene;

import dev.millrace.sketch.canvas.Canvas;
import dev.millrace.sketch.canvas.Dice;
import dev.millrace.sketch.canvas.Noise;
import dev.millrace.sketch.canvas.Palette;
import dev.millrace.sketch.canvas.Shader;
import dev.millrace.sketch.canvas.Tint;
import dev.millrace.sketch.subject.Brief;
import dev.millrace.sketch.subject.Touch;
import java.awt.Shape;
import java.awt.geom.Area;
import java.awt.geom.Path2D;
import java.awt.geom.RoundRectangle2D;

/** Sun or moon, stars and clouds of a printed sky. */
public final class Heavens {

  private final Canvas canvas;
  private final Brief brief;
  private final Stage stage;
  private final Dice dice;

  public Heavens(Canvas canvas, Brief brief, Stage stage) {
    this.canvas = canvas;
    this.brief = brief;
    this.stage = stage;
    this.dice = brief.dice().fork("heavens");
  }

  public void draw() {
    boolean dark = Tint.lightness(brief.palette().skyHigh()) < 0.45;
    if (dark || brief.reading().has(Touch.STARS)) {
      stars(dark ? 150 : 50);
    }
    rays();
    light(brief.reading().atNight() || brief.reading().has(Touch.MOON));
    clouds();
    if (brief.reading().has(Touch.BIRDS) || dice.chance(0.45)) {
      birds();
    }
  }

  private void stars(int count) {
    for (int i = 0; i < count; i++) {
      double y = canvas.height() * 0.62 * dice.unit() * dice.unit();
      canvas.dot(
          canvas.width() * dice.unit(),
          y,
          dice.between(0.8, 2.6),
          brief.palette().light(),
          dice.between(0.4, 0.95));
    }
  }

  private void rays() {
    Palette palette = brief.palette();
    if (Tint.lightness(palette.skyHigh()) < 0.45 || !dice.chance(0.55)) {
      return;
    }
    int count = 18;
    double far = canvas.width() + canvas.height();
    double turn = dice.unit();
    Path2D.Double rays = new Path2D.Double();
    for (int i = 0; i < count; i++) {
      double a = 2 * Math.PI * (i + turn) / count;
      double b = a + Math.PI / count;
      rays.moveTo(stage.sunX(), stage.sunY());
      rays.lineTo(stage.sunX() + far * Math.cos(a), stage.sunY() + far * Math.sin(a));
      rays.lineTo(stage.sunX() + far * Math.cos(b), stage.sunY() + far * Math.sin(b));
      rays.closePath();
    }
    int color = 0x00FFFFFF & palette.glow();
    canvas.fill(
        rays,
        (x, y, grain) -> {
          double away = Math.hypot(x - stage.sunX(), y - stage.sunY()) / 900;
          return grain < 0.34 - away * 0.3 ? 0xB0000000 | color : 0;
        });
  }

  private void light(boolean moon) {
    Palette palette = brief.palette();
    double x = stage.sunX();
    double y = stage.sunY();
    double r = stage.sunRadius();
    for (int ring = 3; ring >= 1; ring--) {
      double reach = r * (1 + 0.2 * ring);
      int color = palette.glow();
      canvas.fill(
          Canvas.disc(x, y, reach), (px, py, grain) -> grain < 0.22 ? 0xFF000000 | color : 0);
    }
    int rim =
        moon
            ? Tint.mix(palette.glow(), palette.skyHigh(), 0.25)
            : Tint.mix(palette.glow(), palette.accent(), 0.35);
    canvas.fill(
        Canvas.disc(x, y, r),
        Shader.stipple(palette.glow(), rim, (px, py) -> Noise.clamp((py - y) / r * 0.5 + 0.18)));
    if (moon) {
      for (int i = 0; i < 7; i++) {
        double angle = dice.between(0, 6.28);
        double out = r * Math.sqrt(dice.unit()) * 0.75;
        canvas.fill(
            Canvas.disc(
                x + out * Math.cos(angle), y + out * Math.sin(angle), r * dice.between(0.05, 0.17)),
            (px, py, grain) -> grain < 0.55 ? 0xFF000000 | rim : 0);
      }
    }
  }

  private void clouds() {
    Palette palette = brief.palette();
    int count = brief.reading().has(Touch.MIST) ? 9 : 4 + dice.below(3);
    int color = Tint.mix(palette.skyLow(), palette.light(), 0.6);
    for (int i = 0; i < count; i++) {
      double x = canvas.width() * dice.unit();
      double y = canvas.height() * dice.between(0.1, 0.48);
      Shape cloud = streak(x, y, dice.between(120, 300));
      double left = cloud.getBounds2D().getMinX();
      double wide = cloud.getBounds2D().getWidth();
      canvas.fill(
          cloud,
          (px, py, grain) ->
              grain < 0.92 - 0.75 * Math.abs((px - left) / wide - 0.35) ? 0xE8000000 | color : 0);
    }
  }

  /** A flat cloud: rounded bars of different lengths, one on another. */
  private Shape streak(double x, double y, double length) {
    Area cloud = new Area();
    int bars = 2 + dice.below(3);
    for (int i = 0; i < bars; i++) {
      double wide = length * dice.between(0.45, 1);
      double tall = 17;
      double left = x - wide / 2 + dice.between(-0.3, 0.3) * length;
      cloud.add(new Area(new RoundRectangle2D.Double(left, y + i * 13, wide, tall, tall, tall)));
    }
    return cloud;
  }

  private void birds() {
    double x =
        canvas.width()
            * (stage.sunX() > canvas.width() / 2
                ? dice.between(0.14, 0.3)
                : dice.between(0.66, 0.82));
    double y = canvas.height() * dice.between(0.18, 0.3);
    for (int i = 0; i < 6; i++) {
      double bx = x + dice.bell() * 62;
      double by = y + dice.bell() * 30;
      double s = dice.between(9, 17);
      Path2D.Double bird = new Path2D.Double();
      bird.moveTo(bx - s, by - s * 0.35);
      bird.quadTo(bx - s * 0.4, by - s * 0.55, bx, by);
      bird.quadTo(bx + s * 0.4, by - s * 0.6, bx + s, by - s * 0.45);
      canvas.line(bird, 2.4, brief.palette().ink(), 0.8);
    }
  }
}
