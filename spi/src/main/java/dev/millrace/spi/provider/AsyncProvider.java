package dev.millrace.spi.provider;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Hands attempts to an outside service, and asks later what became of them.
 *
 * <p>The caller commits the order's intent before {@link #submit}, and the reference after it. It
 * never submits an intent twice, and another one of the same job only after {@link #find} said of
 * each without a clear answer that it left nothing behind.
 *
 * <p>Every method asks the service at most a few times, within its own time limits, and never sends
 * a submit again by itself: only the caller knows what a second one costs. Trouble is an answer and
 * not an exception; what escapes is a bug. The methods keep nothing between calls but caches, since
 * another node, or this one after a crash, may make the next one.
 */
public non-sealed interface AsyncProvider extends Performer {

  /** The {@link #settlingTime()} of services that don't say anything about it. */
  Duration USUAL_SETTLING_TIME = Duration.ofMinutes(1);

  @Override
  default boolean needsService() {
    return true;
  }

  /**
   * Whether the service can be asked for a submit whose answer was lost. If not, {@link #find} says
   * {@link Finding.Unknown} for ever, and only a webhook or the deadline decides.
   */
  default boolean canBeAsked() {
    return true;
  }

  /**
   * How long after a submit its work may still appear at the service. Only when so much time has
   * passed since the latest submit does "not there" mean anything.
   */
  default Duration settlingTime() {
    return USUAL_SETTLING_TIME;
  }

  /**
   * Hands the attempt over. Only a clear refusal before any work, or a connection that was never
   * made, is something else than {@link Outcome.Uncertain}.
   */
  Submission submit(Order order) throws InterruptedException;

  /**
   * Asks the service whether a submit whose answer was lost has left work behind.
   *
   * <p>A service that can't be asked answers {@link Finding.Unknown}; then only a webhook or the
   * deadline decides. {@link Finding.Absent} is said only when {@link #settlingTime()} has passed
   * since {@link Order#lastSubmitAt()}.
   */
  Finding find(Order order) throws InterruptedException;

  /**
   * Asks how the work is going. May be asked again after its end, and then says the same. A service
   * that does not know the work any more is {@link Standing.Missing}, and no end.
   */
  Standing collect(Order order, String reference) throws InterruptedException;

  /** Asks the service to stop. Harmless if the work is over, and if it was asked before. */
  Cancellation cancel(Order order, String reference) throws InterruptedException;

  /**
   * Judges a call that claims to come from the service.
   *
   * <p>The body is read only if it is genuine, and the bytes must be exactly those that came in: a
   * body that was parsed and written again has another signature.
   *
   * @param headers as they came in; their names are compared without regard to case
   */
  Verification verify(Map<String, List<String>> headers, byte[] body) throws InterruptedException;

  /**
   * What is wrong with a workflow's settings for this provider, one sentence each. Asked when a
   * workflow is loaded, so that a mistake is not found by a customer.
   */
  default List<String> mistakes(Map<String, Object> settings) {
    return List.of();
  }
}
