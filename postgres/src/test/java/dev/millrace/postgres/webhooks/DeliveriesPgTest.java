package dev.millrace.postgres.webhooks;

import static dev.millrace.postgres.PlacedRows.FOREIGN;
import static dev.millrace.postgres.PlacedRows.NOW;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.ago;
import static dev.millrace.postgres.PlacedRows.id;
import static dev.millrace.postgres.PlacedRows.in;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.PlacedRows;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an owner sees of deliveries and has sent again: those of one endpoint. */
class DeliveriesPgTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final PlacedRows rows = PlacedRows.none();
  private final Deliveries deliveries = new Deliveries(rows.jdbi());

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
            "\\x" + "0a".repeat(32));
      }
    }
  }

  /** Of endpoint 1, about job 1. */
  private void delivery(int n, String state, @Nullable Object... columns) {
    Object[] usual = {
      "n",
      n,
      "tenant_id",
      TENANT,
      "webhook_id",
      id(1),
      "message",
      "msg_" + n,
      "type",
      "a",
      "job_id",
      id(1),
      "seq",
      1,
      "payload",
      "{}",
      "state",
      state,
      "created_at",
      ago(50),
      "next_at",
      ago(7),
      "give_up_at",
      in(7),
      "finished_at",
      List.of("pending", "held").contains(state) ? null : ago(1)
    };
    rows.row(
        "webhook_delivery",
        Stream.concat(Arrays.stream(usual), Arrays.stream(columns)).toList().toArray());
  }

  private void of(int n, int tenant, int webhook, int job) {
    delivery(n, "failed");
    rows.execute(
        "update webhook_delivery set tenant_id = %d, webhook_id = '%s', job_id = '%s' where n = %d"
            .formatted(tenant, id(webhook), id(job), n));
  }

  private void attempt(int n, int number, int status) {
    rows.row(
        "webhook_attempt",
        "delivery",
        n,
        "number",
        number,
        "sent_at",
        ago(9 - number),
        "millis",
        5,
        "status",
        status);
  }

  private List<Long> list(@Nullable DeliveryState state, @Nullable Long before, int limit) {
    return deliveries.list(new Deliveries.Filter(TENANT, id(1), state, before, limit)).stream()
        .map(DeliveryView::n)
        .toList();
  }

  private void placeAll() {
    delivery(1, "pending");
    delivery(2, "failed");
    delivery(3, "pending");
    delivery(4, "delivered");
    of(5, TENANT, 2, 1);
    of(6, FOREIGN, 1, 1);
    of(7, TENANT, 1, 2);
    attempt(1, 1, 501);
    attempt(1, 3, 503);
    attempt(1, 2, 502);
    attempt(5, 9, 599);
  }

  @Test
  void deliveries_are_listed_newest_first_with_the_last_answer() {
    placeAll();
    assertThat(list(null, null, 50)).containsExactly(7L, 4L, 3L, 2L, 1L);
    assertThat(list(null, 3L, 50)).containsExactly(2L, 1L);
    assertThat(list(DeliveryState.PENDING, null, 50)).containsExactly(3L, 1L);
    assertThat(list(null, null, 2)).containsExactly(7L, 4L);
    assertThat(deliveries.list(new Deliveries.Filter(TENANT, id(1), null, 4L, 50)))
        .extracting(view -> view.answer().status())
        .containsExactly(null, null, 503);
  }

  @Test
  void a_delivery_is_found_by_its_message_with_its_last_answer() {
    placeAll();
    assertThat(deliveries.find(TENANT, id(1), "msg_1").orElseThrow().answer())
        .isEqualTo(new DeliveryView.Answer(503, null));
    assertThat(deliveries.find(TENANT, id(1), "msg_2").orElseThrow().n()).isEqualTo(2);
    assertThat(deliveries.find(TENANT, id(1), "msg_5")).isEmpty();
    assertThat(deliveries.find(TENANT, id(1), "msg_6")).isEmpty();
    assertThat(deliveries.attempts(deliveries.find(TENANT, id(1), "msg_1").orElseThrow()))
        .extracting(DeliveryView.DeliveryTry::number)
        .containsExactly(1, 2, 3);
  }

  @Test
  void what_all_endpoints_were_told_of_a_job_names_each_by_its_own_address() {
    placeAll();
    assertThat(deliveries.ofJob(TENANT, id(1), 50))
        .extracting(told -> told.message() + " " + told.url() + " " + told.answer().status())
        .containsExactly(
            "msg_5 http://1/2 599",
            "msg_4 http://1/1 null",
            "msg_3 http://1/1 null",
            "msg_2 http://1/1 null",
            "msg_1 http://1/1 503");
    assertThat(deliveries.ofJob(TENANT, id(1), 1)).hasSize(1);
  }

  @Test
  void only_what_is_pending_waits_to_be_sent() {
    placeAll();
    delivery(8, "held");
    assertThat(deliveries.pending()).isEqualTo(2);
  }

  @Test
  void a_test_is_for_one_endpoint_and_tried_once() {
    deliveries.test(TENANT, id(1), "msg_t", "test", "{}");
    assertThat(rows.ask("select tenant_id, webhook_id, give_up_at from webhook_delivery"))
        .isEqualTo("1,%s,2026-03-01 12:00:00+00".formatted(id(1)));
  }

  @Test
  void a_test_of_an_endpoint_that_is_just_being_removed_is_none() throws Exception {
    Thread removal = rows.commitWhenSomebodyWaits("delete from webhook where tenant_id = 1");
    new Deliveries(rows.otherSessions()).test(TENANT, id(1), "msg_t", "test", "{}");
    removal.join();
    assertThat(rows.ask("select count(*) from webhook_delivery")).isEqualTo("0");
  }

  private String sentAgain() {
    return rows.ask(
        "select n, state, finished_at, give_up_at from webhook_delivery where next_at = '%s'"
                .formatted(NOW)
            + " order by n");
  }

  @Test
  void one_message_is_sent_again_whatever_became_of_it() {
    placeAll();
    assertThat(deliveries.redeliver(TENANT, id(1), "msg_4", PATIENCE)).isTrue();
    assertThat(sentAgain()).isEqualTo("4,pending,,2026-03-01 12:01:00+00");
    assertThat(deliveries.redeliver(TENANT, id(1), "msg_5", PATIENCE)).isFalse();
    assertThat(deliveries.redeliver(TENANT, id(1), "msg_6", PATIENCE)).isFalse();
    rows.execute(
        "update webhook set disabled_at = '%s', disabled_for = 'gone' where tenant_id = 1 and id = '%s'"
            .formatted(NOW, id(1)));
    assertThat(deliveries.redeliver(TENANT, id(1), "msg_2", PATIENCE)).isFalse();
  }

  @Test
  void what_failed_since_a_moment_is_sent_again_if_it_tells_of_a_job() {
    placeAll();
    delivery(11, "failed");
    delivery(12, "failed");
    delivery(13, "failed");
    rows.execute("update webhook_delivery set created_at = '%s' where n = 11".formatted(ago(51)));
    rows.execute("update webhook_delivery set job_id = null, seq = null where n = 12");
    assertThat(deliveries.redeliverFailed(TENANT, id(1), ago(50), PATIENCE)).isEqualTo(3);
    assertThat(sentAgain())
        .isEqualTo(
            "2,pending,,2026-03-01 12:01:00+00 | 7,pending,,2026-03-01 12:01:00+00"
                + " | 13,pending,,2026-03-01 12:01:00+00");
    rows.execute("update webhook_delivery set state = 'failed', finished_at = created_at");
    rows.execute(
        "update webhook set disabled_at = '%s', disabled_for = 'gone' where tenant_id = 1 and id = '%s'"
            .formatted(NOW, id(1)));
    assertThat(deliveries.redeliverFailed(TENANT, id(1), ago(50), PATIENCE)).isZero();
  }

  @Test
  void the_oldest_are_forgotten_first_and_none_that_somebody_is_at() throws Exception {
    for (int n = 1; n <= 4; n++) {
      delivery(n, "failed");
    }
    rows.execute(
        "update webhook_delivery set created_at = timestamptz '%s' - n * interval '1 s'"
            .formatted(ago(59)));
    Duration age = Duration.ofSeconds(60);
    assertThat(deliveries.forget(age, 1)).isEqualTo(1);
    assertThat(rows.ask("select n from webhook_delivery order by n")).isEqualTo("1 | 2 | 3");
    try (var _ = rows.hold("select 1 from webhook_delivery where n = 3 for update")) {
      assertThat(deliveries.forget(age, 50)).isEqualTo(1);
    }
    assertThat(deliveries.forget(age, 50)).isEqualTo(1);
    assertThat(rows.ask("select n from webhook_delivery")).isEqualTo("1");
  }
}
