package dev.millrace.sketch.subject;

/** Where a figure belongs in a picture. */
public enum Habit {
  GROUND,
  WATER,
  AIR,
  PERCH
}
