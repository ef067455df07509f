package dev.millrace.service.catalogue;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A priced preset over a workflow: what a product's user picks and pays for.
 *
 * @param active whether it is on offer; never true while its workflow is inactive
 * @param followUp the slug of the effect whose job starts when a result of this one is approved;
 *     null if none does
 * @param concurrency how many of its jobs may run at once; null for any number
 * @param dedupe how long a second identical request of a user is answered with the first job; null
 *     if each makes its own
 * @param ownAssets files that an executor gets besides the workflow's and the user's, by name
 * @param overflow where its jobs may go when their queue is too slow, best first
 */
public record Effect(
    Heading heading,
    Workflow workflow,
    boolean active,
    EffectPrice price,
    EffectPolicy policy,
    @Nullable String followUp,
    @Nullable Duration dedupe,
    @Nullable Integer concurrency,
    EffectInput input,
    Map<String, AssetFile> ownAssets,
    List<Overflow> overflow) {

  /**
   * What people know it by.
   *
   * @param slug segments of lower case letters, digits and dashes, joined by {@code /}; unique
   * @param description empty if there is none
   */
  public record Heading(String slug, String title, String description) {}

  public Effect {
    ownAssets = Collections.unmodifiableMap(new LinkedHashMap<>(ownAssets));
    overflow = List.copyOf(overflow);
    if (active && !workflow.active()) {
      throw new IllegalArgumentException("an effect of an inactive workflow can't be active");
    }
  }

  public String slug() {
    return heading.slug();
  }

  public String title() {
    return heading.title();
  }

  public String description() {
    return heading.description();
  }

  /** Files that an executor gets besides the user's own, by name. */
  public Map<String, AssetFile> assets() {
    return assetsIn(workflow);
  }

  /**
   * The same for a job that runs by another workflow. The effect's own file stands in for the
   * workflow's of the same name.
   */
  public Map<String, AssetFile> assetsIn(Workflow other) {
    Map<String, AssetFile> assets = new LinkedHashMap<>(other.recipe().assets());
    assets.putAll(ownAssets);
    return assets;
  }

  /** The price of one unit: of the whole job, of one output, or of one second. */
  public long creditsCost() {
    return price.credits();
  }

  /** The credits to hold for a job with this resolved input; at most the configured cap. */
  public long holdFor(ObjectNode resolvedInput) {
    return price.holdFor(resolvedInput);
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
