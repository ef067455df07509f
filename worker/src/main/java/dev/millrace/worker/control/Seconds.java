package dev.millrace.worker.control;

import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** Reads a number of seconds, whole or not. */
final class Seconds {

  private Seconds() {}

  static Duration of(JsonNode number, Duration otherwise) {
    double seconds = number.asDouble(-1);
    return seconds > 0 ? Duration.ofMillis(Math.round(seconds * 1000)) : otherwise;
  }
}
