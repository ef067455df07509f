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
   * Whether this work may be done again when nobody knows what became of it, since that costs
   * nothing. If not, it is meant to be called once, which is stored before the call; an attempt
   * that ended without an answer, such as one whose server died, ends its job as uncertain.
   */
  default boolean mayAskAgain(Work work) {
    return !needsService();
  }

  /**
   * Does the work and says how it ended.
   *
   * <p>Trouble that the provider understands is an {@link Outcome}. Whatever escapes is a retryable
   * failure; but if the work may not be asked for again ({@link #mayAskAgain}), the request may
   * have left before, so that it is uncertain and not retried. The provider asks {@link
   * Work#canceled()} often enough that a cancel takes effect within a second, and then answers
   * {@link Outcome.Canceled}.
   */
  Outcome execute(Work work) throws InterruptedException;
}
