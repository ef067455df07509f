package dev.millrace.mutants.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.mutants.result.Result.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExplanationsTest {

  private static final Explanations LIST =
      Explanations.parse(
          """
          # Keys
          Keys.FIND | limit dropped | limit 1
          Keys.FIND | order turned | id
              A key is unique,
              so there is one at most.

          Wallets.ALL | order turned | id
              The caller sorts.
          """
              .lines()
              .toList());

  @Test
  void several_mutants_share_the_reason_below_them() {
    assertThat(LIST.explain(mutant("Keys", "FIND", "limit dropped", "limit 1"))).isTrue();
    assertThat(LIST.explain(mutant("Keys", "FIND", "order turned", "id"))).isTrue();
    assertThat(LIST.explain(mutant("Wallets", "ALL", "order turned", "id"))).isTrue();
  }

  @Test
  void an_entry_explains_no_other_place_mistake_or_statement() {
    assertThat(LIST.explain(mutant("Keys", "FIND", "limit dropped", "limit 2"))).isFalse();
    assertThat(LIST.explain(mutant("Keys", "FIND", "order turned", "limit 1"))).isFalse();
    assertThat(LIST.explain(mutant("Keys", "LIST", "limit dropped", "limit 1"))).isFalse();
  }

  @Test
  void an_entry_is_stale_if_its_mutant_is_killed_or_gone() {
    List<Result> results =
        List.of(
            new Result(mutant("Keys", "FIND", "limit dropped", "limit 1"), Verdict.SURVIVED, ""),
            new Result(mutant("Keys", "FIND", "order turned", "id"), Verdict.KILLED, ""),
            new Result(mutant("Wallets", "ALL", "order turned", "user_id"), Verdict.SURVIVED, ""));
    assertThat(LIST.stale(results))
        .containsExactly("Keys.FIND | order turned | id", "Wallets.ALL | order turned | id");
  }

  @Test
  void entries_of_classes_that_were_not_tried_are_not_judged() {
    Result only = new Result(mutant("Other", "FIND", "order turned", "id"), Verdict.KILLED, "");
    assertThat(LIST.stale(List.of(only))).isEmpty();
  }

  @Test
  void an_entry_without_a_reason_is_refused() {
    assertThatThrownBy(() -> Explanations.parse(List.of("Keys.FIND | order turned | id")))
        .hasMessageContaining("no reason");
    assertThatThrownBy(() -> Explanations.parse(List.of("   because")))
        .hasMessageContaining("a reason for nothing");
  }

  @Test
  void a_mutant_is_explained_once() {
    assertThatThrownBy(
            () -> Explanations.parse(List.of("A.B | c | d", "  one", "A.B | c | d", "  two")))
        .hasMessageContaining("explained twice");
  }

  private static Mutant mutant(String type, String member, String mistake, String place) {
    return new Mutant(type, member, mistake, place);
  }
}
