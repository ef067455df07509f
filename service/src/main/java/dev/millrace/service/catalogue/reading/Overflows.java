package dev.millrace.service.catalogue.reading;

import dev.millrace.service.catalogue.FileRule;
import dev.millrace.service.names.NearestName;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks that an effect's jobs can go where it lets them. */
record Overflows(Map<String, EffectDraft> effects, Map<String, WorkflowDraft> workflows) {

  void check() {
    effects.values().forEach(this::check);
  }

  private void check(EffectDraft effect) {
    WorkflowDraft of = workflows.get(effect.workflow());
    if (of == null) {
      return; // That is a mistake of its own, and reported.
    }
    Set<String> seen = new HashSet<>();
    for (OverflowDraft way : effect.conduct().overflow()) {
      way.check(effect);
      if (way.workflow().isEmpty()) {
        continue;
      }
      String names = "names \"" + way.workflow() + "\", ";
      WorkflowDraft to = workflows.get(way.workflow());
      if (to == null) {
        String hint = NearestName.hint(way.workflow(), workflows.keySet());
        way.report(effect, "workflow", names + "which is no workflow" + hint);
      } else if (way.workflow().equals(of.slug())) {
        way.report(effect, "workflow", names + "which is the effect's own");
      } else if (!seen.add(way.workflow())) {
        way.report(effect, "workflow", names + "which is named before");
      } else if (of.workflow().active() && !to.workflow().active()) {
        way.report(effect, "workflow", names + "which is not active");
      } else {
        checkFit(effect, way, of, to);
      }
    }
  }

  /** A job keeps the input that was made for its own workflow. */
  private static void checkFit(
      EffectDraft effect, OverflowDraft way, WorkflowDraft of, WorkflowDraft to) {
    String names = "names \"" + way.workflow() + "\", which ";
    ObjectNode here = of.workflow().properties().schemas();
    ObjectNode there = to.workflow().properties().schemas();
    for (String name : here.propertyNames()) {
      if (!there.has(name)) {
        way.report(effect, "workflow", names + "lacks the property " + name);
      } else if (!kind(here.path(name)).equals(kind(there.path(name)))) {
        way.report(effect, "workflow", names + "has another type for the property " + name);
      }
    }
    for (String name : there.propertyNames()) {
      if (!here.has(name)) {
        way.report(effect, "workflow", names + "has a property that its jobs lack, " + name);
      }
    }
  }

  private static String kind(JsonNode schema) {
    return schema.has(FileRule.KEYWORD) ? "file" : schema.path("type").toString();
  }
}
