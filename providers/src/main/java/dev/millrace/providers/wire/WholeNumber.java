package dev.millrace.providers.wire;

import java.util.OptionalInt;

/**
 * A whole number of an input, within bounds.
 *
 * @param name in the input
 */
public record WholeNumber(String name, int least, int most) {

  /** The number, or nothing if this isn't one, or not within the bounds. */
  public OptionalInt of(Object value) {
    boolean whole = value instanceof Integer || value instanceof Long;
    if (!whole || ((Number) value).longValue() < least || ((Number) value).longValue() > most) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(((Number) value).intValue());
  }

  /** What is told to whoever wrote something else. */
  public String law() {
    return "The " + name + " must be a whole number from " + least + " to " + most + ".";
  }
}
