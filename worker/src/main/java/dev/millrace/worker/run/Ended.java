package dev.millrace.worker.run;

/** The worker can't go on; the message is for people. */
public final class Ended extends Exception {

  private static final long serialVersionUID = 1L;

  public Ended(String message) {
    super(message);
  }
}
