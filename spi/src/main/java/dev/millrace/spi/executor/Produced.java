package dev.millrace.spi.executor;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;

/** Something that an attempt made. */
public sealed interface Produced {

  /** The most bytes of a text that travels inside the report. */
  int MAX_TEXT_BYTES = 64 * 1024;

  /** The media types that a text may have. */
  Set<String> TEXTS = Set.of("text/plain", "application/json");

  String mediaType();

  /** A file, which the worker uploads. */
  record Stored(Path file, String mediaType) implements Produced {}

  /** A short text or JSON; a longer one, or another type, is a file. */
  record Text(String text, String mediaType) implements Produced {
    public Text {
      if (text.isEmpty() || !TEXTS.contains(mediaType)) {
        throw new IllegalArgumentException(
            "a text output isn't empty, and is text/plain or application/json");
      }
      if (text.getBytes(StandardCharsets.UTF_8).length > MAX_TEXT_BYTES) {
        throw new IllegalArgumentException("a text output may have 64 KiB; make it a file");
      }
    }
  }
}
