package dev.millrace.providers.sketch;

/** Where a figure belongs in a picture. */
enum Habit {
  GROUND,
  WATER,
  AIR,
  PERCH
}
