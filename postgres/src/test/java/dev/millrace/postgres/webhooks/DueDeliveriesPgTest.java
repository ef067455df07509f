package dev.millrace.postgres.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.EngineRig;
import dev.millrace.postgres.tenants.Audit;
import dev.millrace.postgres.webhooks.DueDeliveries.Answer;
import dev.millrace.postgres.webhooks.DueDeliveries.Claim;
import dev.millrace.postgres.webhooks.DueDeliveries.Endpoint;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who sends what, and what counts. */
class DueDeliveriesPgTest {

  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration DAY = Duration.ofDays(1);
  private static final Answer OK = new Answer(5, 200, null, "fine");
  private static final Answer BROKEN = new Answer(5, 500, null, null);

  private final EngineRig rig = EngineRig.open();
  private final DueDeliveries dispatches = rig.database().dueDeliveries();
  private final Deliveries deliveries = rig.database().deliveries();
  private final Endpoint one = new Endpoint(rig.acme(), UUID.randomUUID());
  private final Endpoint other = new Endpoint(rig.zenith(), UUID.randomUUID());

  @BeforeEach
  void two_endpoints_and_three_deliveries() {
    for (Endpoint endpoint : List.of(one, other)) {
      assertThat(
              rig.database()
                  .webhooks()
                  .create(
                      endpoint.id(),
                      new Webhooks.Wish("https://example.com", null, List.of("*")),
                      "0f".repeat(32),
                      10,
                      new Audit.Line(endpoint.tenantId(), "key:ops", "webhook.create", "x", null)))
          .isPresent();
    }
    due(one, "msg_1");
    due(one, "msg_2");
    due(other, "msg_1");
  }

  @AfterEach
  void the_doctor_finds_nothing() {
    rig.close();
  }

  private void due(Endpoint endpoint, String message) {
    rig.place()
        .execute(
            """
            insert into webhook_delivery (
                tenant_id, webhook_id, message, type, job_id, seq, payload, give_up_at)
            values (%d, '%s', '%s', 'job.completed', gen_random_uuid(), 1, '{}',
                clock_timestamp() + interval '1 day')
            """
                .formatted(endpoint.tenantId(), endpoint.id(), message));
  }

  private List<Claim> claim(int each) {
    return dispatches.claim(Map.of(one, each, other, each), LEASE);
  }

  private Claim claimed() {
    return dispatches.claim(Map.of(one, 1), LEASE).getFirst();
  }

  private void leasesEnd() {
    rig.place()
        .execute("update webhook_delivery set next_at = clock_timestamp() where state = 'pending'");
  }

  private String state(Claim claim) {
    return deliveries
        .find(claim.target().tenantId(), claim.target().webhookId(), claim.content().message())
        .orElseThrow()
        .state()
        .label();
  }

  private Audit.Line line() {
    return new Audit.Line(rig.acme(), "system", "webhook.disable", one.id().toString(), null);
  }

  @Test
  void each_endpoint_has_its_own_places() {
    assertThat(dispatches.due()).containsExactlyInAnyOrder(one, other);
    assertThat(claim(1)).extracting(Claim::endpoint).containsExactlyInAnyOrder(one, other);
    assertThat(claim(5)).extracting(claim -> claim.content().message()).containsExactly("msg_2");
    assertThat(claim(5)).isEmpty();
    assertThat(dispatches.due()).isEmpty();
  }

  @Test
  void what_a_dead_sender_held_is_due_again_with_the_same_message() {
    Claim first = claimed();
    leasesEnd();
    Claim second =
        dispatches.claim(Map.of(one, 5), LEASE).stream()
            .filter(claim -> claim.n() == first.n())
            .findFirst()
            .orElseThrow();

    assertThat(second.content().message()).isEqualTo(first.content().message());
    assertThat(second.number()).isEqualTo(2);
  }

  @Test
  void a_report_about_an_older_attempt_changes_nothing() {
    Claim slow = claimed();
    leasesEnd();
    claim(5);
    dispatches.gaveUp(slow, BROKEN, DAY, line());

    assertThat(state(slow)).isEqualTo("pending");
  }

  @Test
  void a_failure_rests_and_never_beyond_the_end_of_patience() {
    Claim claim = claimed();
    dispatches.again(claim, BROKEN, Duration.ofDays(3));

    assertThat(state(claim)).isEqualTo("pending");
    assertThat(rig.place().ask("select count(*) from webhook_delivery where next_at = give_up_at"))
        .isEqualTo("1");
    assertThat(rig.database().webhooks().find(one.tenantId(), one.id()).orElseThrow())
        .satisfies(webhook -> assertThat(webhook.health().failingSince()).isNotNull());
  }

  @Test
  void a_success_is_logged_and_heals() {
    dispatches.again(claimed(), BROKEN, Duration.ofHours(1));
    Claim claim = claimed();
    dispatches.delivered(claim, OK, true);

    assertThat(state(claim)).isEqualTo("delivered");
    DeliveryView delivery =
        deliveries.find(one.tenantId(), one.id(), claim.content().message()).orElseThrow();
    assertThat(delivery.answer().status()).isEqualTo(200);
    assertThat(deliveries.attempts(delivery))
        .singleElement()
        .satisfies(attempt -> assertThat(attempt.excerpt()).isEqualTo("fine"));
    assertThat(rig.database().webhooks().find(one.tenantId(), one.id()).orElseThrow())
        .satisfies(webhook -> assertThat(webhook.health().failingSince()).isNull());
  }

  @Test
  void an_endpoint_that_is_gone_is_disabled_with_a_line_in_the_audit() {
    Claim claim = claimed();
    dispatches.gone(claim, new Answer(1, 410, null, null), line());

    assertThat(state(claim)).isEqualTo("failed");
    assertThat(claim(5)).extracting(Claim::endpoint).containsExactly(other);
    assertThat(rig.place().ask("select disabled_for from webhook where disabled_at is not null"))
        .isEqualTo("gone");
    assertThat(rig.place().ask("select count(*) from audit where action = 'webhook.disable'"))
        .isEqualTo("1");
  }

  @Test
  void giving_up_disables_only_who_has_failed_for_long() {
    dispatches.gaveUp(claimed(), BROKEN, DAY, line());
    assertThat(rig.place().ask("select count(*) from webhook where disabled_at is not null"))
        .isEqualTo("0");

    rig.place().execute("update webhook set failing_since = failing_since - interval '25 hours'");
    dispatches.gaveUp(claimed(), BROKEN, DAY, line());
    assertThat(rig.place().ask("select disabled_for from webhook where disabled_at is not null"))
        .isEqualTo("failing");
  }

  @Test
  void what_was_not_sent_after_all_does_not_count() {
    Claim claim = claimed();
    dispatches.release(claim);

    assertThat(dispatches.claim(Map.of(one, 5), LEASE))
        .filteredOn(again -> again.n() == claim.n())
        .singleElement()
        .satisfies(again -> assertThat(again.number()).isEqualTo(1));
  }

  @Test
  void who_was_overtaken_gives_nothing_back() {
    Claim claim = claimed();
    leasesEnd();
    Claim newer =
        dispatches.claim(Map.of(one, 5), LEASE).stream()
            .filter(again -> again.n() == claim.n())
            .findFirst()
            .orElseThrow();
    dispatches.release(claim);

    assertThat(dispatches.claim(Map.of(one, 5), LEASE)).isEmpty();
    assertThat(newer.number()).isEqualTo(2);
  }

  @Test
  void what_is_dated_in_the_future_is_not_sent_before() {
    rig.place()
        .execute("update webhook_delivery set next_at = clock_timestamp() + interval '1 hour'");
    assertThat(claim(5)).isEmpty();
    rig.place().execute("update webhook_delivery set next_at = clock_timestamp()");
    assertThat(claim(5)).hasSize(3);
  }

  @Test
  void redelivery_sends_again_under_the_same_message_and_not_to_who_is_disabled() {
    Claim claim = claimed();
    dispatches.delivered(claim, OK, true);
    assertThat(deliveries.redeliver(one.tenantId(), one.id(), claim.content().message(), DAY))
        .isTrue();
    assertThat(dispatches.claim(Map.of(one, 5), LEASE))
        .filteredOn(again -> again.n() == claim.n())
        .singleElement()
        .satisfies(again -> assertThat(again.number()).isEqualTo(2));

    rig.database().webhooks().disable(one.id(), "asked", line());
    assertThat(deliveries.redeliver(one.tenantId(), one.id(), claim.content().message(), DAY))
        .isFalse();
  }

  @Test
  void old_deliveries_are_forgotten_with_their_log() {
    dispatches.delivered(claimed(), OK, true);
    rig.place()
        .execute(
            """
            update webhook_delivery set created_at = clock_timestamp() - interval '2 days'
            where attempts = 1
            """);

    assertThat(deliveries.forget(DAY, 10)).isEqualTo(1);
    assertThat(rig.place().ask("select count(*) from webhook_attempt")).isEqualTo("0");
    assertThat(rig.place().ask("select count(*) from webhook_delivery")).isEqualTo("2");
  }

  @Test
  void a_rotation_keeps_the_secret_before_for_a_while() {
    Webhooks endpoints = rig.database().webhooks();
    WebhookView before = endpoints.find(one.tenantId(), one.id()).orElseThrow();
    WebhookView after = endpoints.rotate(before, "ab".repeat(32), DAY, line()).orElseThrow();

    assertThat(after.secret().secretNumber()).isEqualTo(2);
    assertThat(after.secret().previousHash()).isEqualTo("0f".repeat(32));
    assertThat(claimed().secret().previousHash()).isEqualTo("0f".repeat(32));
    assertThat(endpoints.rotate(before, "cd".repeat(32), DAY, line())).isEmpty();
    rig.place()
        .execute(
            "update webhook set previous_until = clock_timestamp() where previous_hash is not null");
    assertThat(claimed().secret().previousHash()).isNull();
  }
}
