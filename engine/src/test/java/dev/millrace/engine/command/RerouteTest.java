package dev.millrace.engine.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.lifecycle.State;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A job whose queue is too slow waits in another one. */
class RerouteTest {

  private final Bench bench = Bench.withCredits(100);

  @Test
  void a_job_that_is_sent_elsewhere_is_leased_there_and_nowhere_else() {
    Job job = bench.submit(new Order());
    Job moved = bench.done(new Report.Reroute(job.id(), 1, 2, 0, "Sent elsewhere"));
    assertThat(moved.terms()).isEqualTo(job.terms().in(2));
    assertThat(moved.progress().message()).isEqualTo("Sent elsewhere");
    assertThat(moved.hold()).isEqualTo(job.hold());
    assertThat(moved.times().deadlineAt()).isEqualTo(job.times().deadlineAt());
    assertThat(bench.leaseAll(new LeaseJobs("a", List.of(1), 9))).containsExactly(List.of());
    assertThat(bench.leaseAll(new LeaseJobs("b", List.of(2), 9)).getFirst())
        .extracting(leased -> leased.job().id())
        .containsExactly(job.id());
  }

  @Test
  void it_lines_up_behind_those_of_its_tenant_who_are_there() {
    bench.submit(new Order().workflow(2));
    Job job = bench.submit(new Order());
    bench.done(new Report.Reroute(job.id(), 1, 2, 0, "Sent elsewhere"));
    assertThat(bench.tables.places).containsEntry(job.id(), Order.COST);
    Job next = bench.submit(new Order().workflow(2));
    assertThat(bench.tables.places).containsEntry(next.id(), 2 * Order.COST);
  }

  @Test
  void what_began_since_it_was_seen_stays_where_it_is() {
    Leased first = bench.running(new Order());
    Job job = bench.done(new Report.Requeue(first.job().id(), first.token(), "spot"));
    assertThat(bench.done(new Report.Reroute(job.id(), 1, 2, 0, "Sent elsewhere"))).isEqualTo(job);
    Job moved = bench.done(new Report.Reroute(job.id(), 1, 2, 1, "Sent elsewhere"));
    assertThat(moved.state()).isEqualTo(State.QUEUED);
    assertThat(moved.terms().workflowId()).isEqualTo(2);
  }
}
