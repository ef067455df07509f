package dev.millrace.service.catalogue.reading;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the examples say can be copied into a catalogue as it stands. */
class ExamplesTest {

  /** The recipes for autoscaling are for operators, and run nothing. */
  private static List<Path> examples() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("../examples"))) {
      return all.filter(Files::isDirectory)
          .filter(example -> !example.endsWith("autoscaling"))
          // Its executor comes with its jar; the test of the jar reads it.
          .filter(example -> !example.endsWith("provider-jar"))
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void every_example_has_a_workflow_that_the_catalogue_takes(Path example) {
    CatalogueFiles files =
        new CatalogueFiles(new CatalogueRules(100, Set.of("worker", "sketch")), example);
    assertThat(files.reload()).isInstanceOf(Reload.Reloaded.class);
    assertThat(files.current().workflows())
        .filteredOn(workflow -> workflow.executor().equals("worker"))
        .as("workflows of " + example)
        .hasSize(1)
        .allMatch(workflow -> workflow.provider() != null);
  }
}
