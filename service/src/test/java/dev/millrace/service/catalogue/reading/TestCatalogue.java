package dev.millrace.service.catalogue.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.service.catalogue.Catalogue;
import dev.millrace.service.catalogue.CatalogueProblem;
import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.catalogue.SourceFile;
import dev.millrace.service.catalogue.reading.Reload.Rejected;
import dev.millrace.service.catalogue.reading.Reload.Reloaded;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Catalogues made from texts, without the built-in files. */
final class TestCatalogue {

  static final CatalogueRules RULES =
      new CatalogueRules(1_000_000, Set.of("sketch", "worker", "replicate"));

  private TestCatalogue() {}

  static Catalogue of(String text) {
    return of(Map.of("a.yaml", text));
  }

  private static Catalogue of(Map<String, String> files) {
    Reload reload = reload(files);
    assertThat(reload).isInstanceOf(Reloaded.class);
    return ((Reloaded) reload).catalogue();
  }

  static Effect effect(String text, String slug) {
    return of(text).effect(slug).orElseThrow();
  }

  static Effect effect(Map<String, String> files, String slug) {
    return of(files).effect(slug).orElseThrow();
  }

  /** Every problem as its one line for a terminal. */
  static List<String> problems(Map<String, String> files) {
    return reload(files) instanceof Rejected(List<CatalogueProblem> problems)
        ? problems.stream().map(CatalogueProblem::toString).toList()
        : List.of();
  }

  static List<String> problems(String text) {
    return problems(Map.of("a.yaml", text));
  }

  static ObjectNode json(String text) {
    return (ObjectNode) JsonMapper.shared().readTree(text.replace('\'', '"'));
  }

  private static Reload reload(Map<String, String> files) {
    DraftReader reader = new DraftReader(RULES);
    return Assembly.assemble(
        new TreeMap<>(files)
            .entrySet().stream()
                .map(file -> reader.read(new SourceFile(file.getKey(), false), file.getValue()))
                .toList());
  }
}
