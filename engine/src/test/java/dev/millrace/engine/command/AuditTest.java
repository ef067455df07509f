package dev.millrace.engine.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.Report.Fail.Kind;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.port.AuditLine;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every decision of a person leaves one line, written with the decision, and no refusal does. */
class AuditTest {

  private final Bench bench = Bench.withCredits(100);

  /** A decision, where it counts, and what its line says. */
  record Decision(
      State where, Function<JobId, Report> report, String action, Map<String, String> detail) {
    @Override
    public String toString() {
      return action;
    }
  }

  static List<Decision> decisions() {
    return List.of(
        new Decision(
            State.WAITING_REVIEW,
            id -> new Report.Approve(id, "rita", null, null),
            "job.approve",
            Map.of("approved", "1", "declined", "0")),
        new Decision(
            State.WAITING_REVIEW,
            id -> new Report.Decline(id, "rita", "Blurred."),
            "job.decline",
            Map.of("reason", "Blurred.")),
        new Decision(
            State.QUEUED,
            id -> new Report.RejectByPolicy(id, "rita", new Failure("violence", "No.")),
            "job.reject",
            Map.of("category", "violence")),
        new Decision(
            State.REJECTED,
            id -> new Report.Overturn(id, "rita", "A statue."),
            "job.overturn",
            Map.of("reason", "A statue.", "credits", "10")),
        new Decision(
            State.FAILED,
            id -> new Report.RetryInPlace(id, "rita", 1, 1, 1),
            "job.retry",
            Map.of("credits", "10")),
        new Decision(State.COMPLETED, id -> new Report.Delete(id, "rita"), "job.delete", Map.of()));
  }

  @ParameterizedTest
  @MethodSource("decisions")
  void a_decision_leaves_one_line_that_says_who_what_and_why(Decision decision) {
    JobId id = Subject.in(decision.where(), bench, new Order()).id();
    int before = bench.tables.audits.size();
    bench.reportAll(decision.report().apply(id), decision.report().apply(id));
    assertThat(bench.tables.audits.subList(before, bench.tables.audits.size()))
        .containsExactly(
            new AuditLine(1, "rita", decision.action(), id.uuid().toString(), decision.detail()));
  }

  @ParameterizedTest
  @MethodSource("decisions")
  void a_decision_that_is_refused_leaves_none(Decision decision) {
    JobId id = Subject.in(State.RUNNING, bench, new Order()).id();
    bench.report(decision.report().apply(id));
    bench.report(decision.report().apply(new JobId(2, id.uuid())));
    assertThat(bench.tables.audits).isEmpty();
  }

  @Test
  void a_safety_filter_leaves_a_line_of_the_systems() {
    Subject subject = Subject.in(State.RUNNING, bench, new Order());
    bench.done(Bench.fail(subject.id(), subject.token(), Kind.SAFETY));
    assertThat(bench.tables.audits)
        .containsExactly(
            new AuditLine(
                1,
                "system",
                "SAFE_BLOCK",
                subject.id().uuid().toString(),
                Map.of("code", "oops", "attempt", "1")));
  }

  @Test
  void what_is_nobodys_decision_leaves_none() {
    Subject.in(State.COMPLETED, bench, new Order());
    Subject.in(State.DEAD_LETTER, bench, new Order());
    Subject.in(State.CANCELED, bench, new Order());
    Subject.in(State.EXPIRED, bench, new Order());
    assertThat(bench.tables.audits).isEmpty();
  }

  @Test
  void who_cancels_for_another_leaves_a_line_once() {
    JobId id = Subject.in(State.RUNNING, bench, new Order()).id();
    AuditLine line = new AuditLine(1, "rita", "job.cancel", id.uuid().toString(), Map.of());
    bench.done(new Report.Cancel(id, "rita"));
    assertThat(bench.tables.audits).containsExactly(line);
    bench.done(new Report.Cancel(id, "rita"));
    assertThat(bench.tables.audits).containsExactly(line);
  }

  @Test
  void who_cancels_an_own_job_leaves_none() {
    bench.done(new Report.Cancel(Subject.in(State.QUEUED, bench, new Order()).id()));
    assertThat(bench.tables.audits).isEmpty();
  }
}
