package dev.millrace.sketch.scene;

import dev.millrace.sketch.canvas.Crest;
import dev.millrace.sketch.canvas.Dice;
import dev.millrace.sketch.canvas.Layer;
import dev.millrace.sketch.canvas.Noise;
import dev.millrace.sketch.subject.Land;
import java.awt.Shape;
import java.awt.geom.Path2D;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/** Lays out a landscape as sheets from far to near. */
public final class Terrain {

  private final double width;
  private final double height;
  private final double clearing;
  private final Dice dice;
  private final List<Layer> layers = new ArrayList<>();

  private Terrain(double width, double height, double clearing, Dice dice) {
    this.width = width;
    this.height = height;
    this.clearing = clearing;
    this.dice = dice;
  }

  /**
   * A landscape that leaves room for a subject around {@code clearing}, an x. The list may grow.
   */
  public static List<Layer> of(Land land, double width, double height, double clearing, Dice dice) {
    Terrain terrain = new Terrain(width, height, clearing, dice);
    switch (land) {
      case HILLS -> terrain.hills(Growth.MIXED, 0.5);
      case MEADOW -> terrain.hills(Growth.ROUND, 0.35);
      case FOREST -> terrain.hills(Growth.CONIFER, 1);
      case SNOW -> terrain.mountains(Growth.CONIFER, 0.6);
      case MOUNTAINS -> terrain.mountains(Growth.CONIFER, 0.8);
      case DESERT -> terrain.desert();
      case SEA -> terrain.sea();
      case CITY -> terrain.city();
    }
    return terrain.layers;
  }

  private enum Growth {
    NONE,
    CONIFER,
    ROUND,
    MIXED,
    CACTUS
  }

  private void hills(Growth growth, double density) {
    for (int i = 0; i < 6; i++) {
      double depth = i / 5.0;
      add(
          depth,
          rolling(0.46 + 0.36 * depth, 0.10 - 0.035 * depth, 420 + 160 * depth),
          growth,
          density);
    }
  }

  private void mountains(Growth growth, double density) {
    for (int i = 0; i < 3; i++) {
      double base = 0.56 + 0.07 * i;
      Noise noise = dice.noise();
      double tall = (0.36 - 0.07 * i) * height;
      double span = 430 - 60 * i;
      add(
          i * 0.18,
          x -> base * height - tall * (noise.ridged(x / span, 3.3, 5) - 0.42) * 1.25,
          Growth.NONE,
          0);
    }
    for (int i = 0; i < 4; i++) {
      double depth = 0.5 + i / 6.0;
      add(depth, rolling(0.62 + 0.21 * i / 3.0, 0.06, 480), growth, density);
    }
  }

  private void desert() {
    Noise mesa = dice.noise();
    add(
        0,
        x -> {
          double block = Noise.clamp((mesa.fbm(x / 260, 1, 2) - 0.5) * 9);
          return height * 0.6 - block * height * 0.13 - mesa.at(x / 30, 9) * 6;
        },
        Growth.NONE,
        0);
    for (int i = 1; i < 6; i++) {
      double depth = i / 5.0;
      add(depth, dunes(0.54 + 0.28 * depth), i >= 3 ? Growth.CACTUS : Growth.NONE, 0.25);
    }
  }

  private void sea() {
    Noise isle = dice.noise();
    add(
        0,
        x -> height * (0.60 - 0.2 * Math.max(0, isle.fbm(x / 330, 2, 4) - 0.42)),
        Growth.NONE,
        0);
    for (int i = 0; i < 6; i++) {
      double depth = 0.25 + 0.75 * i / 5.0;
      double base = height * (0.585 + 0.3 * Math.pow(i / 5.0, 1.25));
      double length = 70 + 36 * i;
      double swell = i == 0 ? 0 : 2.0 + 3.4 * i;
      double phase = dice.between(0, length);
      Noise noise = dice.noise();
      DoubleUnaryOperator waves =
          x -> {
            double t = (x + phase) / length;
            double cusp = Math.abs(Math.sin(Math.PI * t));
            return base
                - swell * (1.2 - Math.pow(cusp, 0.8)) * 1.6
                - swell * 2.2 * (noise.at(x / 300, 4) - 0.5);
          };
      Crest crest = new Crest(width, waves);
      layers.add(new Layer(crest, crest.ground(height + 10), new Path2D.Double(), depth, true));
    }
  }

  private void city() {
    for (int i = 0; i < 4; i++) {
      double depth = i / 5.0;
      double base = 0.5 + 0.07 * i;
      double tall = 0.26 - 0.03 * i;
      List<double[]> blocks = new ArrayList<>();
      for (double x = -20; x < width + 20; ) {
        double wide = dice.between(34, 80 + 12 * i);
        double middle = Math.abs(x + wide / 2 - clearing) / width;
        double lift = tall * dice.between(0.1, 1) * (0.35 + middle * 1.2);
        blocks.add(new double[] {x, x + wide, (base - lift) * height, dice.unit()});
        x += wide * dice.between(0.8, 1.05);
      }
      add(depth, x -> base * height, Growth.NONE, 0, Skyline.of(blocks, base * height));
    }
    add(0.8, rolling(0.75, 0.03, 500), Growth.ROUND, 0.7);
    add(1, rolling(0.83, 0.03, 600), Growth.NONE, 0);
  }

  private DoubleUnaryOperator rolling(double base, double amplitude, double span) {
    Noise noise = dice.noise();
    return x -> {
      // The ground under the subject is calm, so that it stands and doesn't slide.
      double near = Math.exp(-Math.pow((x - clearing) / 260, 2)) * Math.max(0, base - 0.7) * 5;
      double wave = (noise.fbm(x / span, 5, 3) - 0.5) * 2.2;
      return height * (base - amplitude * wave * (1 - Math.min(0.9, near)));
    };
  }

  private DoubleUnaryOperator dunes(double base) {
    Noise noise = dice.noise();
    double span = dice.between(380, 620);
    double shift = dice.between(0, 900);
    return x -> {
      double t = (x + shift) / span + 0.35 * noise.at(x / 400, 3);
      double saw = t - Math.floor(t);
      double dune = saw < 0.68 ? Math.pow(saw / 0.68, 1.6) : Math.pow((1 - saw) / 0.32, 1.25);
      return height * (base - 0.085 * dune + 0.03 * noise.at(x / 500, 8));
    };
  }

  private void add(double depth, DoubleUnaryOperator course, Growth growth, double density) {
    add(depth, course, growth, density, new Path2D.Double());
  }

  private void add(
      double depth, DoubleUnaryOperator course, Growth growth, double density, Path2D standing) {
    Crest crest = new Crest(width, course);
    if (growth != Growth.NONE) {
      plant(crest, depth, growth, density, standing);
    }
    layers.add(new Layer(crest, crest.ground(height + 10), standing, depth, false));
  }

  private void plant(Crest crest, double depth, Growth growth, double density, Path2D standing) {
    double size = height * 0.045 + height * 0.19 * Math.pow(depth, 1.7);
    Noise clump = dice.noise();
    for (double x = -size * 0.2; x < width + size * 0.2; ) {
      double tall = size * dice.between(0.65, 1.15);
      double room = Math.abs(x - clearing) / (width * 0.5);
      boolean open = depth > 0.55 && room < 0.3 + 0.3 * depth;
      if (!open && clump.at(x / (size * 3.2), depth * 9) < 0.32 + density * 0.5) {
        standing.append(plantOne(growth, x, crest.at(x) + 3, tall), false);
      }
      x += size * dice.between(0.16, 0.42) / Math.max(0.3, density);
    }
  }

  private Shape plantOne(Growth growth, double x, double foot, double tall) {
    return switch (growth) {
      case CONIFER -> Flora.conifer(x, foot, tall, dice);
      case CACTUS -> Flora.cactus(x, foot, tall * 0.55, dice);
      case ROUND -> Flora.roundTree(x, foot, tall * 0.8, dice);
      case MIXED ->
          switch (dice.below(3)) {
            case 0 -> Flora.poplar(x, foot, tall * 0.95, dice);
            case 1 -> Flora.conifer(x, foot, tall, dice);
            default -> Flora.roundTree(x, foot, tall * 0.7, dice);
          };
      case NONE -> new Path2D.Double();
    };
  }
}
