package dev.millrace.sketch.subject;

/** When the picture takes place. */
public enum Hour {
  ANY,
  DAWN,
  DAY,
  DUSK,
  NIGHT
}
