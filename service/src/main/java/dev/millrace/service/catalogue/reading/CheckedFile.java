package dev.millrace.service.catalogue.reading;

import dev.millrace.service.catalogue.CatalogueProblem;
import java.util.List;
import java.util.Optional;

/**
 * What one file would mean for the catalogue, without changing it.
 *
 * @param workflow the one that the file describes, if it could be read that far
 * @param effects the slugs of its effects
 * @param problems of this file, and of others that it would spoil; empty if all is good
 */
public record CheckedFile(
    Optional<String> workflow, List<String> effects, List<CatalogueProblem> problems) {

  public CheckedFile {
    effects = List.copyOf(effects);
    problems = List.copyOf(problems);
  }
}
