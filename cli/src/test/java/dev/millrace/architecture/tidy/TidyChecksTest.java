package dev.millrace.architecture.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each check notices what it is there for, and leaves alone what is fine. */
class TidyChecksTest {

  private static final String MAIN = "engine/src/main/java/dev/millrace/engine/";
  private static final String TEST = "engine/src/test/java/dev/millrace/engine/";

  @Test
  void trailing_whitespace_is_noticed_with_its_line() {
    assertThat(TextChecks.check(new SourceFile("docs/a.md", "fine\nnot fine \n")))
        .containsExactly(new Flaw("docs/a.md", 2, "trailing whitespace"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"// TO-DO: later", "-- FIX-ME", "<!-- XX-X -->"})
  void unfinished_work_is_noticed(String line) {
    String joined = line.replaceFirst("(?<=[A-Z])-(?=[A-Z])", "");
    assertThat(TextChecks.check(new SourceFile("a.sql", joined))).hasSize(1);
    assertThat(TextChecks.check(new SourceFile("a.sql", line))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"hom,e", "roo,t", "wor,k", "Use,rs"})
  void a_path_of_a_machine_is_noticed(String head, String tail) {
    String path = "/" + head + tail + "/";
    assertThat(TextChecks.check(new SourceFile("a.md", "see " + path + "x"))).hasSize(1);
    assertThat(TextChecks.check(new SourceFile("a.md", "`" + path + "x`"))).hasSize(1);
    assertThat(TextChecks.check(new SourceFile("a.md", "https://example.org" + path))).isEmpty();
    assertThat(TextChecks.check(new SourceFile("a.md", path + "ada/.config"))).isEmpty();
    assertThat(TextChecks.check(new SourceFile("a.md", path + "adam"))).hasSize(1);
    assertThat(TextChecks.check(new SourceFile("millrace", path))).isEmpty();
  }

  @Test
  void a_tab_in_java_is_noticed() {
    assertThat(TextChecks.check(new SourceFile(MAIN + "A.java", "\tclass A {}"))).hasSize(1);
    assertThat(TextChecks.check(new SourceFile("a.md", "\tcode"))).isEmpty();
  }

  @Test
  void the_pool_that_everybody_shares_is_noticed_in_tests() {
    String shared = "CompletableFuture.run" + "Async(this::close);";
    assertThat(TextChecks.check(new SourceFile(TEST + "ATest.java", shared))).hasSize(1);
    assertThat(TextChecks.check(new SourceFile(MAIN + "A.java", shared))).isEmpty();
  }

  @Test
  void a_sleep_is_noticed_in_tests_only() {
    String sleep = "Thread." + "sleep(1);";
    assertThat(TextChecks.check(new SourceFile(TEST + "ATest.java", sleep))).hasSize(1);
    assertThat(TextChecks.check(new SourceFile("testkit/src/main/java/A.java", sleep))).hasSize(1);
    assertThat(TextChecks.check(new SourceFile(MAIN + "A.java", sleep))).isEmpty();
  }

  @Test
  void a_disabled_test_is_noticed() {
    String disabled = "@Dis" + "abled(\"flaky\")";
    assertThat(TextChecks.check(new SourceFile(TEST + "ATest.java", disabled))).hasSize(1);
  }

  @Test
  void a_long_line_is_noticed_unless_it_is_a_table_or_an_address() {
    String line = "x".repeat(TextChecks.LONGEST_LINE);
    for (String name : List.of("a.md", "a.yaml", "a.yml", "a.sql")) {
      assertThat(TextChecks.check(new SourceFile(name, line))).as(name).isEmpty();
      assertThat(TextChecks.check(new SourceFile(name, line + "x"))).as(name).hasSize(1);
    }
    assertThat(TextChecks.check(new SourceFile("a.md", "|" + line))).isEmpty();
    assertThat(TextChecks.check(new SourceFile("a.md", "https://" + line))).isEmpty();
  }

  @Test
  void a_long_readme_is_noticed() {
    String lines = "line\n".repeat(TextChecks.LONGEST_README);
    assertThat(TextChecks.check(new SourceFile("README.md", lines))).isEmpty();
    assertThat(TextChecks.check(new SourceFile("README.md", lines + "one more\n"))).hasSize(1);
    assertThat(TextChecks.check(new SourceFile("docs/README.md", lines + "more\n"))).isEmpty();
  }

  @Test
  void a_long_file_is_noticed() throws IOException {
    String lines = "// line\n".repeat(JavaChecks.LONGEST_FILE - 1) + "class A {}\n";
    assertThat(check("A.java", lines)).isEmpty();
    assertThat(check("A.java", "// one more\n" + lines)).hasSize(1);
  }

  @Test
  void a_long_method_is_noticed_whatever_braces_its_strings_have() throws IOException {
    String longest = method(JavaChecks.LONGEST_METHOD);
    assertThat(check("A.java", longest)).isEmpty();
    assertThat(check("A.java", method(JavaChecks.LONGEST_METHOD + 1)))
        .singleElement()
        .satisfies(flaw -> assertThat(flaw.toString()).contains("A.java:2", "busy"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"JobManager", "TestHelper", "JsonUtil", "JsonUtils", "JobsImpl", "JobBase"})
  void an_empty_name_is_noticed_at_any_depth(String name) throws IOException {
    assertThat(check("A.java", "class " + name + " {}")).hasSize(1);
    assertThat(check("A.java", "class A { interface B { record " + name + "() {} } }")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Jobs", "Database", "Manager2", "Baseline", "Utility"})
  void a_telling_name_is_fine(String name) throws IOException {
    assertThat(check("A.java", "class " + name + " {}")).isEmpty();
  }

  @Test
  void a_package_without_a_sign_is_noticed() {
    SourceFile type = new SourceFile(MAIN + "A.java", "class A {}");
    SourceFile test = new SourceFile(TEST + "ATest.java", "class ATest {}");
    SourceFile sign = new SourceFile(MAIN + "package-info.java", "/** " + "why ".repeat(12) + "*/");
    assertThat(PackageChecks.check(List.of(type, test))).hasSize(2);
    assertThat(PackageChecks.check(List.of(type, test, sign))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/** Engine. */", "/**\n * Engine.\n *\n *\n *\n *\n *\n *\n *\n */"})
  void a_sign_that_says_nothing_is_noticed(String javadoc) {
    String text = javadoc + "\npackage dev.millrace.engine;";
    assertThat(PackageChecks.check(List.of(new SourceFile(MAIN + "package-info.java", text))))
        .hasSize(1);
  }

  private static List<Flaw> check(String name, String text) throws IOException {
    return JavaChecks.check(List.of(new SourceFile(MAIN + name, text)));
  }

  private static String method(int lines) {
    String body = "    call(\"}{\");\n".repeat(lines - 2);
    return "class A {\n  void busy() {\n" + body + "  }\n}\n";
  }
}
