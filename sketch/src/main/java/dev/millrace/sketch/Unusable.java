package dev.millrace.sketch;

/** Says in one sentence why an input can't be used. */
final class Unusable extends Exception {
  private static final long serialVersionUID = 1L;

  Unusable(String sentence) {
    super(sentence);
  }

  String sentence() {
    return String.valueOf(getMessage());
  }
}
