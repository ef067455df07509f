package dev.millrace.providers.sketch;

/** What lies under the sky. */
enum Land {
  HILLS,
  MOUNTAINS,
  FOREST,
  MEADOW,
  SEA,
  DESERT,
  CITY,
  SNOW
}
