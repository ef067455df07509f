package dev.millrace.service.catalogue.reading;

import dev.millrace.service.catalogue.SourceFile;
import java.util.List;
import java.util.Optional;

/** What one file says, before it is compared with the others. */
record FileDraft(SourceFile file, Optional<WorkflowDraft> workflow, List<EffectDraft> effects) {}
