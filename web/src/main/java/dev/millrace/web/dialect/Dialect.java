package dev.millrace.web.dialect;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A surface beside the API's own. */
public enum Dialect {
  /** {@code /api/generate}, a job system of an ad studio. */
  GENERATE,
  /** {@code /api/images}, an image library's jobs. */
  IMAGES,
  /** {@code /api/videos} and {@code /api/ai-jobs}, and the calls of its workers. */
  VIDEOS,
  /** {@code /api/processes}, what runs for long in a product's backend. */
  PROCESSES,
  /** {@code /replicate}, for the clients of Replicate. */
  REPLICATE,
  /** {@code /openai}, for the clients of OpenAI. */
  OPENAI;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Dialect> ofLabel(String label) {
    return Arrays.stream(values()).filter(dialect -> dialect.label().equals(label)).findFirst();
  }
}
