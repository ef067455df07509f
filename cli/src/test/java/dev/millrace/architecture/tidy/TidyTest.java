package dev.millrace.architecture.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The source tree keeps the house style. */
class TidyTest {

  private final List<SourceFile> files;

  TidyTest() throws IOException {
    files = Repository.files();
  }

  @Test
  void the_walk_sees_the_whole_repository() {
    assertThat(files)
        .extracting(SourceFile::path)
        .contains(
            "README.md",
            "millrace",
            "pom.xml",
            ".ci/run",
            "engine/src/main/java/dev/millrace/engine/package-info.java",
            "cli/src/test/java/dev/millrace/architecture/tidy/TidyTest.java");
  }

  @Test
  void every_line_is_tidy() {
    assertThat(files).flatExtracting(TextChecks::check).isEmpty();
  }

  @Test
  void files_methods_and_names_fit_the_house() throws IOException {
    assertThat(JavaChecks.check(files)).isEmpty();
  }

  @Test
  void every_package_says_what_it_is_for() {
    assertThat(PackageChecks.check(files)).isEmpty();
  }
}
