package dev.millrace.providers.openai;

/** An input that can't be used; the sentence says why, to the user. */
@SuppressWarnings("serial")
final class Unusable extends Exception {

  Unusable(String sentence) {
    super(sentence);
  }

  String sentence() {
    return String.valueOf(getMessage());
  }
}
