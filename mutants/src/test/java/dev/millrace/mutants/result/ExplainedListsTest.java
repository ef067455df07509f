package dev.millrace.mutants.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
}
