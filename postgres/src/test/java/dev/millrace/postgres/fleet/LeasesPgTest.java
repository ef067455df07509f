package dev.millrace.postgres.fleet;

import static dev.millrace.postgres.PlacedRows.FOREIGN;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.id;
import static dev.millrace.postgres.PlacedRows.in;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.PlacedRows;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A lease is found by all that its holder knows of it, and by nothing less. */
class LeasesPgTest {

  private static final List<String> ENDS = List.of("complete", "requeue");

  private final PlacedRows rows = PlacedRows.none();
  private final Leases leases = new Leases(rows.jdbi());

  @AfterEach
  void close() {
    leases.close();
  }

  private void leased(int number, String worker, int token, int tenant) {
    rows.job(number, "tenant_id", tenant, "attempts", 10 * tenant + number);
    rows.dispatch(number, "worker", worker, "lease_token", id(token), "tenant_id", tenant);
  }

  @Test
  void a_lease_is_found_by_its_worker_its_job_and_its_token_together() {
    leased(2, "a", 102, TENANT);
    leased(1, "a", 101, TENANT);
    leased(3, "b", 103, TENANT);
    rows.job(1, "tenant_id", FOREIGN, "attempts", 99);
    rows.job(4, "attempts", 98);
    assertThat(leases.find("a", id(1), id(101))).contains(new HeldLease(TENANT, id(1), 1, 1, 11));
    assertThat(leases.find("a", id(2), id(102))).contains(new HeldLease(TENANT, id(2), 1, 1, 12));
    assertThat(leases.find("b", id(1), id(101))).isEmpty();
    assertThat(leases.find("a", id(1), id(102))).isEmpty();
    assertThat(leases.find("a", id(2), id(101))).isEmpty();
  }

  @Test
  void who_works_on_a_job_is_told_of_the_tenants_own_job_while_somebody_does() {
    rows.job(1, "worker", "a", "lease_token", id(5), "lease_expires_at", in(9));
    rows.job(2, "worker", "b", "lease_expires_at", in(8));
    rows.job(
        1, "tenant_id", FOREIGN, "worker", "c", "lease_token", id(6), "lease_expires_at", in(7));
    assertThat(leases.standing(TENANT, id(1))).contains(new Leases.Standing("a", in(9)));
    assertThat(leases.standing(TENANT, id(2))).isEmpty();
  }

  private void event(int seq, String trigger, String state, @Nullable Object... other) {
    @Nullable Object[] all = {
      "tenant_id",
      TENANT,
      "job_id",
      id(1),
      "attempt",
      1,
      "seq",
      seq,
      "trigger",
      trigger,
      "state",
      state,
      "progress",
      0,
      "at",
      PlacedRows.NOW
    };
    for (int i = 0; i < other.length; i += 2) {
      for (int k = 0; k < all.length; k += 2) {
        all[k + 1] = java.util.Objects.equals(all[k], other[i]) ? other[i + 1] : all[k + 1];
      }
    }
    rows.row("job_event", all);
  }

  @Test
  void the_first_report_that_ended_an_attempt_is_found_by_whoever_made_it() {
    rows.attempt(1, "token", id(5));
    rows.attempt(1, "number", 2, "token", id(6));
    event(1, "complete", "canceled", "attempt", 2);
    event(2, "lease", "running");
    event(4, "requeue", "failed");
    event(3, "complete", "completed");
    event(1, "complete", "expired", "tenant_id", FOREIGN);
    event(1, "complete", "rejected", "job_id", id(2));
    assertThat(leases.ending("a", id(1), id(5), ENDS)).contains("completed");
    assertThat(leases.ending("a", id(1), id(5), List.of("fail"))).isEmpty();
    assertThat(leases.ending("b", id(1), id(5), ENDS)).isEmpty();
    assertThat(leases.ending("a", id(2), id(5), ENDS)).isEmpty();
    assertThat(leases.ending("a", id(1), id(7), ENDS)).isEmpty();
  }
}
