package dev.millrace.service.catalogue;

import dev.millrace.engine.money.Price.Unit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an effect costs.
 *
 * @param credits for one unit
 * @param most the greatest number of units that a job of it can be held for; 1 if priced by the job
 * @param property the input that says how many units a job is held for; null if it is always {@code
 *     most}
 */
public record EffectPrice(Unit per, long credits, long most, @Nullable String property) {

  public EffectPrice {
    if (credits < 0) {
      throw new IllegalArgumentException("an effect can't cost " + credits);
    }
    if (most < 1) {
      throw new IllegalArgumentException("a job can't be held for " + most + " units");
    }
    if (per == Unit.JOB && (most != 1 || property != null)) {
      throw new IllegalArgumentException("a job is one unit");
    }
  }

  /** The credits to hold for a job with this input; it is held for at least one unit. */
  long holdFor(ObjectNode resolvedInput) {
    return Math.multiplyExact(credits, units(resolvedInput));
  }

  private long units(ObjectNode resolvedInput) {
    if (property == null) {
      return most;
    }
    JsonNode asked = resolvedInput.path(property);
    return asked.isIntegralNumber() && asked.canConvertToLong()
        ? Math.clamp(asked.asLong(), 1, most)
        : most;
  }
}
