package dev.millrace.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bench.measure.Sheet;
import dev.millrace.bench.report.TargetVerdict.Outcome;
import java.util.List;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class TargetsTest {

  private final Sheet sheet = new Sheet();

  @Test
  void a_target_without_its_figures_is_not_measured() {
    assertThat(Targets.judge(sheet))
        .isNotEmpty()
        .allMatch(verdict -> verdict.outcome() == Outcome.NOT_MEASURED && verdict.value() == null);
  }

  @Test
  void a_ratio_is_judged_by_its_bound() {
    sheet.add("c.batched.per_s", "", 6_000, "jobs/s");
    sheet.add("c.256.per_s", "", 500, "jobs/s");
    is("batched over unbatched", 12, Outcome.MET);
    sheet.add("c.256.per_s", "", 501, "jobs/s");
    is("batched over unbatched", 6_000 / 501.0, Outcome.MISSED);
  }

  @Test
  void less_is_better_where_the_bound_says_at_most() {
    sheet.add("e.few.per_s", "", 1_000, "jobs/s");
    sheet.add("e.many.per_s", "", 500, "jobs/s");
    is("leases with few finished jobs", 2, Outcome.MISSED);
    sheet.add("e.many.per_s", "", 900, "jobs/s");
    is("leases with few finished jobs", 1 / 0.9, Outcome.MET);
  }

  @Test
  void the_best_peer_is_the_one_to_beat() {
    sheet.add("a.256.per_s", "", 3_000, "jobs/s");
    sheet.add("peers.db-scheduler.e2e_per_s", "", 500, "jobs/s");
    sheet.add("peers.pg-boss.e2e_per_s", "", 1_500, "jobs/s");
    sheet.add("peers.bullmq.e2e_per_s", "", 9_000, "jobs/s");
    is("HTTP over the best PostgreSQL peer", 2, Outcome.MISSED);
    sheet.add("d.pickup.p50_ms", "", 4, "ms");
    sheet.add("peers.jobrunr.pickup.p50_ms", "", 100, "ms");
    sheet.add("peers.bullmq.pickup.p50_ms", "", 5, "ms");
    is("pickup over the fastest peer's", 0.8, Outcome.MET);
  }

  @Test
  void a_plain_figure_is_its_own_value() {
    sheet.add("g.idle_kib", "", 20, "KiB");
    is("KiB for an idle stream", 20, Outcome.MET);
    sheet.add("g.fanout.p99_ms", "", 50.5, "ms");
    is("fan-out p99", 50.5, Outcome.MISSED);
  }

  private void is(String law, double value, Outcome outcome) {
    List<TargetVerdict> found =
        Targets.judge(sheet).stream().filter(v -> v.law().startsWith(law)).toList();
    assertThat(found).hasSize(1);
    assertThat(Objects.requireNonNull(found.getFirst().value()))
        .isCloseTo(value, Offset.offset(1e-9));
    assertThat(found.getFirst().outcome()).isEqualTo(outcome);
  }
}
