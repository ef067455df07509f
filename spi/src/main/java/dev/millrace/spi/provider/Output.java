package dev.millrace.spi.provider;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/**
 * One file that an attempt produced. The content is written when the output is stored, so a large
 * one need not be held in memory.
 *
 * @param name a suggestion for the download, such as {@code poster-1.png}
 * @param mediaType such as {@code image/png}
 */
public record Output(String name, String mediaType, Content content) {

  public Output {
    Objects.requireNonNull(content, "content");
    if (name.isBlank() || mediaType.isBlank()) {
      throw new IllegalArgumentException("an output needs a name and a media type");
    }
  }

  /** Writes the bytes of an output; may be asked more than once and then writes the same. */
  @FunctionalInterface
  public interface Content {
    void writeTo(OutputStream out) throws IOException;
  }
}
