package dev.millrace.engine.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps {@code docs/lifecycle.md} fresh; {@code -Dmillrace.regenerate=true} writes it anew. */
class LifecyclePageTest {

  @Test
  void the_page_is_what_the_table_says() throws IOException {
    Path page = page();
    if (Boolean.getBoolean("millrace.regenerate")) {
      Files.writeString(page, LifecyclePage.render());
    }
    assertThat(page)
        .as("docs/lifecycle.md is stale; run this test with -Dmillrace.regenerate=true")
        .content()
        .isEqualTo(LifecyclePage.render());
  }

  @Test
  void every_meaning_is_a_sentence_that_fits_a_table() {
    assertThat(
            Stream.concat(
                Stream.of(State.values()).map(Meanings::of),
                Stream.of(Trigger.values()).map(Meanings::of)))
        .doesNotHaveDuplicates()
        .allSatisfy(meaning -> assertThat(meaning).matches("[A-Z][^|\\n]+\\."));
  }

  private static Path page() {
    Path dir = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(dir.resolve(".mvn"))) {
      dir = dir.getParent();
      assertThat(dir).as("the root of the repository").isNotNull();
    }
    return dir.resolve("docs/lifecycle.md");
  }
}
