package dev.millrace.postgres.jobs;

import static dev.millrace.postgres.PlacedRows.FOREIGN;
import static dev.millrace.postgres.PlacedRows.NOW;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.ago;
import static dev.millrace.postgres.PlacedRows.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.PlacedRows;
import dev.millrace.postgres.tenants.Visibility;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which jobs a list has, whichever index it walks along, and what it shows of each. */
class JobListsPgTest {

  private static final UUID BATCH = id(900);

  private final PlacedRows rows = PlacedRows.none();
  private final Jobs jobs = new Jobs(rows.jdbi());

  @AfterEach
  void close() {
    jobs.close();
  }

  /** What a filter can name, and so along which index its jobs are found. */
  enum Way {
    TENANT(null),
    TENANT_BY_STATE(null),
    USER("ada"),
    USER_BY_STATE("ada"),
    LIVE(null);

    private final @Nullable String user;

    Way(@Nullable String user) {
      this.user = user;
    }

    private @Nullable List<State> states() {
      return switch (this) {
        case TENANT, USER -> null;
        case TENANT_BY_STATE -> List.of(State.QUEUED, State.RUNNING, State.FAILED);
        case USER_BY_STATE, LIVE -> List.of(State.QUEUED, State.RUNNING);
      };
    }

    Jobs.Filter wide(int limit) {
      return new Jobs.Filter(
          Visibility.of(PlacedRows.TENANT, user), null, states(), null, null, null, limit);
    }

    Jobs.Filter before(int number) {
      return wide(50).from(id(number), 50);
    }

    Jobs.Filter narrow() {
      String ending = id(1).toString().substring(33);
      return new Jobs.Filter(
          Visibility.of(PlacedRows.TENANT, user), "e1", states(), BATCH, ending, null, 50);
    }
  }

  private void live(int number, @Nullable Object... columns) {
    rows.job(number, columns);
    Object state = column("state", "queued", columns);
    rows.dispatch(number, "tenant_id", column("tenant_id", TENANT, columns), "state", state);
  }

  private static Object column(String name, Object usual, @Nullable Object... columns) {
    int index = Arrays.asList(columns).indexOf(name);
    return index < 0 ? usual : String.valueOf(columns[index + 1]);
  }

  private static List<UUID> ids(Integer... numbers) {
    return Arrays.stream(numbers).map(PlacedRows::id).toList();
  }

  private List<UUID> list(Jobs.Filter filter, @Nullable UUID floor) {
    return jobs.list(filter, floor).stream().map(JobView::id).toList();
  }

  @ParameterizedTest
  @EnumSource
  void a_job_must_be_all_that_the_filter_says(Way way) {
    live(1, "batch_id", BATCH);
    live(0x100001, "batch_id", BATCH, "effect_id", 2);
    live(0x200001, "batch_id", id(901));
    live(0x300001);
    live(2, "batch_id", BATCH);
    live(0x400001, "batch_id", BATCH);
    live(0x500001, "batch_id", BATCH, "tenant_id", FOREIGN);
    live(0x600001, "batch_id", BATCH, "deleted_at", NOW);
    assertThat(list(way.narrow(), null)).doesNotContain(id(2));
    assertThat(list(way.narrow(), null)).containsExactlyElementsOf(ids(0x400001, 1));
  }

  @ParameterizedTest
  @EnumSource
  void what_the_filter_does_not_say_does_not_matter(Way way) {
    live(1, "batch_id", BATCH);
    live(2, "effect_id", 2, "state", "running");
    live(3, "effect_id", 3);
    assertThat(list(way.wide(50), null)).containsExactlyElementsOf(ids(3, 2, 1));
  }

  @ParameterizedTest
  @EnumSource
  void only_jobs_of_the_user_and_in_the_states_are_listed_if_there_are_such(Way way) {
    live(1);
    live(2, "wallet_id", 2);
    live(3, "state", "submitted");
    rows.job(4, "state", "failed");
    live(5, "tenant_id", FOREIGN);
    live(6, "tenant_id", FOREIGN, "wallet_id", 3);
    rows.job(1, "tenant_id", FOREIGN);
    rows.dispatch(4, "tenant_id", FOREIGN);
    assertThat(list(way.wide(50), null))
        .containsExactlyElementsOf(
            switch (way) {
              case TENANT -> ids(4, 3, 2, 1);
              case TENANT_BY_STATE -> ids(4, 2, 1);
              case USER -> ids(4, 3, 1);
              case USER_BY_STATE -> ids(1);
              case LIVE -> ids(2, 1);
            });
  }

  @ParameterizedTest
  @EnumSource
  void a_page_goes_from_the_last_of_the_page_before_down_to_a_floor(Way way) {
    for (int number = 1; number <= 6; number++) {
      live(number);
    }
    assertThat(list(way.before(5), id(2))).containsExactlyElementsOf(ids(4, 3, 2));
    assertThat(list(way.before(3), null)).containsExactlyElementsOf(ids(2, 1));
    assertThat(list(way.wide(50), id(5))).containsExactlyElementsOf(ids(6, 5));
    assertThat(list(way.wide(2), null)).containsExactlyElementsOf(ids(6, 5));
  }

  @ParameterizedTest
  @EnumSource
  void the_floor_is_the_job_at_which_a_walk_of_that_length_ends(Way way) {
    for (int number = 1; number <= 4; number++) {
      live(number);
      live(10 + number, "tenant_id", FOREIGN, "wallet_id", 3);
    }
    live(5, "wallet_id", 2);
    int ofBob = way.user == null ? 1 : 0;
    assertThat(jobs.floor(way.wide(50), 1 + ofBob)).contains(id(3));
    assertThat(jobs.floor(way.wide(50), 4 + ofBob)).isEmpty();
    assertThat(jobs.floor(way.before(4), 0)).contains(id(3));
    assertThat(jobs.floor(way.before(4), 2)).contains(id(1));
  }

  @ParameterizedTest
  @EnumSource
  void a_job_is_shown_with_its_own_names_and_its_newest_follow_up(Way way) {
    live(1, "effect_id", 3, "workflow_id", 2, "state", "running");
    rows.job(2, "follows", id(1), "state", "canceled", "created_at", ago(9), "wallet_id", 2);
    rows.job(3, "follows", id(1), "state", "canceled", "created_at", ago(5), "wallet_id", 2);
    rows.job(4, "follows", id(1), "state", "canceled", "created_at", ago(5), "wallet_id", 2);
    rows.job(5, "follows", id(1), "state", "canceled", "created_at", ago(7), "wallet_id", 2);
    rows.job(
        6,
        "follows",
        id(1),
        "state",
        "canceled",
        "created_at",
        NOW,
        "wallet_id",
        2,
        "deleted_at",
        NOW);
    rows.job(7, "follows", id(2), "state", "canceled", "created_at", NOW, "wallet_id", 2);
    rows.job(8, "follows", id(1), "tenant_id", FOREIGN, "created_at", NOW);
    assertThat(jobs.list(way.wide(50)).getLast())
        .satisfies(job -> assertThat(job.id()).isEqualTo(id(1)))
        .satisfies(job -> assertThat(job.request().effect()).isEqualTo("e3"))
        .satisfies(job -> assertThat(job.request().workflow()).isEqualTo("w2"))
        .satisfies(job -> assertThat(job.request().userId()).isEqualTo("ada"))
        .satisfies(job -> assertThat(job.links().followUpId()).isEqualTo(id(4)));
    assertThat(jobs.list(way.wide(50))).doesNotHaveDuplicates();
  }

  @Test
  void a_job_is_found_with_its_own_names_and_its_own_input() {
    rows.job(1, "effect_id", 1, "workflow_id", 1);
    rows.job(2, "effect_id", 3, "workflow_id", 2, "wallet_id", 2);
    rows.job(3, "effect_id", 5, "workflow_id", 3, "deleted_at", NOW);
    rows.job(2, "tenant_id", FOREIGN, "wallet_id", 3, "effect_id", 7, "workflow_id", 3);
    for (int number = 1; number <= 3; number++) {
      rows.input(number, TENANT, "{\"n\": " + number + "}");
      rows.input(number, FOREIGN, "{\"n\": 1" + number + "}");
    }
    rows.job(4, "follows", id(2), "state", "canceled");
    rows.job(5, "follows", id(2), "deleted_at", NOW);
    rows.job(6, "follows", id(2), "tenant_id", FOREIGN);
    rows.job(7, "follows", id(1));
    assertThat(names(TENANT, 1)).isEqualTo("ada e1 w1 {\"n\": 1} " + id(7));
    assertThat(names(TENANT, 2)).isEqualTo("bob e3 w2 {\"n\": 2} " + id(4));
    assertThat(names(FOREIGN, 2)).isEqualTo("ada e7 w3 {\"n\": 12} " + id(6));
    assertThat(jobs.find(Visibility.of(TENANT), id(3))).isEmpty();
    assertThat(jobs.find(Visibility.of(FOREIGN), id(1))).isEmpty();
  }

  private String names(int tenant, int number) {
    JobView job = jobs.find(Visibility.of(tenant), id(number)).orElseThrow();
    JobView.Request request = job.request();
    return String.join(
        " ",
        request.userId(),
        request.effect(),
        request.workflow(),
        request.input(),
        String.valueOf(job.links().followUpId()));
  }

  @Test
  void of_several_follow_ups_the_newest_is_told() {
    rows.job(1);
    rows.input(1, TENANT, "{}");
    rows.job(2, "follows", id(1), "created_at", ago(9));
    rows.job(3, "follows", id(1), "created_at", ago(5));
    rows.job(4, "follows", id(1), "created_at", ago(5));
    rows.job(5, "follows", id(1), "created_at", ago(7));
    assertThat(names(TENANT, 1)).endsWith(" " + id(4));
  }

  @Test
  void a_key_is_its_users_own() {
    rows.job(1, "idempotency_key", "k", "fingerprint", "adas");
    rows.job(2, "idempotency_key", "k", "fingerprint", "bobs", "wallet_id", 2);
    rows.job(3, "idempotency_key", "other", "fingerprint", "another");
    rows.job(
        4, "tenant_id", FOREIGN, "idempotency_key", "k", "fingerprint", "theirs", "wallet_id", 3);
    assertThat(jobs.findKey(TENANT, "ada", "k")).contains(new Jobs.KeyUse(id(1), "adas"));
    assertThat(jobs.findKey(TENANT, "ada", "nobodys")).isEmpty();
  }

  @Test
  void attempts_are_those_of_the_job_in_their_order() {
    rows.attempt(1, "number", 2, "token", id(71));
    rows.attempt(1, "number", 1);
    rows.attempt(1, "number", 3, "tenant_id", FOREIGN);
    rows.attempt(2, "number", 4);
    assertThat(jobs.attempts(TENANT, id(1))).extracting(AttemptView::number).containsExactly(1, 2);
  }
}
