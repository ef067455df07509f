package dev.millrace.postgres.webhooks;

import static dev.millrace.postgres.PlacedRows.FOREIGN;
import static dev.millrace.postgres.PlacedRows.NOW;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.ago;
import static dev.millrace.postgres.PlacedRows.id;
import static dev.millrace.postgres.PlacedRows.in;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.PlacedRows;
import dev.millrace.postgres.tenants.Audit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who sends a delivery, when, and how it ends: to the moment, and for that one only. */
class DeliveryClaimsPgTest {

  private static final DueDeliveries.Endpoint ONE = new DueDeliveries.Endpoint(TENANT, id(1));
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final DueDeliveries.Answer ANSWER = new DueDeliveries.Answer(5, 500, null, null);
  private static final Audit.Line LINE = new Audit.Line(TENANT, "system", "webhook", "x", null);

  private final PlacedRows rows = PlacedRows.none();
  private final DueDeliveries due = new DueDeliveries(rows.jdbi());

  @BeforeEach
  void place_endpoints() {
    for (int tenant : List.of(TENANT, FOREIGN)) {
      for (int number : List.of(1, 2)) {
        rows.row(
            "webhook",
            "tenant_id",
            tenant,
            "id",
            id(number),
            "url",
            "http://" + tenant + "/" + number,
            "events",
            "{a}",
            "secret_hash",
            "\\x" + "0a".repeat(32),
            "previous_hash",
            "\\x" + "0b".repeat(32),
            "previous_until",
            in(9));
      }
    }
  }

  private void delivery(int n, int tenant, int webhook, Instant next) {
    rows.row(
        "webhook_delivery",
        "n",
        n,
        "tenant_id",
        tenant,
        "webhook_id",
        id(webhook),
        "message",
        "msg_" + n,
        "type",
        "a",
        "payload",
        "{}",
        "attempts",
        n,
        "next_at",
        next,
        "give_up_at",
        in(20));
  }

  private List<DueDeliveries.Claim> claim(int room) {
    return due.claim(Map.of(ONE, room), LEASE);
  }

  private List<Long> claimed(int room) {
    return claim(room).stream().map(DueDeliveries.Claim::n).toList();
  }

  @Test
  void an_endpoint_has_something_due_when_the_time_of_its_own_delivery_has_come() {
    delivery(1, TENANT, 1, NOW);
    delivery(2, TENANT, 2, in(1));
    delivery(3, FOREIGN, 2, ago(1));
    rows.execute(
        "update webhook_delivery set state = 'held' where n = 3; "
            + "update webhook set url = 'x' where tenant_id = 2");
    assertThat(due.due()).containsExactly(ONE);
    rows.execute("delete from webhook_delivery where n = 1");
    assertThat(due.due()).isEmpty();
  }

  @Test
  void what_is_due_is_claimed_in_its_order_as_far_as_there_is_room() throws Exception {
    delivery(4, TENANT, 1, ago(1));
    delivery(3, TENANT, 1, ago(2));
    delivery(2, TENANT, 1, ago(2));
    delivery(5, TENANT, 1, NOW);
    delivery(6, TENANT, 1, in(1));
    delivery(7, TENANT, 2, ago(5));
    delivery(8, FOREIGN, 1, ago(5));
    delivery(9, TENANT, 1, ago(9));
    rows.execute("update webhook_delivery set state = 'held' where n = 9");
    assertThat(claimed(1)).containsExactly(2L);
    try (var _ = rows.hold("select 1 from webhook_delivery where n = 3 for update")) {
      assertThat(claimed(1)).containsExactly(4L);
    }
    assertThat(claimed(50)).containsExactlyInAnyOrder(3L, 5L);
    assertThat(claimed(50)).isEmpty();
    assertThat(rows.ask("select n from webhook_delivery where attempts > n order by n"))
        .isEqualTo("2 | 3 | 4 | 5");
  }

  @Test
  void a_claim_says_where_to_send_it_and_who_signs_and_is_due_again_when_it_ends() {
    delivery(1, TENANT, 1, ago(1));
    delivery(2, TENANT, 2, ago(1));
    DueDeliveries.Claim claim = claim(50).getFirst();
    assertThat(claim.target())
        .isEqualTo(new DueDeliveries.Target(TENANT, id(1), "http://1/1", null));
    assertThat(claim.number()).isEqualTo(2);
    assertThat(claim.at()).isEqualTo(NOW);
    assertThat(claim.secret().previousHash()).isEqualTo("0b".repeat(32));
    assertThat(rows.ask("select next_at from webhook_delivery order by n"))
        .isEqualTo("2026-03-01 12:00:30+00 | 2026-03-01 11:59:59+00");
    rows.clock(in(30));
    assertThat(claim(50).getFirst().secret().previousHash()).isNull();
    rows.clock(in(9));
    rows.execute("update webhook_delivery set next_at = '%s'".formatted(in(9)));
    assertThat(claim(50).getFirst().secret().previousHash()).isNull();
  }

  @Test
  void each_claim_goes_to_its_own_endpoint() {
    delivery(1, TENANT, 2, ago(1));
    delivery(2, TENANT, 1, ago(1));
    delivery(3, FOREIGN, 2, ago(1));
    Map<DueDeliveries.Endpoint, Integer> rooms =
        Map.of(
            ONE,
            1,
            new DueDeliveries.Endpoint(TENANT, id(2)),
            1,
            new DueDeliveries.Endpoint(FOREIGN, id(2)),
            1);
    assertThat(due.claim(rooms, LEASE))
        .extracting(claim -> claim.n() + " " + claim.target().url())
        .containsExactlyInAnyOrder("1 http://1/2", "2 http://1/1", "3 http://2/2");
  }

  /** A claim of delivery 1, whose report is to leave 2 alone. */
  private DueDeliveries.Claim claimedOne() {
    delivery(1, TENANT, 1, ago(1));
    delivery(2, TENANT, 1, in(1));
    return claim(1).getFirst();
  }

  private String states() {
    return rows.ask(
        "select n, state, attempts, next_at, finished_at from webhook_delivery order by n");
  }

  private static final String OTHER = " | 2,pending,2,2026-03-01 12:00:01+00,";

  @Test
  void a_report_ends_the_one_delivery_that_it_is_about_and_is_dated_by_the_clock() {
    DueDeliveries.Claim claim = claimedOne();
    due.failed(claim, ANSWER);
    assertThat(states())
        .isEqualTo("1,failed,2,2026-03-01 12:00:30+00,2026-03-01 12:00:00+00" + OTHER);
    due.delivered(claim, ANSWER, true);
    assertThat(states()).startsWith("1,failed,").endsWith(OTHER);
    assertThat(rows.ask("select delivery, number from webhook_attempt")).isEqualTo("1,2");
  }

  @Test
  void a_report_about_an_older_attempt_changes_nothing() {
    DueDeliveries.Claim old = claimedOne();
    rows.execute("update webhook_delivery set attempts = 3 where n = 1");
    String before = states();
    due.delivered(old, ANSWER, false);
    due.again(old, ANSWER, Duration.ofSeconds(5));
    due.release(old);
    assertThat(states()).isEqualTo(before);
  }

  @Test
  void what_is_over_is_neither_tried_again_nor_given_back() {
    DueDeliveries.Claim claim = claimedOne();
    due.failed(claim, ANSWER);
    String before = states();
    due.again(claim, ANSWER, Duration.ofSeconds(5));
    due.release(claim);
    assertThat(states()).isEqualTo(before);
  }

  @Test
  void what_is_tried_again_rests_but_not_beyond_its_end() {
    DueDeliveries.Claim claim = claimedOne();
    due.again(claim, ANSWER, Duration.ofSeconds(5));
    assertThat(states()).isEqualTo("1,pending,2,2026-03-01 12:00:05+00," + OTHER);
    due.again(claim, ANSWER, Duration.ofSeconds(50));
    assertThat(states()).isEqualTo("1,pending,2,2026-03-01 12:00:20+00," + OTHER);
  }

  @Test
  void what_was_not_sent_after_all_is_due_at_once_and_does_not_count() {
    due.release(claimedOne());
    assertThat(states()).isEqualTo("1,pending,1,2026-03-01 12:00:00+00," + OTHER);
  }

  private String unwell() {
    return rows.ask(
        "select tenant_id, id, failing_since from webhook where failing_since is not null");
  }

  @Test
  void an_endpoint_is_unwell_since_the_first_failure_until_something_arrives() {
    DueDeliveries.Claim claim = claimedOne();
    due.again(claim, ANSWER, Duration.ZERO);
    rows.clock(in(1));
    due.again(claim, ANSWER, Duration.ZERO);
    assertThat(unwell()).isEqualTo("1,%s,2026-03-01 12:00:00+00".formatted(id(1)));
    rows.execute("update webhook set failing_since = '%s'".formatted(ago(1)));
    due.delivered(claim, ANSWER, false);
    assertThat(unwell().split(" \\| ", -1)).hasSize(4);
    due.delivered(claim, ANSWER, true);
    assertThat(unwell().split(" \\| ", -1))
        .hasSize(3)
        .noneMatch(each -> each.startsWith("1," + id(1)));
  }

  @Test
  void only_an_endpoint_that_has_failed_for_longer_is_disabled() {
    DueDeliveries.Claim claim = claimedOne();
    rows.execute("update webhook set failing_since = '%s'".formatted(ago(99)));
    rows.execute(
        "update webhook set failing_since = '%s' where tenant_id = 1 and id = '%s'"
            .formatted(ago(60), id(1)));
    due.gaveUp(claim, ANSWER, Duration.ofSeconds(60), LINE);
    assertThat(rows.ask("select id from webhook where disabled_at is not null")).isEmpty();
    rows.execute(
        "update webhook set failing_since = '%s' where tenant_id = 1 and id = '%s'"
            .formatted(ago(61), id(1)));
    due.gaveUp(claim, ANSWER, Duration.ofSeconds(60), LINE);
    assertThat(rows.ask("select tenant_id, id from webhook where disabled_at is not null"))
        .isEqualTo("1," + id(1));
  }
}
