package dev.millrace.spi.provider;

/** What a service's name for a piece of work must look like before anybody stores it. */
final class Reference {

  private static final int LONGEST = 512;

  private Reference() {}

  static String checked(String reference) {
    if (reference.isBlank() || reference.length() > LONGEST) {
      throw new IllegalArgumentException("a reference has 1 to " + LONGEST + " characters");
    }
    if (reference.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
      throw new IllegalArgumentException("a reference has no control characters");
    }
    return reference;
  }
}
