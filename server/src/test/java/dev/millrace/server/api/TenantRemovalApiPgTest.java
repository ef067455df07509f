package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.FleetRig;
import dev.millrace.server.rig.ServerRig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A tenant leaves: all that it has is handed out and then gone, and nobody else notices. */
class TenantRemovalApiPgTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir static Path folder;
  private static ServerRig rig;
  private static Client operator;

  @BeforeAll
  static void start() {
    rig = ServerRig.start(folder, FleetRig.settings(folder));
    operator = rig.admin();
  }

  @AfterAll
  static void stop() {
    rig.examine();
    rig.close();
  }

  private static String path(String slug, String rest) {
    return "/api/admin/tenants/" + slug + rest;
  }

  /** A tenant with two users, jobs that ended, one that waits, and files. */
  private static Client made(String slug) {
    Client admin =
        operator.with(
            operator
                .post("/api/admin/tenants", "{\"slug\":\"%s\"}".formatted(slug))
                .expect(201)
                .at("/admin_key"));
    for (String user : List.of("ada", "bob")) {
      admin
          .post(
              "/api/admin/wallets/credit",
              "{\"user\":\"%s\",\"amount\":50,\"idempotency_key\":\"k\"}".formatted(user))
          .expect(200);
      String done = admin.askedAs(user, "sketch/draft", "\"prompt\":\"a red fox\"");
      admin.awaitJob(done, "completed");
    }
    admin
        .post(
            "/api/jobs",
            """
            {"effect":"sketch/draft","user":"ada","run_at":"2199-01-01T00:00:00Z",
             "input":{"prompt":"later"}}
            """)
        .expect(201);
    admin
        .post("/api/files", "{\"name\":\"a.json\",\"media_type\":\"application/json\",\"size\":2}")
        .expect(201);
    admin
        .post(
            "/api/admin/webhooks",
            "{\"url\":\"https://hooks.invalid/x\",\"events\":[\"job.blocked\"]}")
        .expect(201);
    admin.post("/api/user-tokens", "{\"user\":\"ada\"}").expect(201);
    return admin;
  }

  private static void suspend(String slug) {
    operator.post(path(slug, "/suspend"), "{}").expect(200);
  }

  /** As if it had been suspended long before. */
  private static void letTimePass(String slug) {
    rig.database()
        .execute(
            """
            update tenant
            set suspended_at = suspended_at - interval '1 hour'
            where slug = '%s'
            """
                .formatted(slug));
  }

  private static Map<String, String> export(String slug, boolean objects) {
    byte[] archive =
        operator
            .post(path(slug, "/export"), "{\"objects\":%s}".formatted(objects))
            .expect(200)
            .bytes();
    return entries(archive);
  }

  private static Map<String, String> entries(byte[] archive) {
    Map<String, String> entries = new LinkedHashMap<>();
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(new GZIPInputStream(new ByteArrayInputStream(archive)))) {
      for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        entries.put(entry.getName(), new String(tar.readAllBytes(), StandardCharsets.ISO_8859_1));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return entries;
  }

  private static List<JsonNode> rows(Map<String, String> entries, String topic) {
    return entries.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(topic + "/"))
        .flatMap(entry -> entry.getValue().lines())
        .map(JsonMapper.shared()::readTree)
        .toList();
  }

  private static String receipt(Map<String, String> entries) {
    return JsonMapper.shared().readTree(entries.get("manifest.json")).path("receipt").asString();
  }

  private static Answer remove(String slug, String fields) {
    return operator.post(path(slug, "/remove"), "{" + fields + "}");
  }

  private static void awaitRemoved(String slug) {
    await()
        .atMost(PATIENCE)
        .until(() -> !operator.get(path(slug, "")).expect(200).at("/removed_at").isEmpty());
  }

  /** How many rows of a tenant each table has, but for the tenant's own. */
  private static String left(String slug) {
    return Stream.of(
            rig.ask(
                    """
                    select string_agg(c.table_name, ',' order by c.table_name)
                    from information_schema.columns c
                    join pg_class r on r.relname = c.table_name and not r.relispartition
                    where c.table_schema = 'public'
                      and c.column_name = 'tenant_id'
                      and r.relkind in ('r', 'p')
                    """)
                .split(",", -1))
        .map(table ->
            table
                + " "
                + rig.ask(
                    "select count(*) from %s where tenant_id = (select id from tenant where slug = '%s')"
                        .formatted(table, slug)))
        .filter(count -> !count.endsWith(" 0"))
        .collect(Collectors.joining(", "));
  }

  private static List<Path> objects(String slug) throws IOException {
    Path root = folder.resolve("data/objects/tenants").resolve(slug);
    if (!Files.exists(root)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void an_export_has_all_that_a_tenant_has_and_no_secret() {
    Client admin = made("whole");
    JsonNode webhook =
        admin
            .post(
                "/api/admin/webhooks",
                "{\"url\":\"https://hooks.invalid/y\",\"events\":[\"job.completed\"]}")
            .expect(201)
            .json();
    Map<String, String> entries = export("whole", true);

    assertThat(rows(entries, "wallets"))
        .extracting(row -> row.path("user").asString())
        .contains("ada", "bob");
    assertThat(rows(entries, "jobs"))
        .extracting(row -> row.path("state").asString())
        .containsExactlyInAnyOrder("completed", "completed", "pending");
    assertThat(rows(entries, "jobs").getFirst().at("/input/prompt").asString())
        .isEqualTo("a red fox");
    assertThat(rows(entries, "ledger"))
        .hasSize(
            Integer.parseInt(
                rig.ask(
                    """
                    select count(*)
                    from ledger l
                    join tenant t on t.id = l.tenant_id
                    where t.slug = 'whole'
                    """)));
    assertThat(rows(entries, "events"))
        .extracting(row -> row.path("seq").asInt())
        .contains(1, 2, 3);
    for (String topic : List.of("files", "attempts", "keys", "webhooks", "audit")) {
      assertThat(rows(entries, topic)).as(topic).isNotEmpty();
    }
    assertThat(entries.keySet()).anyMatch(name -> name.startsWith("objects/tenants/whole/jobs/"));
    assertThat(entries.keySet()).last().isEqualTo("manifest.json");
    String all = String.join("\n", entries.values());
    assertThat(all)
        .doesNotContain(String.valueOf(admin.key()))
        .doesNotContain(webhook.path("secret").asString())
        .doesNotContain("hash")
        .doesNotContain("lease_token");
    assertThat(operator.get("/api/admin/audit?action=tenant.export").expect(200).text())
        .contains("whole");
  }

  @Test
  void a_tenant_is_removed_with_all_that_is_its_and_others_keep_what_is_theirs() throws Exception {
    Client admin = made("leaving");
    Client other = made("staying");
    String neighbour = left("staying");
    int files = objects("staying").size();
    suspend("leaving");
    assertThat(remove("leaving", "").problem(409, "export_needed").text()).contains("receipt");
    String old = receipt(export("leaving", false));
    String receipt = receipt(export("leaving", false));
    remove("leaving", "\"receipt\":\"%s\"".formatted(old)).problem(409, "export_outdated");

    JsonNode plan =
        remove("leaving", "\"receipt\":\"%s\",\"dry_run\":true".formatted(receipt))
            .expect(200)
            .json();
    assertThat(plan.path("obstacle").isNull()).isTrue();
    assertThat(plan.at("/would_remove/jobs").asInt()).isEqualTo(3);
    assertThat(plan.at("/would_remove/live_jobs").asInt()).isEqualTo(1);
    assertThat(operator.get(path("leaving", "")).at("/removing_at")).isEmpty();
    assertThat(objects("leaving")).isNotEmpty();

    remove("leaving", "\"receipt\":\"%s\"".formatted(receipt)).expect(202);
    operator.post(path("leaving", "/resume"), "{}").problem(409, "tenant_removed");
    letTimePass("leaving");
    rig.examine();
    awaitRemoved("leaving");

    assertThat(left("leaving")).isEmpty();
    assertThat(objects("leaving")).isEmpty();
    rig.examine();
    assertThat(left("staying")).isEqualTo(neighbour);
    assertThat(objects("staying")).hasSize(files);
    other.get("/api/jobs").expect(200);
    await().atMost(PATIENCE).until(() -> admin.get("/api/jobs").status() == 401);
    operator.post("/api/admin/tenants", "{\"slug\":\"leaving\"}").problem(409, "tenant_exists");
    assertThat(operator.get("/api/admin/tenants?search=leaving").json().path("items").size())
        .isZero();
    assertThat(operator.get("/api/admin/audit?action=tenant.remove").expect(200).text())
        .contains("leaving");
    remove("leaving", "\"without_export\":true").expect(202);
  }

  @Test
  void an_export_is_no_proof_any_more_once_a_job_went_on() {
    Client admin = made("moving");
    String job = admin.get("/api/jobs?state=pending").at("/items/0/id");
    suspend("moving");
    String receipt = receipt(export("moving", false));
    rig.database().execute("update tenant set suspended_at = null where slug = 'moving'");
    await().atMost(PATIENCE).until(() -> admin.get("/api/jobs").status() == 200);
    admin.post("/api/jobs/" + job + "/cancel", "").expect(200);
    rig.database().execute("update tenant set suspended_at = created_at where slug = 'moving'");
    remove("moving", "\"receipt\":\"%s\"".formatted(receipt)).problem(409, "export_outdated");
    suspend("moving");
  }

  @Test
  void what_a_worker_works_on_is_canceled_and_refunded_before_anything_goes() {
    Client admin = made("working");
    FleetRig.Worker worker = FleetRig.worker(operator, "busy", 1, "caption");
    String job = admin.askedAs("ada", "caption/one", "\"prompt\":\"x\"");
    FleetRig.Work work = worker.lease();
    suspend("working");
    remove("working", "\"without_export\":true").expect(202);
    letTimePass("working");
    await()
        .atMost(PATIENCE)
        .until(() ->
            rig.ask("select state from job where id = '%s'".formatted(job)).equals("canceling"));
    rig.examine();
    assertThat(operator.get(path("working", "")).at("/removed_at")).isEmpty();
    work.tell("canceled").expect(200);
    awaitRemoved("working");
    assertThat(left("working")).isEmpty();
    rig.examine();
  }

  @Test
  void a_removal_goes_on_where_a_server_was_stopped() {
    made("interrupted");
    suspend("interrupted");
    remove("interrupted", "\"without_export\":true").expect(202);
    rig.restart();
    operator = rig.admin();
    assertThat(left("interrupted")).contains("wallet", "job");
    letTimePass("interrupted");
    awaitRemoved("interrupted");
    assertThat(left("interrupted")).isEmpty();
  }

  @Test
  void only_a_suspended_tenant_without_operators_can_be_removed() {
    made("lively");
    remove("lively", "\"without_export\":true").problem(409, "tenant_not_suspended");
    assertThat(
            remove("lively", "\"dry_run\":true,\"without_export\":true")
                .expect(200)
                .at("/obstacle"))
        .isEqualTo("tenant_not_suspended");
    operator.post(path("default", "/suspend"), "{}").expect(200);
    remove("default", "\"without_export\":true").problem(409, "tenant_has_operators");
    operator.post(path("default", "/resume"), "{}").expect(200);
    remove("nobody", "\"without_export\":true").problem(404, "not_found");
    remove("lively", "\"without_export\":true,\"receipt\":\"x\"").problem(422, "invalid_request");
  }

  @Test
  void users_are_listed_with_what_they_have_and_found_by_their_beginning() {
    Client admin = made("peopled");
    Client rival = made("rival");
    for (String user : List.of("eve-2", "eve-1", "Éve", "ev%", "zoë")) {
      admin
          .post(
              "/api/admin/wallets/credit",
              "{\"user\":\"%s\",\"amount\":1,\"idempotency_key\":\"k\"}".formatted(user))
          .expect(200);
    }
    JsonNode ada = admin.get("/api/admin/users?prefix=ada").expect(200).json().path("items").get(0);
    assertThat(ada.path("live_jobs").asInt()).isEqualTo(1);
    assertThat(ada.path("held").asLong()).isPositive();
    assertThat(ada.path("stored_bytes").asLong()).isPositive();
    assertThat(names(admin.get("/api/admin/users?prefix=eve"))).containsExactly("eve-1", "eve-2");
    assertThat(names(admin.get("/api/admin/users?prefix=ev%25"))).containsExactly("ev%");
    List<String> all = new java.util.ArrayList<>();
    String cursor = "";
    do {
      Answer page =
          operator.get(
              path("peopled", "/users?limit=2")
                  + (cursor.isEmpty()
                      ? ""
                      : "&cursor=" + java.net.URLEncoder.encode(cursor, StandardCharsets.UTF_8)));
      all.addAll(names(page));
      cursor = page.at("/next_cursor");
    } while (!cursor.isEmpty());
    assertThat(all)
        .doesNotHaveDuplicates()
        .contains("ada", "bob", "eve-1", "eve-2", "ev%", "Éve", "zoë");
    assertThat(names(rival.get("/api/admin/users"))).doesNotContain("zoë");
  }

  private static List<String> names(Answer page) {
    return page.expect(200).json().path("items").values().stream()
        .map(user -> user.path("user").asString())
        .toList();
  }
}
