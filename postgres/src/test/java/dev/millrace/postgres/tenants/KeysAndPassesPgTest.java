package dev.millrace.postgres.tenants;

import static dev.millrace.postgres.PlacedRows.FOREIGN;
import static dev.millrace.postgres.PlacedRows.NOW;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.ago;
import static dev.millrace.postgres.PlacedRows.id;
import static dev.millrace.postgres.PlacedRows.in;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.PlacedRows;
import dev.millrace.postgres.tenants.ConsolePasses.Kind;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A key or a pass lets in whom it was given to, until its time is over. */
class KeysAndPassesPgTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private final PlacedRows rows = PlacedRows.none();
  private final Keys keys = new Keys(rows.jdbi());
  private final ConsolePasses passes = new ConsolePasses(rows.jdbi());
  private final Audit audit = new Audit(rows.jdbi());

  /** Keys 1 to 3 are a tenant's, and another tenant has one with the same id as 1. */
  @BeforeEach
  void place_keys() {
    key(2, TENANT, "user", "b");
    key(1, TENANT, "user", "a");
    key(3, TENANT, "reviewer", "c");
    key(1, FOREIGN, "user", "d");
    for (String pass : List.of("6", "5")) {
      pass(pass, "session", pass.equals("5") ? 1 : 2, 600);
    }
  }

  private void key(int number, int tenant, String role, String hash) {
    rows.row(
        "api_key",
        "tenant_id",
        tenant,
        "id",
        id(number),
        "name",
        "k" + hash,
        "prefix",
        "mr",
        "hash",
        "\\x" + hash(hash),
        "role",
        role,
        "created_at",
        ago(99));
  }

  private static String hash(String digit) {
    return ("0" + digit).repeat(32);
  }

  private void pass(String digit, String kind, int key, int seconds) {
    rows.row(
        "console_pass",
        "hash",
        "\\x" + hash(digit),
        "kind",
        kind,
        "tenant_id",
        TENANT,
        "key_id",
        id(key),
        "expires_at",
        in(seconds));
  }

  @Test
  void keys_are_listed_by_their_ids_and_found_by_their_hash() {
    assertThat(keys.list(TENANT)).extracting(KeyView::id).containsExactly(id(1), id(2), id(3));
    assertThat(keys.find(hash("b")).orElseThrow().id()).isEqualTo(id(2));
    assertThat(keys.anyOperator()).isFalse();
    key(4, TENANT, "operator", "9");
    assertThat(keys.anyOperator()).isTrue();
    keys.revoke(TENANT, id(4));
    assertThat(keys.anyOperator()).isFalse();
  }

  @Test
  void one_key_was_used_just_now() {
    keys.touch(List.of(new Keys.Used(TENANT, id(1))));
    assertThat(
            rows.ask(
                "select tenant_id, id, last_used_at from api_key where last_used_at is not null"))
        .isEqualTo("1,%s,2026-03-01 12:00:00+00".formatted(id(1)));
  }

  @Test
  void one_key_is_revoked_once() {
    assertThat(keys.revoke(TENANT, id(1))).isTrue();
    rows.clock(in(1));
    assertThat(keys.revoke(TENANT, id(1))).isFalse();
    assertThat(
            rows.ask("select tenant_id, id, revoked_at from api_key where revoked_at is not null"))
        .isEqualTo("1,%s,2026-03-01 12:00:00+00".formatted(id(1)));
    assertThat(keys.find(hash("a"))).isEmpty();
  }

  private @Nullable String opened(Kind kind, String digit) {
    return passes.find(kind, hash(digit)).map(KeyView::name).orElse(null);
  }

  @Test
  void a_pass_stands_for_its_own_key_until_its_time_is_over() {
    assertThat(opened(Kind.SESSION, "5")).isEqualTo("ka");
    assertThat(opened(Kind.SESSION, "6")).isEqualTo("kb");
    assertThat(opened(Kind.LINK, "5")).isNull();
    assertThat(opened(Kind.SESSION, "7")).isNull();
    rows.clock(in(599));
    assertThat(opened(Kind.SESSION, "5")).isEqualTo("ka");
    rows.clock(in(600));
    assertThat(opened(Kind.SESSION, "5")).isNull();
    rows.clock(NOW);
    rows.execute(
        "update api_key set revoked_at = '%s' where hash = '\\x%s'".formatted(NOW, hash("a")));
    assertThat(opened(Kind.SESSION, "5")).isNull();
    assertThat(opened(Kind.SESSION, "6")).isEqualTo("kb");
  }

  private String ends() {
    return rows.ask("select kind, expires_at from console_pass order by hash");
  }

  @Test
  void only_a_session_is_prolonged_and_only_if_it_has_used_up_five_minutes() {
    rows.execute("delete from console_pass");
    pass("1", "session", 1, 3299);
    pass("2", "session", 1, 3299);
    pass("3", "session", 1, 3300);
    pass("4", "link", 1, 3299);
    pass("5", "session", 1, 0);
    pass("6", "session", 1, 1);
    for (String digit : List.of("1", "3", "4", "5", "6")) {
      passes.prolong(List.of(hash(digit)), HOUR);
    }
    assertThat(ends())
        .isEqualTo(
            "session,2026-03-01 13:00:00+00 | session,2026-03-01 12:54:59+00"
                + " | session,2026-03-01 12:55:00+00 | link,2026-03-01 12:54:59+00"
                + " | session,2026-03-01 12:00:00+00 | session,2026-03-01 13:00:00+00");
  }

  @Test
  void a_new_pass_lasts_from_now_and_those_that_have_ended_are_thrown_away() {
    pass("1", "link", 1, 0);
    pass("2", "link", 1, -1);
    passes.add(Kind.LINK, hash("3"), TENANT, id(1), HOUR);
    assertThat(ends())
        .isEqualTo(
            "link,2026-03-01 12:00:00+00 | link,2026-03-01 13:00:00+00"
                + " | session,2026-03-01 12:10:00+00 | session,2026-03-01 12:10:00+00");
  }

  @Test
  void one_pass_is_ended_once_as_what_it_is() {
    assertThat(passes.end(Kind.LINK, hash("5"))).isFalse();
    assertThat(passes.end(Kind.SESSION, hash("5"))).isTrue();
    assertThat(passes.end(Kind.SESSION, hash("5"))).isFalse();
    assertThat(opened(Kind.SESSION, "6")).isEqualTo("kb");
  }

  private List<Long> lines(
      @Nullable String action, @Nullable String target, @Nullable Long before, int limit) {
    return audit.list(new Audit.Filter(TENANT, true, action, target, before, limit)).stream()
        .map(Audit.Written::id)
        .toList();
  }

  @Test
  void an_audit_is_read_newest_first_by_action_and_target() {
    for (int number : List.of(1, 4, 3, 2)) {
      rows.row(
          "audit",
          "id",
          number,
          "tenant_id",
          TENANT,
          "actor",
          "a",
          "action",
          number % 2 == 0 ? "x" : "y",
          "target",
          number < 3 ? "t" : "u");
    }
    rows.row("audit", "id", 5, "tenant_id", FOREIGN, "actor", "a", "action", "x", "target", "t");
    assertThat(lines(null, null, null, 50)).containsExactly(4L, 3L, 2L, 1L);
    assertThat(lines("x", null, null, 50)).containsExactly(4L, 2L);
    assertThat(lines(null, "t", null, 50)).containsExactly(2L, 1L);
    assertThat(lines(null, null, 3L, 50)).containsExactly(2L, 1L);
    assertThat(lines(null, null, null, 2)).containsExactly(4L, 3L);
  }
}
