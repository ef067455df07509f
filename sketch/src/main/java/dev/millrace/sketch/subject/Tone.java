package dev.millrace.sketch.subject;

/** What a part of a figure is, so that each style may colour it in its own way. */
public enum Tone {
  /** The main colour. */
  COAT,
  /** The main colour in its own shade. */
  SHADE,
  /** Bellies, cheeks, sails. */
  LIGHT,
  /** Noses, paws, masts. */
  DARK,
  /** Eyes, beaks, lit windows. */
  SPARK
}
