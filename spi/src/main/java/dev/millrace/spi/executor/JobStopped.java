package dev.millrace.spi.executor;

/** The executor stopped because it was told to. */
public final class JobStopped extends Exception {

  private static final long serialVersionUID = 1L;

  public JobStopped() {
    super("stopped");
  }
}
