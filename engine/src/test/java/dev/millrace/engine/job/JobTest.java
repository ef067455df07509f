package dev.millrace.engine.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.Hold;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JobTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final UUID TOKEN = new UUID(1, 1);
  private static final Lease LEASE = new Lease(TOKEN, "worker", NOON.plusSeconds(30));

  @ParameterizedTest
  @EnumSource
  void a_live_job_has_a_deadline_and_a_terminal_one_has_none(State state) {
    assertThatCode(() -> job(state, state.live() ? NOON : null, null)).doesNotThrowAnyException();
    assertThatThrownBy(() -> job(state, state.live() ? null : NOON, null))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("deadline");
  }

  @ParameterizedTest
  @EnumSource
  void only_a_job_that_executes_has_a_lease(State state) {
    Instant deadline = state.live() ? NOON : null;
    if (state.executing()) {
      assertThat(job(state, deadline, LEASE).lease()).isEqualTo(LEASE);
    } else {
      assertThatThrownBy(() -> job(state, deadline, LEASE))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("leased while " + state.label());
    }
  }

  @Test
  void a_lease_is_alive_for_its_token_until_the_moment_it_expires() {
    Job job = job(State.RUNNING, NOON, LEASE);
    assertThat(job.leasedBy(TOKEN, NOON)).isTrue();
    assertThat(job.leasedBy(TOKEN, NOON.plusSeconds(30).minusNanos(1))).isTrue();
    assertThat(job.leasedBy(TOKEN, NOON.plusSeconds(30))).isFalse();
    assertThat(job.leasedBy(new UUID(1, 2), NOON)).isFalse();
    assertThat(job(State.RUNNING, NOON, null).leasedBy(TOKEN, NOON)).isFalse();
  }

  private static Job job(State state, @Nullable Instant deadline, @Nullable Lease lease) {
    return new Job(
        new JobId(1, new UUID(0, 1)),
        new JobTerms(1, 1, 1, 0, 60, 60, JobTerms.Rules.USUAL),
        state,
        new Job.History(1, Progress.NONE, Summary.EMPTY),
        new Job.Work(Tries.none(3, 10), lease, 0),
        Hold.NONE,
        new Times(NOON, NOON, null, null, deadline, NOON),
        new Job.Ending(null, AfterEnd.NONE));
  }
}
