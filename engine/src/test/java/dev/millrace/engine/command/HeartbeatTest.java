package dev.millrace.engine.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.job.Lease;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.ProgressReport;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.lifecycle.State;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HeartbeatTest {

  private static final Progress HALF = new Progress(50, "sampling", "Step 10 of 20");

  private final Bench bench = Bench.withCredits(100);
  private final Leased leased = bench.running(new Order());

  @Test
  void a_heartbeat_extends_the_lease_from_now_and_not_the_deadline() {
    bench.advance(Duration.ofSeconds(29));
    Job job = beat(null, Map.of());
    assertThat(job.lease())
        .isEqualTo(new Lease(leased.token(), "w1", bench.now().plus(Bench.LEASE)));
    assertThat(job.times().deadlineAt()).isEqualTo(leased.job().times().deadlineAt());
    bench.advance(Duration.ofSeconds(29));
    beat(null, Map.of());
  }

  @Test
  void a_heartbeat_without_news_leaves_no_event() {
    int events = bench.tables.events.size();
    beat(null, Map.of());
    beat(leased.job().progress(), Map.of());
    assertThat(bench.tables.events).hasSize(events);
    assertThat(bench.last().changed()).hasSize(1);
  }

  @Test
  void news_are_told_once_however_often_they_are_sent() {
    beat(HALF, Map.of("model", "\"m\""));
    JobEvent told = bench.tables.events.getLast();
    assertThat(told.trigger()).isNull();
    assertThat(told.from()).isEqualTo(State.RUNNING);
    assertThat(told.progress()).isEqualTo(HALF);
    assertThat(told.summary()).isEqualTo(Bench.summary(Map.of("model", "\"m\"")));

    int events = bench.tables.events.size();
    beat(HALF, Map.of("model", "\"m\""));
    beat(HALF, Map.of("nothing", "null"));
    beat(null, Map.of("model", "\"m\""));
    assertThat(bench.tables.events).hasSize(events);
    beat(null, Map.of("model", "null"));
    assertThat(bench.tables.events).hasSize(events + 1);
    assertThat(bench.job(leased.job().id()).summary()).isEqualTo(Summary.EMPTY);
    assertThat(bench.job(leased.job().id()).progress()).isEqualTo(HALF);
  }

  @Test
  void a_heartbeat_of_a_job_to_be_canceled_says_so_and_does_not_move_the_grace() {
    Job canceling = bench.done(new Report.Cancel(leased.job().id()));
    bench.advance(Duration.ofSeconds(5));
    Job job = beat(null, Map.of());
    assertThat(job.state()).isEqualTo(State.CANCELING);
    assertThat(job.times().deadlineAt()).isEqualTo(canceling.times().deadlineAt());
    assertThat(Objects.requireNonNull(job.lease()).expiresAt())
        .isEqualTo(bench.now().plus(Bench.LEASE));
  }

  @Test
  void what_a_heartbeat_leaves_out_stays_as_it_was() {
    beat(HALF, Map.of());
    Job job =
        bench.done(
            new Report.Heartbeat(
                leased.job().id(),
                leased.token(),
                new ProgressReport(75, null, "Nearly", false),
                Summary.EMPTY));
    assertThat(job.progress()).isEqualTo(new Progress(75, HALF.step(), "Nearly"));
  }

  @Test
  void a_heartbeat_whose_summary_has_no_room_counts_in_all_else() {
    beat(null, Map.of("model", "\"m\""));
    bench.advance(Duration.ofSeconds(20));
    Job job = beat(HALF, Map.of("model", "\"" + "x".repeat(Summary.MOST_CHARACTERS) + "\""));
    assertThat(job.summary()).isEqualTo(Bench.summary(Map.of("model", "\"m\"")));
    assertThat(job.progress()).isEqualTo(HALF);
    assertThat(Objects.requireNonNull(job.lease()).expiresAt())
        .isEqualTo(bench.now().plus(Bench.LEASE));
  }

  @Test
  void however_often_a_worker_reports_its_events_repeat_little_and_its_end_tells_all() {
    int most = Summary.MOST_CHARACTERS / 100;
    Job job = leased.job();
    for (int i = 0; i < 3_000; i++) {
      String name = "fact%04d".formatted(i % most);
      job = beat(null, Map.of(name, "\"" + "x".repeat(80) + i + "\""));
    }
    assertThat(job.summary().values()).hasSize(most);
    List<JobEvent> told = bench.tables.events;
    assertThat(told).hasSize(2 + 3_000);
    assertThat(characters(told))
        .isLessThan((long) (Summary.MOST_REPEATED * (1 + Math.log(told.size()))))
        .isLessThan(1_000_000);
    assertThat(told.getLast().summary()).as("not repeated").isNull();
    assertThat(told.get(20).summary()).as("repeated").isNotNull();

    Job ended = bench.done(Bench.complete(job.id(), leased.token()));
    assertThat(told.getLast().summary()).isEqualTo(ended.summary()).isEqualTo(job.summary());
  }

  @Test
  void a_small_summary_is_repeated_by_thousands_of_events() {
    for (int i = 0; i < 3_000; i++) {
      beat(null, Map.of("step", "" + i));
      assertThat(bench.tables.events.getLast().summary())
          .isEqualTo(Bench.summary(Map.of("step", "" + i)));
    }
  }

  private static long characters(List<JobEvent> events) {
    return events.stream()
        .map(JobEvent::summary)
        .filter(Objects::nonNull)
        .flatMap(summary -> summary.values().entrySet().stream())
        .mapToLong(fact -> fact.getKey().length() + fact.getValue().length())
        .sum();
  }

  private Job beat(@Nullable Progress progress, Map<String, String> summary) {
    return bench.done(
        new Report.Heartbeat(leased.job().id(), leased.token(), progress, Bench.summary(summary)));
  }
}
