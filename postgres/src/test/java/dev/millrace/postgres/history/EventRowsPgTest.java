package dev.millrace.postgres.history;

import static dev.millrace.postgres.PlacedRows.FOREIGN;
import static dev.millrace.postgres.PlacedRows.NOW;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.ago;
import static dev.millrace.postgres.PlacedRows.id;
import static dev.millrace.postgres.PlacedRows.in;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.PlacedRows;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Events are read in their order from a place on, and are one tenant's and one job's. */
class EventRowsPgTest {

  private final PlacedRows rows = PlacedRows.none();
  private final Events events = new Events(rows.jdbi());
  private final EventLog log = new EventLog(rows.otherSessions());

  @AfterEach
  void close() {
    events.close();
  }

  private void event(int job, int seq, int tenant, Instant at, String state) {
    rows.row(
        "job_event",
        "tenant_id",
        tenant,
        "job_id",
        id(job),
        "seq",
        seq,
        "trigger",
        "lease",
        "state",
        state,
        "progress",
        0,
        "attempt",
        1,
        "at",
        at);
  }

  private void place() {
    for (int seq : List.of(3, 1, 4, 2)) {
      event(1, seq, TENANT, ago(10 - seq), "running");
      event(2, seq, TENANT, ago(10 - seq), "running");
      event(1, seq, FOREIGN, ago(10 - seq), "queued");
    }
  }

  @Test
  void a_jobs_events_are_its_own_in_their_order_after_a_cursor() {
    place();
    assertThat(seqs(events.after(TENANT, id(1), 0, 50))).containsExactly(1, 2, 3, 4);
    assertThat(seqs(events.after(TENANT, id(1), 2, 50))).containsExactly(3, 4);
    assertThat(seqs(events.after(TENANT, id(1), 0, 2))).containsExactly(1, 2);
    assertThat(seqs(events.next(new JobId(TENANT, id(1)), 2))).containsExactly(3, 4);
    assertThat(seqs(events.next(new JobId(TENANT, id(1)), 4))).isEmpty();
    assertThat(events.next(new JobId(FOREIGN, id(1)), 3))
        .extracting(view -> view.state().label())
        .containsExactly("queued");
  }

  private static List<Integer> seqs(List<EventView> views) {
    return views.stream().map(EventView::seq).toList();
  }

  @Test
  void only_so_many_events_come_next_and_those_the_first() {
    rows.execute(
        """
        insert into job_event (tenant_id, job_id, seq, state, progress, attempt, at)
        select 1, '%s', n, 'running', 0, 1, '%s'
        from generate_series(%d, 1, -1) n
        """
            .formatted(id(1), ago(9), Events.MOST_NEXT + 1));
    List<Integer> next = seqs(events.next(new JobId(TENANT, id(1)), 0));
    assertThat(next).hasSize(Events.MOST_NEXT).isSorted().startsWith(1);
  }

  private List<String> after(EventLog.Place place, int limit) {
    return log.after(TENANT, place, limit).entries().stream()
        .map(entry -> entry.jobId().equals(id(1)) ? "1." + entry.seq() : "2." + entry.seq())
        .toList();
  }

  @Test
  void a_tenants_events_are_read_by_time_job_and_number_from_a_place_to_the_present() {
    event(1, 1, TENANT, ago(9), "running");
    event(1, 3, TENANT, ago(8), "running");
    event(1, 2, TENANT, ago(8), "running");
    event(2, 1, TENANT, ago(8), "running");
    event(2, 2, TENANT, ago(7), "running");
    event(2, 3, TENANT, NOW, "running");
    event(2, 4, TENANT, in(1), "running");
    event(3, 1, FOREIGN, ago(8), "running");
    assertThat(after(EventLog.Place.before(ago(9)), 50))
        .containsExactly("1.1", "1.2", "1.3", "2.1", "2.2");
    assertThat(after(EventLog.Place.before(ago(8)), 50))
        .containsExactly("1.2", "1.3", "2.1", "2.2");
    assertThat(after(new EventLog.Place(ago(8), id(1), 3), 50)).containsExactly("2.1", "2.2");
    assertThat(after(EventLog.Place.before(ago(9)), 2)).containsExactly("1.1", "1.2");
  }

  private @Nullable String error(int seq) {
    return log.after(TENANT, EventLog.Place.before(ago(99)), 50).entries().stream()
        .filter(entry -> entry.seq() == seq)
        .findFirst()
        .orElseThrow()
        .errorCode();
  }

  @Test
  void an_error_is_told_with_the_event_that_ended_its_own_job_and_no_other() {
    rows.job(1, "events", 4, "error_code", "mine");
    rows.job(2, "events", 4, "error_code", "other");
    rows.job(1, "tenant_id", FOREIGN, "events", 4, "error_code", "theirs");
    event(1, 3, TENANT, ago(9), "failed");
    event(1, 4, TENANT, ago(8), "failed");
    assertThat(error(4)).isEqualTo("mine");
    assertThat(error(3)).isNull();
    rows.execute("update job_event set state = 'completed'");
    assertThat(error(4)).isNull();
  }

  /** The transaction's own begin is real time, and the clock of these tests is long before it. */
  @Test
  void the_present_is_the_clocks() {
    assertThat(log.now().at()).isEqualTo(NOW);
  }
}
