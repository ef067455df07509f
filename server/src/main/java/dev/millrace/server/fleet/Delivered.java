package dev.millrace.server.fleet;

import dev.millrace.server.files.UploadedOutputs.Claim;

/** One output as a worker hands it over. */
public sealed interface Delivered {

  /** A small one, in the report itself. */
  record Text(String text, String mediaType) implements Delivered {}

  /** One that the worker uploaded under a key that it was given. */
  record Uploaded(String key, Claim claim) implements Delivered {}
}
