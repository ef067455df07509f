package dev.millrace.mutants.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.mutants.child.Baseline;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TestOrderTest {

  private static final Map<String, Long> MILLIS =
      Map.of("slow", 9_000L, "middle", 500L, "quick", 20L, "broken", 10L, "other", 1L);
  private static final Target TARGET =
      new Target("Keys", "FIND", "select", false, Set.of("slow", "middle", "quick", "broken"));

  private final TestOrder order = order(60_000);

  @Test
  void only_tests_that_execute_the_statement_are_tried_and_the_shortest_first() {
    assertThat(tests(order)).containsExactly("quick", "middle", "slow");
  }

  @Test
  void who_noticed_another_mutant_of_the_statement_comes_first() {
    order.noticed(TARGET, "slow");
    order.noticed(TARGET, "slow");
    order.noticed(TARGET, "middle");
    assertThat(tests(order)).containsExactly("slow", "middle", "quick");
  }

  @Test
  void tests_that_are_called_like_the_statement_come_first_and_each_class_has_its_turn() {
    Map<String, Long> millis =
        Map.of(
            "[class:a.KeyPgTest]/[method:k1()]", 900L,
            "[class:a.KeyPgTest]/[method:k2()]", 800L,
            "[class:a.JobPgTest]/[method:j1()]", 10L,
            "[class:a.JobPgTest]/[method:j2()]", 20L,
            "[class:a.ListPgTest]/[method:l1()]", 30L);
    TestOrder all = new TestOrder(new Baseline(Map.of(), List.of(), millis, Set.of()), 60_000);
    Target target = new Target("Keys", "FIND", "select", false, millis.keySet());
    assertThat(all.trial(target, "mutated", _ -> false).tests())
        .extracting(test -> test.replaceAll(".*:(\\w+)\\(\\)]", "$1"))
        .containsExactly("k2", "k1", "j1", "l1", "j2");
  }

  @Test
  void there_is_only_so_much_time_for_one_mutant() {
    assertThat(tests(order(600))).containsExactly("quick", "middle");
    assertThat(tests(order(1))).containsExactly("quick");
  }

  @Test
  void a_test_hangs_if_it_takes_many_times_as_long_as_usual() {
    assertThat(order.trial(TARGET, "mutated", _ -> false).limitMillis())
        .containsExactly(40_000L, 40_000L, 54_000L);
  }

  @Test
  void whom_it_escaped_is_not_asked_again() {
    assertThat(order.trial(TARGET, "mutated", Set.of("quick", "slow")::contains).tests())
        .containsExactly("middle");
  }

  private static TestOrder order(long budgetMillis) {
    return new TestOrder(new Baseline(Map.of(), List.of(), MILLIS, Set.of("broken")), budgetMillis);
  }

  private static List<String> tests(TestOrder order) {
    return order.trial(TARGET, "mutated", _ -> false).tests();
  }
}
