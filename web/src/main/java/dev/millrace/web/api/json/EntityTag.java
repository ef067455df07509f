package dev.millrace.web.api.json;

import java.util.Arrays;
import java.util.List;

/** Names one version of an answer, so that a client can ask for news only (RFC 9110). */
public record EntityTag(String version) {

  /** Whether a client that sends these {@code If-None-Match} lines has this version. */
  public boolean isIn(List<String> lines) {
    return lines.stream()
        .flatMap(line -> Arrays.stream(line.split(",")))
        .map(String::strip)
        // A proxy that compresses weakens the tag; for reading that makes no difference.
        .map(tag -> tag.startsWith("W/") ? tag.substring(2) : tag)
        .anyMatch(tag -> tag.equals("*") || tag.equals(toString()));
  }

  @Override
  public String toString() {
    return "\"" + version + "\"";
  }
}
