package dev.millrace.service.catalogue.reading;

import dev.millrace.service.catalogue.EffectPolicy;
import dev.millrace.service.catalogue.EffectPolicy.Review;
import dev.millrace.service.catalogue.WorkflowLimits;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the server at hand allows its catalogue to say, and what holds where a file says nothing.
 *
 * @param maxCreditsCost the dearest an effect may be
 * @param executors the executors that this server can hand work to
 * @param limits of a workflow that doesn't name its own
 * @param policy of an effect that doesn't name its own
 * @param settings what executors say to a workflow's settings for them
 */
public record CatalogueRules(
    long maxCreditsCost,
    Set<String> executors,
    WorkflowLimits limits,
    EffectPolicy policy,
    SettingsJudge settings) {

  /** Knows what executors want to be told. */
  @FunctionalInterface
  public interface SettingsJudge {
    /** What is wrong with them, each to be read after the word "settings". */
    List<String> mistakes(String executor, Map<String, Object> settings);
  }

  public CatalogueRules {
    executors = Set.copyOf(executors);
    if (maxCreditsCost < 0) {
      throw new IllegalArgumentException("a cap of " + maxCreditsCost + " credits allows nothing");
    }
  }

  /** For executors that take any settings. */
  public CatalogueRules(
      long maxCreditsCost, Set<String> executors, WorkflowLimits limits, EffectPolicy policy) {
    this(maxCreditsCost, executors, limits, policy, (_, _) -> List.of());
  }

  /** With the usual limits and policy. */
  public CatalogueRules(long maxCreditsCost, Set<String> executors) {
    this(
        maxCreditsCost,
        executors,
        new WorkflowLimits(600, 86_400),
        new EffectPolicy(3, 10, Review.NONE, false, false));
  }
}
