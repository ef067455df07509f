package dev.millrace.web.console.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.lifecycle.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people write into the filter of the job list. */
class JobQueryTest {

  @Test
  void words_become_a_filter() {
    JobQuery query =
        JobQuery.parse(" state:failed,expired  effect:sketch/poster tenant:acme age:>1h ");
    assertThat(query.states()).containsExactly(State.FAILED, State.EXPIRED);
    assertThat(query.effect()).isEqualTo("sketch/poster");
    assertThat(query.tenant()).isEqualTo("acme");
    assertThat(query.olderThan()).isEqualTo(Duration.ofHours(1));
    assertThat(query.complaints()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "state:running",
        "state:live",
        "effect:sketch/poster user:ada",
        "state:failed effect:a/b user:ada tenant:acme age:>90m age:<7d",
        "id:0198c0de",
        "state:failed id:0198c0de-0000-7000-8000-000000000001"
      })
  void what_is_read_is_written_the_same(String text) {
    assertThat(JobQuery.parse(text).text()).isEqualTo(text);
  }

  @Test
  void a_bare_word_is_an_effect() {
    assertThat(JobQuery.parse("sketch/poster").effect()).isEqualTo("sketch/poster");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0198C0DE", "0198c0de-0000-7000-8000-000000000001"})
  void a_bare_id_is_an_id_and_so_is_its_end(String id) {
    assertThat(JobQuery.parse(id).ending()).isEqualTo(id.toLowerCase(java.util.Locale.ROOT));
    assertThat(JobQuery.parse(id).whole().isPresent()).isEqualTo(id.length() == 36);
    assertThat(JobQuery.parse(id + " state:failed").whole()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"state:done", "age:1h", "age:>1w", "colour:red", "batch:7", "id:x"})
  void what_means_nothing_is_complained_about(String text) {
    assertThat(JobQuery.parse(text).complaints()).hasSize(1);
  }

  @Test
  void a_task_gets_only_states_in_which_its_deed_makes_sense() {
    Instant now = Instant.parse("2030-01-01T00:00:00Z");
    var filter =
        JobQuery.parse("state:failed,completed age:>1d").taskFilter(List.of(State.FAILED), now);
    assertThat(filter.orElseThrow().toJson().toString())
        .isEqualTo("{\"state\":[\"failed\"],\"created_before\":\"2029-12-31T00:00:00Z\"}");
  }
}
