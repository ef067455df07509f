package dev.millrace.mutants.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.mutants.result.Result.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

class SummaryTest {

  private static final Explanations LIST =
      Explanations.parse(List.of("A.X | m | equal", "  nobody can tell"));

  private static final List<Result> RESULTS =
      List.of(
          result("A", "one", Verdict.KILLED),
          result("A", "two", Verdict.TIMED_OUT),
          result("A", "three", Verdict.SURVIVED),
          result("A", "equal", Verdict.SURVIVED),
          result("B", "four", Verdict.NO_TEST));

  @Test
  void explained_mutants_do_not_count() {
    assertThat(new Summary(RESULTS, LIST).percent()).isEqualTo(50);
  }

  @Test
  void a_class_has_a_line_of_its_own() {
    assertThat(new Summary(RESULTS, LIST).table().lines().map(line -> line.split("\\s+", 7)))
        .contains(
            new String[] {"A", "4", "1", "1", "1", "1", "66.7 %"},
            new String[] {"B", "1", "0", "0", "0", "1", "0.0 %"},
            new String[] {"all", "5", "1", "1", "1", "2", "50.0 %"});
  }

  @Test
  void only_the_unexplained_are_listed() {
    assertThat(Summary.survivors(RESULTS, LIST))
        .extracting(text -> text.lines().findFirst().orElseThrow())
        .containsExactly("A.X | m | three", "B.X | m | four");
  }

  private static Result result(String type, String place, Verdict fate) {
    return new Result(new Mutant(type, "X", "m", place), fate, "");
  }
}
