package dev.millrace.server.catalogue;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A priced preset over a workflow: what a product's user picks and pays for.
 *
 * @param slug segments of lower case letters, digits and dashes, joined by {@code /}; unique
 * @param active whether it is on offer; never true while its workflow is inactive
 * @param creditsCost what a job of it holds; from 0 to the configured cap
 */
public record Effect(
    String slug,
    String title,
    String description,
    Workflow workflow,
    boolean active,
    long creditsCost,
    EffectPolicy policy,
    EffectInput input) {

  public Effect {
    if (creditsCost < 0) {
      throw new IllegalArgumentException("an effect can't cost " + creditsCost);
    }
    if (active && !workflow.active()) {
      throw new IllegalArgumentException("an effect of an inactive workflow can't be active");
    }
  }

  /**
   * The JSON Schema (2020-12) of what a user may send. Defaults are the ones that will apply here,
   * fixed properties are left out, and titles, descriptions and order are kept so that a form can
   * be made from it. Each call gives a copy of its own.
   */
  public ObjectNode inputSchema() {
    return input.schema();
  }

  /** Judges a user's input and completes it: workflow defaults, overrides, then the user's own. */
  public Resolution resolve(JsonNode userInput) {
    return input.resolve(userInput);
  }
}
