package dev.millrace.cli.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.e2e.Program.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script in a clone of its own, with a Maven that does as it is told. */
class ScriptEndToEndTest {

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  private Path clone;

  @BeforeEach
  void a_clone_with_one_commit() throws Exception {
    clone = Files.createDirectory(folder.resolve("clone"));
    Files.copy(Path.of("..", "millrace"), clone.resolve("millrace"));
    Files.writeString(clone.resolve(".gitignore"), "target/\n");
    program("mvn", "exit \"${MAVEN_ENDS_WITH:-0}\"");
    shell(
            """
            git init -q
            git -c user.name=Ada -c user.email=ada@example.org add .
            git -c user.name=Ada -c user.email=ada@example.org commit -qm 'Begin'
            """)
        .exits(0);
  }

  private void program(String name, String lines) throws IOException {
    Path file = Files.createDirectories(folder.resolve("bin")).resolve(name);
    Files.writeString(file, "#!/usr/bin/env bash\n" + lines + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  /** The application counts as built, which is what a test run's own children rely on. */
  private Result shell(String lines) throws IOException, InterruptedException {
    Path built = clone.toRealPath().resolve("target/app/built");
    Files.createDirectories(built);
    // What the commands print is kept outside of the clone, or its work tree would not be clean.
    return Program.shell(
        folder,
        Map.of("TESTED_MILLRACE", built.toString(), "JAVA_HOME", System.getProperty("java.home")),
        "PATH=" + folder.resolve("bin") + ":$PATH\ncd clone\n" + lines);
  }

  @Test
  void the_tree_that_passed_every_test_is_written_down() throws Exception {
    shell("./millrace test && test \"$(cat target/passed)\" = \"$(git rev-parse 'HEAD^{tree}')\"")
        .exits(0);
  }

  @Test
  void what_was_not_tested_whole_or_not_passed_or_not_committed_is_not_written_down()
      throws Exception {
    shell("./millrace test").exits(0);
    assertThat(clone.resolve("target/passed")).isNotEmptyFile();
    shell("MAVEN_ENDS_WITH=3 ./millrace test").exits(3);
    assertThat(clone.resolve("target/passed")).doesNotExist();
    shell("./millrace test -pl engine").exits(0);
    assertThat(clone.resolve("target/passed")).doesNotExist();
    Files.writeString(clone.resolve("edited"), "");
    shell("./millrace test").exits(0);
    assertThat(clone.resolve("target/passed")).doesNotExist();
  }

  @Test
  void a_test_that_passed_only_when_it_ran_once_more_is_named() throws Exception {
    program(
        "mvn",
        """
        echo "$*" > ../maven-heard
        mkdir -p engine/target/surefire-reports
        cat > engine/target/surefire-reports/TEST-a.B.xml <<'END'
        <testsuite name="a.B">
          <testcase name="holds" classname="a.B" time="0.1"/>
          <testcase name="stumbles" classname="a.B" time="0.1">
            <flakyFailure message="later"/>
          </testcase>
          <testcase name="breaks" classname="a.B" time="0.1">
            <flakyError message="name=&quot;x&quot;"/>
          </testcase>
        </testsuite>
        END
        """);
    Result run = shell("./millrace test 2>&1");
    run.exits(0);
    assertThat(clone.resolve("target/unsteady.txt")).hasContent("a.B.breaks\na.B.stumbles\n");
    assertThat(run.out()).contains("unsteady:", "a.B.stumbles").doesNotContain("a.B.holds");
    assertThat(folder.resolve("maven-heard"))
        .content()
        .contains("-Dsurefire.rerunFailingTestsCount=1");
    assertThat(clone.resolve("target/passed")).isNotEmptyFile();

    program("mvn", "exit 0");
    shell("./millrace test").exits(0);
    assertThat(clone.resolve("target/unsteady.txt")).doesNotExist();
  }
}
