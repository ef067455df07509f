package dev.millrace.bench.load;

import dev.millrace.bench.measure.Sheet;
import dev.millrace.bench.place.Arena;
import java.util.List;

/** The doctor's word after a measure. */
public final class Soundness {

  private Soundness() {}

  /** Throws if a law is broken, and notes which could not be checked in time. */
  public static void require(Arena arena, Sheet sheet) {
    List<String> unchecked = arena.requireSound();
    if (!unchecked.isEmpty()) {
      sheet.note("The doctor had no time for " + String.join(", ", unchecked) + ".");
    }
  }
}
