package dev.millrace.sketch;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Trouble that can be asked for, to see how the rest of the system takes it. */
enum Mishap {
  NONE,
  /** Unavailable on every attempt. */
  RETRYABLE,
  /** Unavailable on the first attempt only. */
  ONCE,
  /** Failed for good. */
  PERMANENT,
  /** Refused as a safety filter would. */
  SAFETY,
  /** An exception that escapes. */
  CRASH;

  static Optional<Mishap> named(String name) {
    return Arrays.stream(values()).filter(mishap -> mishap.label().equals(name)).findFirst();
  }

  static String all() {
    return Arrays.stream(values()).map(Mishap::label).collect(Collectors.joining(", "));
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
