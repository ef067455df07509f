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
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What its owner does with an endpoint, beside one more of its own and a namesake's. */
class WebhooksPgTest {

  private static final String OLD = "0a".repeat(32);
  private static final String NEW = "0b".repeat(32);
  private static final Audit.Line LINE = new Audit.Line(TENANT, "key:a", "webhook", "x", null);

  private final PlacedRows rows = PlacedRows.none();
  private final Webhooks webhooks = new Webhooks(rows.jdbi());

  /** Endpoint 1 is changed; 2 is its owner's too, and another tenant's has the same id as 1. */
  @BeforeEach
  void place_endpoints() {
    webhook(2, TENANT);
    webhook(1, TENANT);
    webhook(1, FOREIGN);
    int n = 1;
    for (String state : List.of("pending", "held", "failed")) {
      delivery(n++, 1, TENANT, state);
      delivery(n++, 2, TENANT, state);
      delivery(n++, 1, FOREIGN, state);
    }
  }

  private void webhook(int number, int tenant, @Nullable Object... columns) {
    Object[] usual = {
      "tenant_id",
      tenant,
      "id",
      id(number),
      "url",
      "http://" + tenant + "/" + number,
      "events",
      "{a}",
      "secret_hash",
      "\\x" + OLD,
      "previous_hash",
      "\\x" + NEW,
      "previous_until",
      in(9),
      "since",
      ago(99),
      "asked_at",
      ago(99),
      "failing_since",
      ago(5)
    };
    rows.row("webhook", Stream.concat(Arrays.stream(usual), Arrays.stream(columns)).toArray());
  }

  private void delivery(int n, int webhook, int tenant, String state) {
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
        "state",
        state,
        "next_at",
        ago(7),
        "give_up_at",
        in(7),
        "finished_at",
        state.equals("failed") ? NOW : null);
  }

  private WebhookView view() {
    return webhooks.find(TENANT, id(1)).orElseThrow();
  }

  @Test
  void endpoints_are_listed_by_their_ids_for_their_tenant() {
    assertThat(webhooks.list(TENANT)).extracting(WebhookView::id).containsExactly(id(1), id(2));
    assertThat(webhooks.find(FOREIGN, id(2))).isEmpty();
    assertThat(view().url()).isEqualTo("http://1/1");
  }

  /** However an endpoint comes back to its owner. */
  private List<Optional<WebhookView>> told() {
    return List.of(
        webhooks.find(TENANT, id(1)),
        webhooks.list(TENANT).stream().findFirst(),
        webhooks.change(id(1), new Webhooks.Wish("http://1/1", null, List.of("a")), LINE));
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 9})
  void the_secret_before_is_told_until_its_time_is_over(int seconds) {
    rows.clock(in(seconds));
    boolean over = seconds == 9;
    for (Optional<WebhookView> view : told()) {
      assertThat(view.orElseThrow().secret())
          .isEqualTo(new WebhookView.Secret(1, OLD, over ? null : NEW, over ? null : in(9)));
    }
  }

  @Test
  void one_endpoint_is_changed_as_its_owner_wishes() {
    WebhookView changed =
        webhooks
            .change(id(1), new Webhooks.Wish("http://new", "why", List.of("b")), LINE)
            .orElseThrow();
    assertThat(changed.url()).isEqualTo("http://new");
    assertThat(changed.description()).isEqualTo("why");
    assertThat(changed.events()).containsExactly("b");
    assertThat(
            rows.ask("select tenant_id, id, url from webhook where asked_at = '%s'".formatted(NOW)))
        .isEqualTo("1,%s,http://new".formatted(id(1)));
  }

  @Test
  void there_are_only_so_many_endpoints_of_a_tenant() {
    Webhooks.Wish wish = new Webhooks.Wish("http://new", null, List.of("b"));
    assertThat(webhooks.create(id(3), wish, OLD, 2, LINE)).isEmpty();
    assertThat(webhooks.create(id(3), wish, OLD, 3, LINE).orElseThrow().secret())
        .isEqualTo(new WebhookView.Secret(1, OLD, null, null));
  }

  @Test
  void one_endpoint_is_deleted() {
    assertThat(webhooks.delete(id(1), LINE)).isTrue();
    assertThat(webhooks.delete(id(1), LINE)).isFalse();
    assertThat(webhooks.find(TENANT, id(2))).isPresent();
    assertThat(webhooks.find(FOREIGN, id(1))).isPresent();
  }

  @Test
  void a_secret_is_followed_by_the_next_once() {
    WebhookView before = view();
    WebhookView after = webhooks.rotate(before, NEW, Duration.ofSeconds(60), LINE).orElseThrow();
    assertThat(after.secret()).isEqualTo(new WebhookView.Secret(2, NEW, OLD, in(60)));
    assertThat(webhooks.rotate(before, OLD, Duration.ofSeconds(60), LINE)).isEmpty();
    assertThat(rows.ask("select secret_number from webhook order by 1")).isEqualTo("1 | 1 | 2");
    rows.execute("update webhook set secret_number = 9 where id = '%s'".formatted(id(2)));
    assertThat(webhooks.rotate(view(), OLD, Duration.ZERO, LINE).orElseThrow().secret())
        .as("it signs no more")
        .isEqualTo(new WebhookView.Secret(3, OLD, null, null));
  }

  private String states() {
    return rows.ask("select state from webhook_delivery order by n");
  }

  @Test
  void a_disabled_endpoints_deliveries_are_held_and_nobody_elses() {
    WebhookView disabled = webhooks.disable(id(1), "asked", LINE).orElseThrow();
    assertThat(disabled.health()).isEqualTo(new WebhookView.Health(ago(5), NOW, "asked"));
    assertThat(states())
        .isEqualTo("held | pending | pending | held | held | held | failed | failed | failed");
    rows.clock(in(1));
    assertThat(webhooks.disable(id(1), "gone", LINE).orElseThrow().health())
        .isEqualTo(disabled.health());
    assertThat(rows.ask("select count(*) from webhook where disabled_at is not null"))
        .isEqualTo("1");
    assertThat(rows.ask("select count(*) from audit")).isEqualTo("1");
  }

  @Test
  void an_enabled_endpoint_hears_again_from_now_on_and_of_what_was_held() {
    rows.execute("update webhook set disabled_at = '%s', disabled_for = 'gone'".formatted(ago(3)));
    Duration patience = Duration.ofSeconds(60);
    assertThat(webhooks.enable(id(1), patience, LINE).orElseThrow().health())
        .isEqualTo(new WebhookView.Health(null, null, null));
    assertThat(rows.ask("select tenant_id, id from webhook where since = '%s'".formatted(NOW)))
        .isEqualTo("1," + id(1));
    assertThat(states())
        .isEqualTo(
            "pending | pending | pending | pending | held | held | failed | failed | failed");
    assertThat(
            rows.ask(
                "select n, next_at, give_up_at from webhook_delivery where give_up_at <> '%s'"
                    .formatted(in(7))))
        .isEqualTo("4,2026-03-01 12:00:00+00,2026-03-01 12:01:00+00");
    rows.clock(in(1));
    UUID same = webhooks.enable(id(1), patience, LINE).orElseThrow().id();
    assertThat(same).isEqualTo(id(1));
    assertThat(rows.ask("select count(*) from webhook where since = '%s'".formatted(in(1))))
        .isEqualTo("0");
  }
}
