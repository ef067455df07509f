package dev.millrace.providers.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the documents show is what is compiled, read and run here. */
class AddingAProviderTest {

  private static final Path ROOT = Path.of("..");

  /** A block of code, after a comment that names the file that it was taken from. */
  private static final Pattern SHOWN =
      Pattern.compile("<!-- from ([^ ]+) -->\n```[a-z]+\n(.*?)```", Pattern.DOTALL);

  private static final Pattern BLOCK = Pattern.compile("```(java|yaml)\n");

  @ParameterizedTest
  @CsvSource({"adding-a-provider.md, 7", "providers.md, 1"})
  void every_piece_of_code_in_the_document_is_in_the_file_that_it_names(String name, int atLeast)
      throws IOException {
    String document = Files.readString(ROOT.resolve("docs").resolve(name));
    List<String> astray = new ArrayList<>();
    int shown = 0;
    Matcher pieces = SHOWN.matcher(document);
    while (pieces.find()) {
      shown++;
      String file = Files.readString(ROOT.resolve(pieces.group(1)));
      if (!flat(file).contains(flat(pieces.group(2)))) {
        astray.add(pieces.group(1) + ":\n" + pieces.group(2));
      }
    }
    assertThat(astray).isEmpty();
    assertThat(shown).isGreaterThanOrEqualTo(atLeast);
    if (name.equals("adding-a-provider.md")) {
      assertThat(BLOCK.matcher(document).results().count()).isEqualTo(shown);
    }
  }

  /** Without indentation, which a document leaves out. */
  private static String flat(String code) {
    return code.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .collect(Collectors.joining("\n", "\n", "\n"));
  }
}
