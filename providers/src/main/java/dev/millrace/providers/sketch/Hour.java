package dev.millrace.providers.sketch;

/** When the picture takes place. */
enum Hour {
  ANY,
  DAWN,
  DAY,
  DUSK,
  NIGHT
}
