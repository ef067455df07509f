package dev.millrace.service.catalogue.reading;

import dev.millrace.service.catalogue.EffectPolicy.Review;
import dev.millrace.service.catalogue.SourceFile;
import dev.millrace.service.names.NearestName;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Checks that each effect that another one leads to can be started by it.
 *
 * <p>A cycle is refused because approving could then go on forever, one paid job after the other.
 */
final class FollowUps {

  /** The property that receives what was approved. */
  private static final String ITEMS = "items";

  private final Map<String, EffectDraft> effects;
  private final Map<String, WorkflowDraft> workflows;
  private final Set<String> reported = new LinkedHashSet<>();

  FollowUps(Map<String, EffectDraft> effects, Map<String, WorkflowDraft> workflows) {
    this.effects = effects;
    this.workflows = workflows;
  }

  void check() {
    effects.values().stream().filter(effect -> effect.followUp() != null).forEach(this::check);
  }

  private void check(EffectDraft effect) {
    String slug = String.valueOf(effect.followUp());
    EffectDraft next = effects.get(slug);
    if (effect.policy().review() != Review.REQUIRED) {
      complain(effect, "needs review: required, since it starts when a result is approved");
    }
    if (next == null) {
      complain(effect, "names \"" + slug + "\", which is no effect" + hint(effect, slug));
    } else if (slug.equals(effect.slug())) {
      complain(effect, "can't be the effect itself");
    } else if (isOnCycle(effect)) {
      complain(effect, "names \"" + slug + "\", which leads back to " + effect.slug());
    } else {
      checkTarget(effect, next);
    }
  }

  private void checkTarget(EffectDraft effect, EffectDraft next) {
    WorkflowDraft of = workflows.get(next.workflow());
    if (of == null || of.broken().contains(ITEMS)) {
      return; // That is a mistake of its own, and reported.
    }
    String names = "names \"" + next.slug() + "\", ";
    JsonNode items = of.workflow().properties().schemas().path(ITEMS);
    if (!isType(items, "array") || !isType(items.path("items"), "string")) {
      complain(
          effect,
          names + "whose workflow " + of.slug() + " has no property items, an array of strings");
    } else if (next.preset().fixed().has(ITEMS)) {
      complain(effect, names + "which has items fixed, so nothing could be handed over");
    } else if (effect.active() && !(next.active() && of.workflow().active())) {
      complain(effect, names + "which is not active, so it could not start");
    }
  }

  private static boolean isType(JsonNode schema, String type) {
    return schema.path("type").asString("").equals(type);
  }

  /** Whether following leads back here; true for one effect of each cycle only. */
  private boolean isOnCycle(EffectDraft start) {
    Set<String> passed = new LinkedHashSet<>();
    @Nullable EffectDraft at = start;
    while (at != null && passed.add(at.slug())) {
      at = at.followUp() == null ? null : effects.get(at.followUp());
    }
    if (at == null
        || !at.slug().equals(start.slug())
        || passed.stream().anyMatch(reported::contains)) {
      return false;
    }
    reported.addAll(passed);
    return true;
  }

  private String hint(EffectDraft effect, String slug) {
    return NearestName.hint(
        slug, effects.keySet().stream().filter(name -> !name.equals(effect.slug())).toList());
  }

  private static void complain(EffectDraft effect, String complaint) {
    effect.file().report(SourceFile.within(effect.path(), "follow_up"), complaint);
  }
}
