package dev.millrace.providers.sketch;

/** Small things a prompt may add to a picture. */
enum Touch {
  SUN,
  MOON,
  STARS,
  SNOWFALL,
  RAIN,
  MIST,
  BIRDS,
  FLOWERS,
  AURORA,
  AUTUMN,
  SPRING,
  STORM,
  CALM
}
