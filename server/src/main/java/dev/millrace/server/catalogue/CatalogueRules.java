package dev.millrace.server.catalogue;

import dev.millrace.server.catalogue.EffectPolicy.Review;
import java.util.Set;

/**
 * What the server at hand allows its catalogue to say, and what holds where a file says nothing.
 *
 * @param maxCreditsCost the dearest an effect may be
 * @param executors the executors that this server can hand work to
 * @param limits of a workflow that doesn't name its own
 * @param policy of an effect that doesn't name its own
 */
public record CatalogueRules(
    long maxCreditsCost, Set<String> executors, Limits limits, EffectPolicy policy) {

  public CatalogueRules {
    executors = Set.copyOf(executors);
    if (maxCreditsCost < 0) {
      throw new IllegalArgumentException("a cap of " + maxCreditsCost + " credits allows nothing");
    }
  }

  /** With the usual limits and policy. */
  public CatalogueRules(long maxCreditsCost, Set<String> executors) {
    this(
        maxCreditsCost,
        executors,
        new Limits(600, 86_400),
        new EffectPolicy(3, 10, Review.NONE, false, false));
  }
}
