package dev.millrace.sketch.canvas;

/** A smooth run through several colours, worked out once so that pixels can look it up. */
public final class Ramp {

  private static final int SIZE = 512;

  private final int[] colors = new int[SIZE];

  /** Evenly spaced stops, at least two. */
  public Ramp(int... stops) {
    int gaps = stops.length - 1;
    for (int i = 0; i < SIZE; i++) {
      double place = (double) i / (SIZE - 1) * gaps;
      int gap = Math.min(gaps - 1, (int) place);
      colors[i] = Tint.mix(stops[gap], stops[gap + 1], place - gap);
    }
  }

  /** The colour at a place from 0 to 1; places outside get the nearest end. */
  public int at(double place) {
    return colors[(int) (Noise.clamp(place) * (SIZE - 1) + 0.5)];
  }
}
