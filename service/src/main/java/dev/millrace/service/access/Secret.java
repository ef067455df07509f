package dev.millrace.service.access;

/** A value that prints as a mask, so that logging a whole record by accident gives nothing away. */
public record Secret(String reveal) {

  public static final String MASK = "********";

  @Override
  public String toString() {
    return MASK;
  }
}
