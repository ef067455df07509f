package dev.millrace.service.catalogue.reading;

import dev.millrace.service.catalogue.SourceFile;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Reads one file on its own: everything that can be judged without the other files. */
final class DraftReader {

  private final CatalogueRules rules;

  DraftReader(CatalogueRules rules) {
    this.rules = rules;
  }

  FileDraft read(SourceFile file, String text) {
    return YamlReader.read(file, text)
        .map(root -> draft(file, root))
        .orElseGet(() -> new FileDraft(file, Optional.empty(), List.of()));
  }

  private FileDraft draft(SourceFile file, ObjectNode root) {
    Section section = new Section(file, "", root);
    boolean definesWorkflow = section.has("workflow");
    if (section.has("effects_of")) {
      if (definesWorkflow) {
        section.complain("effects_of", "can't be given beside workflow; a file has one of them");
      }
      return moreEffects(section);
    }
    if (!definesWorkflow) {
      file.reportFile(
          "the file must have \"workflow: <slug>\" if it describes a workflow, or"
              + " \"effects_of: <slug>\" if it adds effects to one of another file");
      return new FileDraft(file, Optional.empty(), List.of());
    }
    WorkflowDraft workflow = WorkflowDraft.read(section, rules);
    List<EffectDraft> effects = effects(section, workflow.slug());
    section.close();
    return new FileDraft(file, Optional.of(workflow), effects);
  }

  private FileDraft moreEffects(Section section) {
    String workflow =
        section.text(
            "effects_of",
            WorkflowDraft.MOST_SLUG_CHARACTERS,
            WorkflowDraft.SLUG,
            WorkflowDraft.SLUG_IN_WORDS);
    List<EffectDraft> effects = effects(section, workflow);
    section.close();
    if (effects.isEmpty() && !section.file().hasProblems()) {
      section.complain("effects", "must list at least one effect");
    }
    return new FileDraft(section.file(), Optional.empty(), effects);
  }

  private List<EffectDraft> effects(Section section, String workflow) {
    return section.sections("effects").stream()
        .map(effect -> EffectDraft.read(effect, workflow, rules))
        .toList();
  }
}
