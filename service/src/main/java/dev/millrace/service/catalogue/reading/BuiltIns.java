package dev.millrace.service.catalogue.reading;

import dev.millrace.service.catalogue.SourceFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/** The files that come with Millrace, so that a first start has something to offer. */
final class BuiltIns {

  static final String FOLDER = "/catalogue/";

  /** Named one by one, because a class path can't be listed. */
  static final List<String> FILES =
      List.of(
          "sketch.yaml",
          "sheet.yaml",
          "sketch-demo.yaml",
          "sketch-edit.yaml",
          "copy.yaml",
          "tts.yaml",
          "scrape.yaml",
          "static-ad.yaml",
          "ugc-video.yaml",
          "items.yaml",
          "transfer-items.yaml",
          "csv-import.yaml");

  private BuiltIns() {}

  /**
   * Reads the files whose workflows this server can run; the others would only be promises.
   *
   * @param executors who is there to run them
   */
  static List<FileDraft> read(DraftReader reader, Set<String> executors) {
    return FILES.stream()
        .map(name -> reader.read(new SourceFile(name, true), text(name)))
        .filter(draft ->
            draft
                .workflow()
                .map(workflow -> executors.contains(workflow.workflow().executor()))
                .orElse(true))
        .toList();
  }

  private static String text(String name) {
    try (InputStream in = BuiltIns.class.getResourceAsStream(FOLDER + name)) {
      if (in == null) {
        throw new IllegalStateException("the built-in catalogue file " + name + " is not packed");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
