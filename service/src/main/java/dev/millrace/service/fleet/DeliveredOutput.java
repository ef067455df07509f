package dev.millrace.service.fleet;

import dev.millrace.service.files.UploadedOutputs.Claim;
import dev.millrace.service.files.UploadedOutputs.Parts;
import org.jspecify.annotations.Nullable;

/** One output as a worker hands it over. */
public sealed interface DeliveredOutput {

  /** A small one, in the report itself. */
  record Text(String text, String mediaType) implements DeliveredOutput {}

  /**
   * One that the worker uploaded under a key that it was given.
   *
   * @param parts that it came in; null if it came whole
   */
  record Uploaded(String key, Claim claim, @Nullable Parts parts) implements DeliveredOutput {}
}
