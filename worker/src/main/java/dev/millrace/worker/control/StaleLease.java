package dev.millrace.worker.control;

/** The job isn't this worker's any more. Whatever it does now changes nothing. */
public final class StaleLease extends Exception {

  private static final long serialVersionUID = 1L;

  StaleLease(String message) {
    super(message);
  }
}
