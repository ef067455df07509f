package dev.millrace.testkit.outside;

/** What goes wrong with the next request. */
sealed interface Mishap {

  /** One of the usual troubles. */
  record Usual(Trouble trouble) implements Mishap {}

  /**
   * An answer that the service would not give.
   *
   * @param taken whether it did what it was asked for all the same
   */
  record Says(Answered answer, boolean taken) implements Mishap {}
}
