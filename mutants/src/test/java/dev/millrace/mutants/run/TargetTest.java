package dev.millrace.mutants.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.mutants.child.Baseline;
import dev.millrace.mutants.child.Baseline.Executed;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TargetTest {

  private static final Map<String, String> CONSTANTS =
      Map.of("Keys.FIND", "select 1 from key", "Keys.LIST", "select 2 from key");

  @Test
  void a_constant_is_found_among_others_and_within_another() {
    List<Target> targets =
        targets(
            new Executed("set a = 1;\nselect 1 from key", "Pipeline.run", false, Set.of("a")),
            new Executed("with x as (select 1 from key) select", "Keys.all", false, Set.of("b")));
    assertThat(targets)
        .containsExactly(
            new Target("Keys", "FIND", "select 1 from key", false, Set.of("a", "b")),
            new Target("Keys", "LIST", "select 2 from key", false, Set.of()));
  }

  @Test
  void what_is_no_constant_has_the_name_of_the_method_that_executes_it() {
    assertThat(targets(new Executed("select 3", "Jobs.page", false, Set.of("a"))))
        .contains(new Target("Jobs", "page", "select 3", false, Set.of("a")));
  }

  @Test
  void what_is_executed_while_a_class_is_loaded_needs_a_new_process() {
    assertThat(targets(new Executed("select 2 from key", "Keys.list", true, Set.of("a"))))
        .contains(new Target("Keys", "LIST", "select 2 from key", true, Set.of("a")));
  }

  private static List<Target> targets(Executed... executed) {
    return Target.of(new Baseline(CONSTANTS, List.of(executed), Map.of(), Set.of()));
  }
}
