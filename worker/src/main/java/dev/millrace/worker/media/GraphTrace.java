package dev.millrace.worker.media;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Whether a file still has a graph of ComfyUI in it, wherever and in whatever kind of file. Every
 * node of a graph has a {@code "class_type"}, and hardly anything else does.
 */
public final class GraphTrace {

  private static final String WORD = "class_type";

  /** What follows the word in JSON, in JSON within JSON, and in XML. */
  private static final List<Byte> AFTER = List.of((byte) '"', (byte) '\\', (byte) '&');

  private static final List<Charset> ENCODINGS =
      List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE);

  private GraphTrace() {}

  public static boolean isIn(Path file) throws IOException {
    List<Search> searches = ENCODINGS.stream().map(Search::new).toList();
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 64 * 1024)) {
      byte[] buffer = new byte[64 * 1024];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        for (Search search : searches) {
          if (search.found(buffer, n)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Goes on over the borders of buffers. No two places of the word begin alike but the first. */
  private static final class Search {
    private final byte[] word;
    private final int step;
    private int matched;
    private int skipped;

    Search(Charset encoding) {
      word = WORD.getBytes(encoding);
      step = word.length / WORD.length();
    }

    boolean found(byte[] buffer, int length) {
      for (int i = 0; i < length; i++) {
        byte next = buffer[i];
        if (matched == word.length) {
          if (AFTER.contains(next)) {
            return true;
          }
          // Of a wide character the other half comes first or is left over.
          if (next == 0 && step == 2 && skipped++ == 0) {
            continue;
          }
          matched = 0;
          skipped = 0;
        }
        matched = next == word[matched] ? matched + 1 : next == word[0] ? 1 : 0;
      }
      return false;
    }
  }
}
