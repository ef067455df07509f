package dev.millrace.service.catalogue.reading;

import dev.millrace.service.catalogue.Catalogue;
import dev.millrace.service.catalogue.CatalogueProblem;
import java.util.List;

/** What became of a reload. */
public sealed interface Reload {

  /** All files were good; the catalogue is now the current one. */
  record Reloaded(Catalogue catalogue) implements Reload {}

  /** At least one mistake; the catalogue is still what it was before. */
  record Rejected(List<CatalogueProblem> problems) implements Reload {
    public Rejected {
      problems = List.copyOf(problems);
      if (problems.isEmpty()) {
        throw new IllegalArgumentException("rejected without a problem");
      }
    }
  }
}
