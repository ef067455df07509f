package dev.millrace.postgres.jobs;

import static dev.millrace.postgres.PlacedRows.FOREIGN;
import static dev.millrace.postgres.PlacedRows.NOW;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.PlacedRows;
import dev.millrace.postgres.tenants.Visibility;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches of two users and two tenants, and the jobs that are in them. */
class BatchesPgTest {

  private final PlacedRows rows = PlacedRows.none();
  private final Batches batches = new Batches(rows.jdbi());

  /** Batches 1, 3 and 5 are ada's, 2 is bob's; another tenant's have the same ids as 1 and 2. */
  @BeforeEach
  void place_batches() {
    batch(1, TENANT, 1, "k");
    batch(2, TENANT, 2, "k");
    batch(3, TENANT, 1, "other");
    batch(5, TENANT, 1, null);
    batch(1, FOREIGN, 3, "k");
    batch(2, FOREIGN, 4, null);
  }

  private void batch(int number, int tenant, int wallet, @Nullable String key) {
    rows.row(
        "batch",
        "tenant_id",
        tenant,
        "id",
        id(number),
        "wallet_id",
        wallet,
        "idempotency_key",
        key,
        "fingerprint",
        tenant + "/" + number,
        "atomic",
        true,
        "size",
        1,
        "created_at",
        NOW);
  }

  @Test
  void a_batch_is_found_for_its_tenant_and_its_user() {
    assertThat(batches.find(Visibility.of(TENANT), id(2)).orElseThrow())
        .isEqualTo(new BatchView(TENANT, id(2), "bob", true, 1, null, NOW));
    assertThat(batches.find(Visibility.of(TENANT, "ada"), id(1)).orElseThrow().userId())
        .isEqualTo("ada");
    assertThat(batches.find(Visibility.of(TENANT, "ada"), id(2))).isEmpty();
    assertThat(batches.find(Visibility.of(FOREIGN), id(3))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void batches_are_listed_newest_first_after_the_last_of_the_page_before(boolean ofUser) {
    @Nullable String user = ofUser ? "ada" : null;
    List<UUID> all = ofUser ? List.of(id(5), id(3), id(1)) : List.of(id(5), id(3), id(2), id(1));
    assertThat(ids(batches.list(Visibility.of(TENANT, user), null, 50))).isEqualTo(all);
    assertThat(ids(batches.list(Visibility.of(TENANT, user), id(3), 50)))
        .isEqualTo(all.subList(2, all.size()));
    assertThat(ids(batches.list(Visibility.of(TENANT, user), null, 2)))
        .isEqualTo(all.subList(0, 2));
    assertThat(batches.list(Visibility.of(TENANT, user), id(3), 50).getLast().userId())
        .isEqualTo("ada");
  }

  private static List<UUID> ids(List<BatchView> views) {
    return views.stream().map(BatchView::id).toList();
  }

  @Test
  void a_key_is_its_users_own() {
    assertThat(batches.findKey(TENANT, "ada", "k")).contains(new Batches.KeyUse(id(1), "1/1"));
    assertThat(batches.findKey(TENANT, "bob", "k")).contains(new Batches.KeyUse(id(2), "1/2"));
    assertThat(batches.findKey(TENANT, "bob", "other")).isEmpty();
  }

  @Test
  void what_is_held_and_what_came_back_is_added_up_for_each_batch() {
    rows.job(1, "batch_id", id(1), "held", 7);
    rows.job(2, "batch_id", id(1), "state", "completed", "hold_open", false, "captured", 2);
    rows.job(3, "batch_id", id(1), "state", "completed", "hold_open", false, "captured", 1);
    rows.job(4, "batch_id", id(2), "held", 1);
    rows.job(5, "batch_id", id(3));
    rows.job(6);
    rows.job(7, "batch_id", id(1), "tenant_id", FOREIGN);
    assertThat(batches.count(TENANT, List.of(id(1), id(2), id(5))))
        .isEqualTo(
            Map.of(
                id(1), counts(Map.of(State.QUEUED, 1L, State.COMPLETED, 2L), 17, 3, 7),
                id(2), counts(Map.of(State.QUEUED, 1L), 1, 0, 0)));
  }

  private static Batches.Counts counts(
      Map<State, Long> states, long held, long captured, long refunded) {
    var sorted = new java.util.TreeMap<>(Batches.Counts.NONE.states());
    sorted.putAll(states);
    return new Batches.Counts(sorted, held, captured, refunded);
  }

  @Test
  void members_are_the_batchs_own_jobs_in_the_order_of_their_ids() {
    for (int number : List.of(3, 1, 2)) {
      rows.job(number, "batch_id", id(1));
    }
    rows.job(4, "batch_id", id(2));
    rows.job(5, "batch_id", id(1), "tenant_id", FOREIGN);
    assertThat(batches.members(TENANT, id(1)))
        .extracting(Batches.Member::id)
        .containsExactly(id(1), id(2), id(3));
  }

  @Test
  void what_was_in_vain_can_be_asked_for_again_with_its_own_names_and_input() {
    for (int number : List.of(2, 1)) {
      rows.job(
          number,
          "batch_id",
          id(1),
          "state",
          number == 1 ? "failed" : "expired",
          "effect_id",
          3,
          "wallet_id",
          2);
    }
    rows.job(3, "batch_id", id(1), "state", "canceled");
    rows.job(4, "batch_id", id(2), "state", "failed");
    rows.job(5, "batch_id", id(1), "state", "failed", "deleted_at", NOW);
    rows.job(6, "batch_id", id(1), "state", "failed", "tenant_id", FOREIGN);
    for (int number = 1; number <= 6; number++) {
      rows.input(number, TENANT, "{\"n\": " + number + "}");
      rows.input(number, FOREIGN, "{}");
    }
    assertThat(batches.inVain(TENANT, id(1), List.of(State.FAILED, State.EXPIRED)))
        .containsExactly(
            new Batches.InVain(id(1), "e3", "bob", 0, null, null, "{\"n\": 1}"),
            new Batches.InVain(id(2), "e3", "bob", 0, null, null, "{\"n\": 2}"));
  }
}
