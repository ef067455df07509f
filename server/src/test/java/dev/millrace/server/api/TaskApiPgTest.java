package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.postgres.Database;
import dev.millrace.postgres.tenants.KeyView;
import dev.millrace.postgres.tenants.Keys;
import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.service.access.ApiKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One action on every job that a filter names. */
class TaskApiPgTest {

  @TempDir Path folder;

  private Path rules;
  private ServerRig rig;
  private Client admin;

  @BeforeEach
  void start() throws Exception {
    rules = folder.resolve("rules.yaml");
    Files.writeString(rules, "max_length: 5000\n");
    rig = ServerRig.start(folder, "EXECUTOR_SLOTS=0", "GUARD_RULES=" + rules);
    admin = rig.admin();
  }

  @AfterEach
  void stop() {
    rig.examine();
    rig.close();
  }

  private Answer sent(String user, int count) {
    rig.credit(user, count);
    return rig.boundTo(user).post("/api/batches", Many.drafts("all_or_nothing", count)).expect(201);
  }

  private static String wanted(String action, String filter, boolean dryRun) {
    return """
    {"action":"%s","filter":%s,"dry_run":%s}
    """
        .formatted(action, filter, dryRun);
  }

  private String count(String state) {
    return rig.ask("select count(*) from job where state = '" + state + "'");
  }

  @Test
  void a_dry_run_changes_nothing_and_quotes_what_then_happens() {
    sent("ada", 30);
    sent("bob", 20);
    String filter = "{\"user\":\"ada\",\"state\":[\"queued\"],\"effect\":\"sketch/draft\"}";
    List<String> before = rig.traces();

    Answer quote = admin.post("/api/admin/tasks", wanted("cancel", filter, true)).expect(200);
    assertThat(rig.traces()).isEqualTo(before);
    assertThat(rig.ask("select count(*) from task")).isEqualTo("0");
    Answer done = Many.runTask(admin, "cancel", filter);

    assertThat(quote.at("/jobs")).isEqualTo("30").isEqualTo(done.at("/done"));
    assertThat(quote.at("/credits")).isEqualTo("30").isEqualTo(done.at("/credits"));
    assertThat(quote.json().path("filter")).isEqualTo(done.json().path("filter"));
    assertThat(done.at("/seen")).isEqualTo("30");
    assertThat(count("canceled")).isEqualTo("30");
    assertThat(rig.boundTo("ada").balance()).isEqualTo(30);
    assertThat(rig.boundTo("bob").balance()).isZero();
    assertThat(admin.get("/api/admin/tasks").at("/items/0/id")).isEqualTo(done.at("/id"));
  }

  @Test
  void jobs_that_come_after_the_task_and_those_of_others_are_not_touched() {
    sent("ada", 5);
    try (Database database =
        Database.open(
            new Database.Access(
                rig.database().jdbcUrl(), rig.database().user(), rig.database().password(), 2))) {
      int tenant = database.tenants().ensure("neighbours");
      ApiKey key = ApiKey.random();
      database
          .keys()
          .add(
              new Keys.NewKey(
                  tenant,
                  UUID.randomUUID(),
                  "theirs",
                  key.prefix(),
                  key.hash(),
                  "admin",
                  KeyView.Bounds.NONE,
                  null));
      Client neighbour = admin.with(key.text());
      neighbour
          .post(
              "/api/admin/wallets/credit",
              "{\"user\":\"default\",\"amount\":9,\"idempotency_key\":\"k\"}")
          .expect(200);
      neighbour.post("/api/batches", Many.drafts("partial", 9)).expect(201);

      Answer mine = Many.runTask(admin, "cancel", "{}");
      String late = sent("ada", 1).at("/results/0/job_id");

      assertThat(mine.at("/done")).isEqualTo("5");
      assertThat(neighbour.get("/api/jobs?state=queued").json().path("items").size()).isEqualTo(9);
      assertThat(admin.job(late).at("/state")).isEqualTo("queued");
      neighbour.get("/api/admin/tasks/" + mine.at("/id")).problem(404, "not_found");
      neighbour.post("/api/admin/tasks/" + mine.at("/id") + "/stop", "").problem(404, "not_found");
      assertThat(neighbour.get("/api/admin/tasks").json().path("items").size()).isZero();
    }
  }

  @Test
  void a_task_takes_only_jobs_that_were_there_when_it_was_made() {
    sent("ada", 3);
    // As if a node had died with it in hand: nobody works on it for now.
    String id = admin.post("/api/admin/tasks", wanted("cancel", "{}", false)).expect(202).at("/id");
    Many.awaitTask(admin, id);
    sent("ada", 4);
    rig.database()
        .execute(
            """
            update task
            set state = 'running', finished_at = null, cursor = null
            where id = '%s'
            """
                .formatted(id));

    Answer done = Many.awaitTask(admin, id);

    assertThat(done.at("/done")).isEqualTo("3");
    assertThat(count("queued")).isEqualTo("4");
  }

  @Test
  void jobs_are_deleted_by_filter() {
    Answer batch = sent("ada", 7);
    sent("ada", 2);
    Many.runTask(admin, "cancel", "{\"batch\":\"%s\"}".formatted(batch.at("/id")));

    Answer done =
        Many.runTask(
            admin,
            "delete",
            "{\"state\":[\"canceled\"],\"created_before\":\"2100-01-01T00:00:00Z\"}");

    assertThat(done.at("/done")).isEqualTo("7");
    assertThat(done.at("/credits")).isEqualTo("0");
    admin.get("/api/jobs/" + batch.at("/results/0/job_id")).problem(404, "not_found");
    assertThat(admin.get("/api/jobs").json().path("items").size()).isEqualTo(2);
    assertThat(Many.runTask(admin, "delete", "{}").at("/seen")).isEqualTo("0");
  }

  @Test
  void a_retry_without_credits_counts_as_failed() {
    sent("ada", 4);
    rig.database()
        .execute(
            """
            update job set deadline_at = now() where state < 'completed';
            update dispatch set deadline_at = now()
            """);
    await().until(() -> count("expired").equals("4"));
    rig.credit("ada", 2);
    Client ada = rig.boundTo("ada");
    ada.post("/api/batches", Many.drafts("partial", 4)).expect(201);
    assertThat(ada.balance()).isEqualTo(2);

    Answer quote =
        admin.post("/api/admin/tasks", wanted("retry", "{\"user\":\"ada\"}", true)).expect(200);
    Answer done = Many.runTask(admin, "retry", "{\"user\":\"ada\"}");

    assertThat(quote.at("/jobs")).isEqualTo("4");
    assertThat(quote.at("/credits")).isEqualTo("4");
    assertThat(done.at("/done")).isEqualTo("2");
    assertThat(done.at("/failed")).isEqualTo("2");
    assertThat(done.at("/credits")).isEqualTo("2");
    assertThat(count("expired")).isEqualTo("2");
    assertThat(count("queued")).isEqualTo("6");
  }

  @Test
  void a_recheck_rejects_and_refunds_what_new_rules_forbid() throws Exception {
    rig.credit("ada", 9);
    Client ada = rig.boundTo("ada");
    ada.post(
            "/api/batches",
            Many.batch(
                "partial", 5, i -> i < 2 ? Many.draft(i).replace("fox", "dragon") : Many.draft(i)))
        .expect(201);
    Files.writeString(rules, "words:\n  - category: beasts\n    any: [dragon]\n");
    // Whoever has no credits is refused in any case, and by the guard first.
    Client probe = rig.boundTo("probe");
    await()
        .until(() ->
            probe.post("/api/jobs", Client.draft().replace("red fox", "dragon")).status() == 403);
    long before = ada.balance();

    Answer done = Many.runTask(admin, "recheck", "{}");

    assertThat(done.at("/done")).isEqualTo("2");
    assertThat(done.at("/credits")).isEqualTo("2");
    assertThat(count("rejected")).isEqualTo("2");
    assertThat(ada.balance()).isEqualTo(before + 2);
    assertThat(rig.ask("select distinct error_code from job where state = 'rejected'"))
        .isEqualTo("beasts");
  }

  @Test
  void a_filter_that_can_not_be_meant_is_refused_with_its_path() {
    assertThat(wrong("{\"action\":\"cancel\"}")).containsExactly("/filter");
    assertThat(wrong("{\"action\":\"burn\",\"filter\":{}}")).containsExactly("/action");
    assertThat(wrong("{\"action\":\"cancel\",\"filter\":[],\"dry_run\":\"no\",\"x\":1}"))
        .containsExactlyInAnyOrder("/filter", "/dry_run", "/x");
    assertThat(
            wrong(
                """
                {"action":"cancel","filter":{"state":["queued","asleep","completed"],"colour":"red",
                  "batch":"1-1-1-1-1","created_before":"yesterday","created_after":7,"user":"",
                  "effect":{}}}
                """))
        .containsExactlyInAnyOrder(
            "/filter/state/1",
            "/filter/state/2",
            "/filter/colour",
            "/filter/batch",
            "/filter/created_before",
            "/filter/created_after",
            "/filter/user",
            "/filter/effect");
    rig.boundTo("ada")
        .post("/api/admin/tasks", wanted("cancel", "{}", true))
        .problem(403, "forbidden");
    assertThat(rig.ask("select count(*) from task")).isEqualTo("0");
  }

  private List<String> wrong(String body) {
    return admin.post("/api/admin/tasks", body).problem(422, "invalid_request").wrongPaths();
  }
}
