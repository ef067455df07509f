package dev.millrace.worker.media;

/** A file doesn't go on as it must. */
final class Broken extends Exception {

  private static final long serialVersionUID = 1L;

  Broken(String message) {
    super(message);
  }
}
