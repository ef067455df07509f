package dev.millrace.worker.spi;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Something that an attempt made. */
public sealed interface Produced {

  /** The most bytes of a text that travels inside the report. */
  int MAX_TEXT_BYTES = 64 * 1024;

  String mediaType();

  /** A file, which the worker uploads. */
  record Stored(Path file, String mediaType) implements Produced {}

  /** A short text; a longer one is a file. */
  record Text(String text, String mediaType) implements Produced {
    public Text {
      if (text.getBytes(StandardCharsets.UTF_8).length > MAX_TEXT_BYTES) {
        throw new IllegalArgumentException("a text output may have 64 KiB; make it a file");
      }
    }
  }
}
