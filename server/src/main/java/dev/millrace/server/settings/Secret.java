package dev.millrace.server.settings;

/** A value that prints as a mask, so that logging a whole record by accident gives nothing away. */
public record Secret(String reveal) {

  static final String MASK = "********";

  @Override
  public String toString() {
    return MASK;
  }
}
