package dev.millrace.spi.provider;

/** Runs one attempt of a job, start to end, on the calling thread. */
public non-sealed interface Provider extends Performer {

  /** The executor name that workflows use to ask for this provider, such as {@code sketch}. */
  @Override
  String name();

  @Override
  default boolean needsService() {
    return false;
  }

  /**
   * Does the work and says how it ended.
   *
   * <p>Trouble that the provider understands is an {@link Outcome}. Whatever escapes is a retryable
   * failure; but if all work goes to one service ({@link #needsService()}), the request may have
   * left before, so that it is uncertain and not retried. The provider asks {@link Work#canceled()}
   * often enough that a cancel takes effect within a second, and then answers {@link
   * Outcome.Canceled}.
   */
  Outcome execute(Work work) throws InterruptedException;
}
