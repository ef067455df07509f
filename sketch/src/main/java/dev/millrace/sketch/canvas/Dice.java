package dev.millrace.sketch.canvas;

import java.util.Random;

/** Seeded chance. {@link Random} is used because its sequence is part of its specification. */
public final class Dice {

  private final long seed;
  private final Random random;

  public Dice(long seed) {
    this.seed = seed;
    this.random = new Random(mix(seed));
  }

  /**
   * Independent dice for one part of a picture, so a change in one part leaves the others alone.
   */
  public Dice fork(String part) {
    return new Dice(mix(seed * 31 + part.hashCode()));
  }

  public double unit() {
    return random.nextDouble();
  }

  public double between(double low, double high) {
    return low + (high - low) * random.nextDouble();
  }

  public int below(int bound) {
    return random.nextInt(bound);
  }

  public boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  /** A bell-shaped value around zero, rarely beyond plus or minus two. */
  public double bell() {
    return random.nextGaussian();
  }

  public Noise noise() {
    return new Noise(random.nextLong());
  }

  public static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  public static long hash(String text) {
    long hash = 1125899906842597L;
    for (int i = 0; i < text.length(); i++) {
      hash = 31 * hash + text.charAt(i);
    }
    return mix(hash);
  }
}
