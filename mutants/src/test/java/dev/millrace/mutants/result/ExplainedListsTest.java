package dev.millrace.mutants.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lists that are checked in can be read; whether they still fit is for the long run to say. */
class ExplainedListsTest {

  @ParameterizedTest
  @ValueSource(strings = {"explained-engine.txt", "explained-sql.txt"})
  void every_entry_is_the_name_of_a_mutant_with_a_reason(String name) throws IOException {
    Path file = Path.of(name).toAbsolutePath();
    assertThatCode(() -> Explanations.read(file)).doesNotThrowAnyException();
    List<String> names =
        Files.readAllLines(file).stream()
            .filter(line -> !line.isBlank() && !line.startsWith("#") && !line.startsWith(" "))
            .toList();
    assertThat(names).isNotEmpty().allMatch(entry -> entry.split(" \\| ", 3).length == 3);
  }

  /**
   * A class that was renamed, or a line that was rewritten, leaves an entry that explains nothing.
   */
  @Test
  void every_explained_line_of_the_engine_is_in_its_class() throws IOException {
    for (String line : Files.readAllLines(Path.of("explained-engine.txt"))) {
      String[] entry = line.split(" \\| ", 3);
      if (entry.length == 3) {
        String type = entry[0].substring(0, entry[0].indexOf('.'));
        String method = entry[0].substring(entry[0].indexOf('.') + 1);
        String code = entry[2].replaceFirst(" #\\d+$", "");
        assertThat(source(type)).as(line).contains(code, " " + method + "(");
      }
    }
  }

  private static String source(String type) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("../engine/src/main/java"))) {
      Path file = files.filter(path -> path.endsWith(type + ".java")).findFirst().orElseThrow();
      return Files.readString(file);
    }
  }
}
