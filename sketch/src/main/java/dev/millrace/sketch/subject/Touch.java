package dev.millrace.sketch.subject;

/** Small things a prompt may add to a picture. */
public enum Touch {
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
