package dev.millrace.mutants.pit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.mutants.result.Result;
import dev.millrace.mutants.result.Result.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PitReportTest {

  @TempDir Path sources;

  @Test
  void a_mutant_is_named_by_its_line_and_not_by_any_number() throws IOException {
    Files.createDirectories(sources.resolve("a/b"));
    Files.writeString(sources.resolve("a/b/C.java"), "class C {\n  if (x < y && y < z) {\n");
    String xml =
        "<mutations>"
            + mutation("KILLED", "a.b.C$D", 9, "changed conditional boundary")
            + mutation("SURVIVED", "a.b.C$D", 4, "changed conditional boundary")
            + mutation("NO_COVERAGE", "a.b.C", 7, "removed call to a/b/E$F::g")
            + "</mutations>";
    List<Result> results = PitReport.read(xml, sources);
    assertThat(results)
        .extracting(result -> result.mutant().name())
        .containsExactly(
            "C.m | removed call to E$F::g | if (x < y && y < z) {",
            "C.m | changed conditional boundary | if (x < y && y < z) {",
            "C.m | changed conditional boundary | if (x < y && y < z) { #2");
    assertThat(results)
        .extracting(Result::fate)
        .containsExactly(Verdict.NO_TEST, Verdict.SURVIVED, Verdict.KILLED);
  }

  private static String mutation(String status, String type, int index, String description) {
    return """
    <mutation status='%s' numberOfTestsRun='3'><sourceFile>C.java</sourceFile>
    <mutatedClass>%s</mutatedClass><mutatedMethod>lambda$m$3</mutatedMethod>
    <lineNumber>2</lineNumber><index>%d</index><description>%s</description></mutation>
    """
        .formatted(status, type, index, description);
  }
}
