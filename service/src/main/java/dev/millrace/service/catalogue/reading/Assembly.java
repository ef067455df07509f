package dev.millrace.service.catalogue.reading;

import dev.millrace.service.catalogue.Catalogue;
import dev.millrace.service.catalogue.CatalogueProblem;
import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.catalogue.FileRule;
import dev.millrace.service.catalogue.InputViolation;
import dev.millrace.service.catalogue.SchemaChecks;
import dev.millrace.service.catalogue.SourceFile;
import dev.millrace.service.names.NearestName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/**
 * Puts the drafts of all files together and checks what only shows between them.
 *
 * <p>A user's workflow replaces the built-in one of the same slug together with all its built-in
 * effects, since those were written for other properties. A user's effect replaces just the
 * built-in effect of the same slug. A built-in effect that leads to one that is gone by this, goes
 * too.
 */
final class Assembly {

  private final List<FileDraft> drafts;
  private final Map<String, WorkflowDraft> workflows = new LinkedHashMap<>();
  private final Map<String, EffectDraft> effects = new LinkedHashMap<>();

  private Assembly(List<FileDraft> drafts) {
    this.drafts = drafts;
  }

  static Reload assemble(List<FileDraft> drafts) {
    return new Assembly(withoutReplaced(drafts)).reload();
  }

  private Reload reload() {
    drafts.stream().flatMap(draft -> draft.workflow().stream()).forEach(this::add);
    drafts.stream().flatMap(draft -> draft.effects().stream()).forEach(this::add);
    drafts.forEach(this::checkEffects);
    new FollowUps(effects, workflows).check();
    new Overflows(effects, workflows).check();
    List<CatalogueProblem> problems =
        drafts.stream().flatMap(draft -> draft.file().problems().stream()).toList();
    return problems.isEmpty() ? new Reload.Reloaded(catalogue()) : new Reload.Rejected(problems);
  }

  private Catalogue catalogue() {
    List<Effect> built = new ArrayList<>();
    for (EffectDraft effect : effects.values()) {
      WorkflowDraft of = workflows.get(effect.workflow());
      if (of == null) {
        throw new IllegalStateException(effect.slug() + " passed the checks without a workflow");
      }
      built.add(effect.build(of.workflow()));
    }
    return new Catalogue(workflows.values().stream().map(WorkflowDraft::workflow).toList(), built);
  }

  private void add(WorkflowDraft workflow) {
    WorkflowDraft earlier = workflows.putIfAbsent(workflow.slug(), workflow);
    if (earlier != null && !workflow.slug().isEmpty()) {
      workflow.file().report("workflow", taken(workflow.slug(), earlier.file().place("workflow")));
    }
  }

  private void add(EffectDraft effect) {
    EffectDraft earlier = effects.putIfAbsent(effect.slug(), effect);
    if (earlier != null && !effect.slug().isEmpty()) {
      String first = earlier.file().place(SourceFile.within(earlier.path(), "effect"));
      effect.file().report(SourceFile.within(effect.path(), "effect"), taken(effect.slug(), first));
    }
  }

  private static String taken(String slug, String place) {
    return "\"" + slug + "\" is already taken in " + place;
  }

  /** All effects of a file are meant for one workflow, so an unknown one is one mistake. */
  private void checkEffects(FileDraft draft) {
    if (draft.effects().isEmpty()) {
      return;
    }
    String slug = draft.effects().getFirst().workflow();
    if (slug.isEmpty()) {
      return; // The slug is missing or misspelt, which the file's own reading has reported.
    }
    WorkflowDraft of = workflows.get(slug);
    if (of == null) {
      String hint = NearestName.hint(slug, workflows.keySet());
      draft.file().report("effects_of", "names \"" + slug + "\", which is no workflow" + hint);
    } else {
      draft.effects().forEach(effect -> checkPreset(effect, of));
    }
  }

  private static void checkPreset(EffectDraft effect, WorkflowDraft of) {
    ObjectNode overrides = effect.preset().overrides();
    ObjectNode fixed = effect.preset().fixed();
    checkValues(effect, "overrides", overrides, of);
    checkValues(effect, "fixed", fixed, of);
    for (String name : effect.preset().assets().keySet()) {
      if (of.workflow().properties().schemas().has(name)) {
        String at = SourceFile.within(SourceFile.within(effect.path(), "assets"), name);
        effect.file().report(at, "is a property of " + of.slug() + "; rename it");
      }
    }
    effect.price().check(effect, of);
    for (String name : fixed.propertyNames()) {
      if (overrides.has(name)) {
        String at = SourceFile.within(SourceFile.within(effect.path(), "fixed"), name);
        effect.file().report(at, "is in overrides too; keep one of them");
      }
    }
  }

  private static void checkValues(
      EffectDraft effect, String key, ObjectNode values, WorkflowDraft of) {
    ObjectNode schemas = of.workflow().properties().schemas();
    for (var value : values.properties()) {
      String name = value.getKey();
      String at = SourceFile.within(SourceFile.within(effect.path(), key), name);
      if (of.broken().contains(name)) {
        continue;
      }
      if (schemas.path(name).has(FileRule.KEYWORD)) {
        effect.file().report(at, "is a file that the user brings; ship one with assets instead");
      } else if (schemas.get(name) instanceof ObjectNode schema) {
        for (InputViolation violation : SchemaChecks.ofValue(schema, value.getValue())) {
          effect.file().report(violation.under(at), violation.complaint());
        }
      } else {
        String hint = NearestName.hint(name, schemas.propertyNames());
        effect.file().report(at, "is not a property of " + of.slug() + hint);
      }
    }
  }

  private static List<FileDraft> withoutReplaced(List<FileDraft> drafts) {
    Set<String> workflows =
        users(drafts)
            .flatMap(draft -> draft.workflow().stream())
            .map(WorkflowDraft::slug)
            .collect(Collectors.toSet());
    Set<String> effects =
        users(drafts)
            .flatMap(draft -> draft.effects().stream())
            .map(EffectDraft::slug)
            .collect(Collectors.toSet());
    return withoutStranded(
        drafts.stream()
            .filter(draft -> !(draft.file().builtIn() && definesOneOf(workflows, draft)))
            .map(draft -> draft.file().builtIn() ? without(effects, draft) : draft)
            .toList());
  }

  /**
   * Leaves out the built-in effects whose follow-up is gone or not on offer: the operator wanted
   * that, and couldn't correct the built-in file if it counted as a mistake.
   */
  private static List<FileDraft> withoutStranded(List<FileDraft> drafts) {
    Set<String> startable =
        drafts.stream()
            .flatMap(draft -> draft.effects().stream())
            .filter(EffectDraft::active)
            .map(EffectDraft::slug)
            .collect(Collectors.toSet());
    return drafts.stream()
        .map(draft ->
            draft.file().builtIn()
                ? new FileDraft(
                    draft.file(),
                    draft.workflow(),
                    draft.effects().stream()
                        .filter(effect ->
                            effect.followUp() == null || startable.contains(effect.followUp()))
                        .toList())
                : draft)
        .toList();
  }

  private static Stream<FileDraft> users(List<FileDraft> drafts) {
    return drafts.stream().filter(draft -> !draft.file().builtIn());
  }

  private static boolean definesOneOf(Set<String> workflows, FileDraft draft) {
    return draft.workflow().filter(workflow -> workflows.contains(workflow.slug())).isPresent();
  }

  private static FileDraft without(Set<String> slugs, FileDraft draft) {
    return new FileDraft(
        draft.file(),
        draft.workflow(),
        draft.effects().stream().filter(effect -> !slugs.contains(effect.slug())).toList());
  }
}
