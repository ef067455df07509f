package dev.millrace.providers.sketch;

/** What a painter is asked to draw; the dice carry the seed of this variant. */
record Brief(Reading reading, Palette palette, Dice dice) {

  static Brief of(String prompt, long seed) {
    Reading reading = Reading.of(prompt);
    return new Brief(reading, Palettes.of(reading), new Dice(Dice.mix(seed) + reading.hash()));
  }

  Coat coat(Figure figure) {
    return Coat.of(reading, figure, palette);
  }

  /** Mirrors half of all pictures. */
  boolean mirrored() {
    return dice.fork("mirror").chance(0.5);
  }
}
