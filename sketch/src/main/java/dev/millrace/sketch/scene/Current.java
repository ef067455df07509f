package dev.millrace.sketch.scene;

import dev.millrace.sketch.canvas.Canvas;
import dev.millrace.sketch.canvas.Dice;
import dev.millrace.sketch.canvas.Noise;

/** The direction in which paint runs: slow noise, and a swirl around the light. */
public final class Current {

  private static final double CELL = 8;

  private final int columns;
  private final int rows;
  private final float[] dx;
  private final float[] dy;

  private Current(int columns, int rows) {
    this.columns = columns;
    this.rows = rows;
    this.dx = new float[columns * rows];
    this.dy = new float[columns * rows];
  }

  public static Current around(Canvas canvas, Stage stage, Dice dice) {
    int columns = (int) (canvas.width() / CELL) + 2;
    int rows = (int) (canvas.height() / CELL) + 2;
    Current current = new Current(columns, rows);
    Noise noise = dice.noise();
    double radius = stage.sunRadius() * 1.5 + canvas.height() * 0.04;
    double spin = dice.chance(0.5) ? Math.PI / 2 : -Math.PI / 2;
    for (int i = 0; i < columns * rows; i++) {
      int row = i / columns;
      double x = (i - row * columns) * CELL;
      double y = row * CELL;
      double drift = (noise.fbm(x / 420, y / 300, 3) - 0.5) * 5.2;
      double away = Math.hypot(x - stage.sunX(), y - stage.sunY());
      double pull = Math.exp(-Math.pow(away / radius, 3));
      double swirl = Math.atan2(y - stage.sunY(), x - stage.sunX()) + spin;
      double vx = Math.cos(drift) * (1 - pull) + Math.cos(swirl) * pull * 1.5;
      double vy = Math.sin(drift) * (1 - pull) + Math.sin(swirl) * pull * 1.5;
      double length = Math.max(1e-6, Math.hypot(vx, vy));
      current.dx[i] = (float) (vx / length);
      current.dy[i] = (float) (vy / length);
    }
    return current;
  }

  public double dx(double x, double y) {
    return dx[cell(x, y)];
  }

  public double dy(double x, double y) {
    return dy[cell(x, y)];
  }

  private int cell(double x, double y) {
    int column = Math.clamp((int) (x / CELL + 0.5), 0, columns - 1);
    int row = Math.clamp((int) (y / CELL + 0.5), 0, rows - 1);
    return row * columns + column;
  }
}
