package dev.millrace.service.catalogue;

/**
 * What an effect decides about its jobs' fate.
 *
 * @param maxFailures the failure at which a job is given up; 1 means no second try
 * @param maxInterruptions lost leases and requeues until a job is given up
 * @param refundWhenUnsafe whether a safety filter's refusal gives the credits back
 * @param consumeWhenDeclined whether a reviewer's decline keeps the credits
 */
public record EffectPolicy(
    int maxFailures,
    int maxInterruptions,
    Review review,
    boolean refundWhenUnsafe,
    boolean consumeWhenDeclined) {

  /** Whether a person must approve an output before it is delivered and paid. */
  public enum Review {
    NONE,
    REQUIRED
  }
}
