package dev.millrace.sketch.subject;

/** What lies under the sky. */
public enum Land {
  HILLS,
  MOUNTAINS,
  FOREST,
  MEADOW,
  SEA,
  DESERT,
  CITY,
  SNOW
}
