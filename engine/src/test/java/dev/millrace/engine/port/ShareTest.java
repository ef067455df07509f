package dev.millrace.engine.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

class ShareTest {

  private static final int FLOODER = 1;
  private static final int NEWCOMER = 2;

  @Test
  void a_job_starts_where_the_last_one_of_its_tenant_ends_but_not_in_the_past() {
    Share share = share(10, 0);
    assertThat(share.start()).isEqualTo(10);
    assertThat(share.after(5)).isEqualTo(share(10, 15));
    assertThat(share.after(5).start()).isEqualTo(15);
    assertThat(share(40, 15).start()).isEqualTo(40);
  }

  @Test
  void even_a_free_job_takes_its_place() {
    assertThat(share(0, 7).after(0)).isEqualTo(share(0, 8));
  }

  @Test
  void a_place_beyond_all_numbers_is_refused_and_not_wrapped() {
    assertThatThrownBy(() -> share(0, Long.MAX_VALUE).after(1))
        .isInstanceOf(ArithmeticException.class);
  }

  @Test
  void a_newcomer_is_next_although_another_has_flooded_the_queue() {
    Line line = new Line();
    line.submit(FLOODER, 1_000, 10);
    line.serve(100);
    line.submit(NEWCOMER, 1, 10);
    assertThat(line.serve(2)).contains(NEWCOMER);
  }

  @Test
  void two_that_always_have_work_get_the_same_whoever_came_first() {
    Line line = new Line();
    line.submit(FLOODER, 1_000, 10);
    line.serve(100);
    line.submit(NEWCOMER, 1_000, 10);
    assertThat(line.serve(400)).filteredOn(tenant -> tenant == NEWCOMER).hasSizeBetween(199, 201);
  }

  @Test
  void shares_are_measured_in_cost_and_not_in_jobs() {
    Line line = new Line();
    line.submit(FLOODER, 1_000, 30);
    line.submit(NEWCOMER, 1_000, 10);
    assertThat(line.serve(400)).filteredOn(tenant -> tenant == NEWCOMER).hasSizeBetween(299, 301);
  }

  @Test
  void who_keeps_coming_back_never_starves_who_waits() {
    Line line = new Line();
    line.submit(FLOODER, 50, 10);
    List<Integer> served = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      line.submit(NEWCOMER, 1, 10);
      served.addAll(line.serve(1));
    }
    assertThat(served).filteredOn(tenant -> tenant == FLOODER).hasSizeBetween(49, 50);
  }

  @Test
  void time_spent_away_is_no_credit_for_later() {
    Line line = new Line();
    line.submit(NEWCOMER, 1, 10);
    line.submit(FLOODER, 500, 10);
    line.serve(400);
    line.submit(NEWCOMER, 100, 10);
    assertThat(line.serve(100)).filteredOn(tenant -> tenant == NEWCOMER).hasSizeBetween(49, 51);
  }

  @Test
  void places_are_locked_by_workflow_and_then_by_tenant() {
    List<Share.Id> keys = List.of(new Share.Id(1, 2), new Share.Id(1, 10), new Share.Id(2, 1));
    assertThat(keys.reversed().stream().sorted().toList()).isEqualTo(keys);
  }

  private static Share share(long served, long finish) {
    return new Share(new Share.Id(1, FLOODER), served, finish);
  }

  /** One queue, served by virtual start and then by age, as the store does. */
  private static final class Line {
    private record Waiting(int tenant, long start, int age) {}

    private final PriorityQueue<Waiting> queue =
        new PriorityQueue<>(
            Comparator.comparingLong(Waiting::start).thenComparingInt(Waiting::age));
    private final Map<Integer, Long> finish = new HashMap<>();
    private long served;
    private int age;

    void submit(int tenant, int jobs, long cost) {
      for (int i = 0; i < jobs; i++) {
        Share share = new Share(new Share.Id(1, tenant), served, finish.getOrDefault(tenant, 0L));
        queue.add(new Waiting(tenant, share.start(), age++));
        finish.put(tenant, share.after(cost).finish());
      }
    }

    List<Integer> serve(int jobs) {
      List<Integer> tenants = new ArrayList<>();
      for (int i = 0; i < jobs; i++) {
        Waiting next = queue.remove();
        served = Math.max(served, next.start());
        tenants.add(next.tenant());
      }
      return tenants;
    }
  }
}
