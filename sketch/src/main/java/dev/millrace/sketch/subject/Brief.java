package dev.millrace.sketch.subject;

import dev.millrace.sketch.canvas.Dice;
import dev.millrace.sketch.canvas.Palette;

/** What a painter is asked to draw; the dice carry the seed of this variant. */
public record Brief(Reading reading, Palette palette, Dice dice) {

  public static Brief of(String prompt, long seed) {
    Reading reading = Reading.of(prompt);
    return new Brief(reading, Palettes.of(reading), new Dice(Dice.mix(seed) + reading.hash()));
  }

  public Coat coat(Figure figure) {
    return Coat.of(reading, figure, palette);
  }

  /** Mirrors half of all pictures. */
  public boolean mirrored() {
    return dice.fork("mirror").chance(0.5);
  }
}
