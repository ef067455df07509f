package dev.millrace.server.console;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.postgres.Database;
import dev.millrace.postgres.tenants.KeyView;
import dev.millrace.postgres.tenants.Keys;
import dev.millrace.server.api.AllRoutes;
import dev.millrace.server.rig.ConsoleRig;
import dev.millrace.server.rig.FleetRig;
import dev.millrace.server.rig.Guest;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.service.access.ApiKey;
import dev.millrace.testkit.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every page of the console asks the same question as the API: whose key is this, and may it do
 * that? A page that the table doesn't know fails, until somebody says what its question is.
 */
class SameQuestionPgTest {

  private static final String SIGNED_IN = "GET /api/whoami";
  private static final String ADMIN = "GET /api/admin/audit";
  private static final String OPERATOR = "GET /api/admin/queues";
  private static final String TENANT = "GET /api/admin/tenants/default";
  private static final String JOB = "GET /api/jobs/{id}";
  private static final String FILE = "GET /api/files/{item}";
  private static final String ITEMS = "GET /api/jobs/{id}/items";

  private static final String MACHINE = "gpu-17";

  /** Before anybody has signed in. */
  private static final List<String> OPEN =
      List.of(
          "GET /console/assets/{name}",
          "GET /console/sign-in",
          "POST /console/sign-in",
          "GET /console/sign-in/provider",
          "GET /console/sign-in/callback",
          "GET /console/link/{secret}",
          "POST /console/link/{secret}",
          "GET /console/{rest}");

  /** What each page does, in words of the API. */
  private static final Map<String, String> PAGES =
      Map.ofEntries(
          entry("GET /console", SIGNED_IN),
          entry("POST /console/sign-out", SIGNED_IN),
          entry("POST /console/preferences", SIGNED_IN),
          entry("GET /console/studio", "GET /api/effects"),
          entry("GET /console/studio/{slug}", "GET /api/effects"),
          entry("POST /console/studio/{slug}", "POST /api/jobs"),
          entry("POST /console/quote/{slug}", "GET /api/effects"),
          entry("GET /console/library", "GET /api/files"),
          entry("PUT /console/uploads", "POST /api/files"),
          entry("GET /console/files/{item}", FILE),
          entry("GET /console/files/{item}/thumb", FILE),
          entry("GET /console/wallet", "GET /api/wallet"),
          entry("GET /console/jobs", "GET /api/jobs"),
          entry("GET /console/jobs-news", "GET /api/jobs"),
          entry("GET /console/jobs/{id}", JOB),
          entry("GET /console/jobs/{id}/live", JOB),
          entry("GET /console/jobs/{id}/receipt", "GET /api/jobs/{id}/receipt"),
          entry("POST /console/jobs/{id}/uncover", ITEMS),
          entry("POST /console/jobs/{id}/cancel", "POST /api/jobs/{id}/cancel"),
          entry("POST /console/jobs/{id}/retry", "POST /api/jobs/{id}/retry"),
          entry("POST /console/jobs/{id}/retry-in-place", "POST /api/admin/jobs/{id}/retry"),
          entry("POST /console/jobs/{id}/delete", "DELETE /api/jobs/{id}"),
          entry("GET /console/review", ITEMS),
          entry("GET /console/review/now", ITEMS),
          entry("GET /console/review/{id}/items/{item}", ITEMS),
          entry("POST /console/review/{id}/approve", "POST /api/jobs/{id}/approve"),
          entry("POST /console/review/{id}/decline", "POST /api/jobs/{id}/decline"),
          // What it shows came in a cookie of the visitor's own.
          entry("GET /console/shown-once", SIGNED_IN),
          entry("GET /console/dead-letters", ADMIN),
          entry("POST /console/jobs-bulk", "POST /api/admin/tasks"),
          entry("POST /console/jobs-bulk/go", "POST /api/admin/tasks"),
          entry("GET /console/tasks", "GET /api/admin/tasks"),
          entry("GET /console/tasks/now", "GET /api/admin/tasks"),
          entry("POST /console/tasks/{id}/stop", "POST /api/admin/tasks/{id}/stop"),
          entry("GET /console/ledger", ADMIN),
          entry("POST /console/ledger/credit", "POST /api/admin/wallets/credit"),
          entry("POST /console/ledger/proof", "GET /api/admin/doctor"),
          entry("GET /console/overview", ADMIN),
          entry("GET /console/overview/now", ADMIN),
          entry("GET /console/queues", "GET /api/admin/queues"),
          entry("GET /console/queues/now", "GET /api/admin/queues"),
          entry("POST /console/queues/{slug}/pause", OPERATOR),
          entry("POST /console/queues/{slug}/resume", OPERATOR),
          entry("GET /console/workers", "GET /api/admin/workers"),
          entry("GET /console/workers/now", "GET /api/admin/workers"),
          entry("POST /console/workers/{worker}/remove", OPERATOR),
          entry("POST /console/workers/{worker}/rotate", OPERATOR),
          entry("POST /console/workers/{worker}/{deed}", OPERATOR),
          // Admins see the late results there, and the providers themselves only operators.
          entry("GET /console/providers", ADMIN),
          entry("GET /console/providers/now", ADMIN),
          entry("POST /console/providers/adopt/{id}", "POST /api/admin/jobs/{id}/adopt"),
          entry("GET /console/webhooks", "GET /api/admin/webhooks"),
          entry("POST /console/webhooks", "POST /api/admin/webhooks"),
          entry("GET /console/webhooks/{id}", "GET /api/admin/webhooks/{id}"),
          entry("GET /console/webhooks/{id}/deliveries/{message}", "GET /api/admin/webhooks/{id}"),
          entry("POST /console/webhooks/{id}/deliveries/{message}/redeliver", ADMIN),
          entry("POST /console/webhooks/{id}/change", "GET /api/admin/webhooks/{id}"),
          entry("POST /console/webhooks/{id}/rotate", "GET /api/admin/webhooks/{id}"),
          entry("POST /console/webhooks/{id}/delete", "GET /api/admin/webhooks/{id}"),
          entry("POST /console/webhooks/{id}/redeliver", "GET /api/admin/webhooks/{id}"),
          entry("POST /console/webhooks/{id}/{deed}", ADMIN),
          entry("GET /console/tenants", "GET /api/admin/tenants"),
          entry("POST /console/tenants", TENANT),
          entry("GET /console/tenants/{tenant}", TENANT),
          entry("POST /console/tenants/{tenant}/limits", TENANT),
          entry("POST /console/tenants/{tenant}/suspend", TENANT),
          entry("POST /console/tenants/{tenant}/resume", TENANT),
          entry("POST /console/tenants/{tenant}/export", TENANT),
          entry("POST /console/tenants/{tenant}/remove", TENANT),
          entry("GET /console/keys", "GET /api/admin/keys"),
          entry("POST /console/origins", "PUT /api/admin/origins"),
          entry("POST /console/keys", "POST /api/admin/keys"),
          entry("POST /console/keys/{id}/revoke", "DELETE /api/admin/keys/{id}"),
          entry("GET /console/audit", ADMIN),
          entry("GET /console/catalogue", OPERATOR),
          entry("POST /console/catalogue/reload", "POST /api/admin/catalogue/reload"),
          entry("GET /console/catalogue/check", OPERATOR),
          entry("POST /console/catalogue/check", "POST /api/admin/catalogue/check"),
          entry("POST /console/effects/pause/{slug}", OPERATOR),
          entry("POST /console/effects/resume/{slug}", OPERATOR));

  @TempDir static Path folder;
  private static ServerRig rig;
  private static String job;
  private static String item;
  private static final Map<String, String> KEYS = new TreeMap<>();

  @BeforeAll
  static void open() throws IOException {
    Path catalogue = Files.createDirectories(folder.resolve("rig").resolve("catalogue"));
    Files.writeString(
        catalogue.resolve("caption.yaml"),
        """
        {workflow: caption, title: Caption, executor: worker, properties: {prompt: {type: string}},
         effects: [{effect: caption/one, title: One, credits_cost: 1}]}
        """);
    rig = ConsoleRig.start(folder.resolve("rig"));
    rig.admin()
        .post(
            "/api/admin/wallets/credit",
            "{\"user\":\"alice\",\"amount\":100,\"idempotency_key\":\"a\"}")
        .good();
    job = rig.admin().askedAs("alice", "sketch/proof", "\"prompt\":\"the secret of alice\"");
    await().until(() -> rig.admin().state(job).equals("waiting_review"));
    item = rig.admin().get("/api/jobs/" + job + "/items").good().at("/items/0/id").asString();
    KEYS.put("user of another", rig.newSecret("user", "bob"));
    KEYS.put("reviewer of another", rig.newSecret("reviewer", "bob"));
    KEYS.put("user of hers", rig.newSecret("user", "alice"));
    KEYS.put("reviewer of hers", rig.newSecret("reviewer", "alice"));
    KEYS.put("any user", rig.newSecret("user", ""));
    KEYS.put("any reviewer", rig.newSecret("reviewer", ""));
    KEYS.put("admin", rig.key());
    KEYS.put("neighbours' admin", neighbour());
  }

  private static String neighbour() {
    TestDatabase test = rig.database();
    ApiKey key = ApiKey.random();
    try (Database database =
        Database.open(new Database.Access(test.jdbcUrl(), test.user(), test.password(), 2))) {
      int tenant = database.tenants().ensure("neighbours");
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
    }
    return key.text();
  }

  @AfterAll
  static void close() {
    rig.close();
  }

  @Test
  void every_page_has_a_question() {
    List<String> pages =
        AllRoutes.of(folder.resolve("routes")).stream()
            .filter(route -> route.template().startsWith("/console"))
            .map(AllRoutes::words)
            .map(words -> words.replace("/console/files/{id}", "/console/files/{item}"))
            .filter(words -> !OPEN.contains(words))
            .toList();
    assertThat(PAGES.keySet()).containsExactlyInAnyOrderElementsOf(pages);
  }

  @Test
  void whoever_the_api_refuses_is_refused_by_the_console_in_the_same_way() {
    KEYS.forEach((who, key) -> {
      Guest guest = rig.console().guest(key);
      String csrf = guest.csrf();
      new TreeMap<>(PAGES)
          .forEach((page, question) -> {
            boolean reads = page.startsWith("GET ") && question.startsWith("GET ");
            int asked = reads || isHarmless(who, question) ? ask(key, question) : 200;
            // A page that names no thing of its own shows nothing of what isn't there.
            boolean refused = asked == 403 || (asked == 404 && page.contains("{"));
            if (asked == 404 && page.startsWith("POST /console/review/")) {
              // Whoever decides too late goes on with what waits, also if the job is gone.
              HttpResponse<String> answer = visit(guest, page, csrf);
              assertThat(answer.statusCode()).as("%s as %s", page, who).isEqualTo(303);
              assertThat(answer.headers().firstValue("location").orElseThrow())
                  .as("%s as %s", page, who)
                  .matches(".*[?&]done=(decided-before|nothing-picked).*");
            } else if (refused) {
              assertThat(visit(guest, page, csrf).statusCode())
                  .as("%s as %s, where %s says %s", page, who, question, asked)
                  .isEqualTo(asked);
            } else if (reads && !page.endsWith("/live")) {
              assertThat(visit(guest, page, csrf).statusCode())
                  .as("%s as %s, where %s says %s", page, who, question, asked)
                  .isIn(200, 303);
            }
          });
    });
  }

  /** Those who would be refused change nothing; of the others' deeds other tests tell. */
  private static boolean isHarmless(String who, String question) {
    boolean byAdmins = question.contains("/api/admin/");
    return question.startsWith("GET ")
        || (byAdmins && !who.contains("admin"))
        || (question.contains("{id}") && (who.contains("another") || who.contains("neighbours")));
  }

  @Test
  void nothing_of_a_user_is_on_any_page_of_those_who_may_not_see_it() {
    for (String who : List.of("user of another", "reviewer of another", "neighbours' admin")) {
      Guest guest = rig.console().guest(Objects.requireNonNull(KEYS.get(who)));
      String csrf = guest.csrf();
      PAGES.keySet().stream()
          .filter(page -> page.startsWith("GET "))
          .forEach(page -> {
            HttpResponse<String> answer = visit(guest, page, csrf);
            assertThat(answer.body()).as("%s as %s", page, who).doesNotContain("alice");
            if (!page.contains("{")) {
              assertThat(answer.body()).as("%s as %s", page, who).doesNotContain(job, item);
            }
          });
    }
  }

  @Test
  void the_names_of_machines_are_on_pages_of_admins_only() {
    String held = rig.admin().askedAs("alice", "caption/one", "\"prompt\":\"the secret of alice\"");
    String token =
        FleetRig.register(
                rig.admin(),
                FleetRig.SECRET,
                "{\"worker_id\":\"%s\",\"workflow_slugs\":[\"caption\"]}".formatted(MACHINE))
            .good()
            .path("token")
            .asString();
    assertThat(ask(token, "POST /api/worker/poll")).isEqualTo(200);
    assertThat(rig.admin().state(held)).isEqualTo("running");
    requireMachineForAdminsOnly(held, "GET /console/jobs/{id}");

    // A page that lives on is over with its job, so that all of it can be read.
    rig.admin().delete("/api/admin/workers/" + MACHINE).good();
    rig.admin().post("/api/jobs/" + held + "/cancel", "").good();
    assertThat(rig.admin().state(held)).isEqualTo("canceled");
    requireMachineForAdminsOnly(held, "GET /console/jobs/{id}/live");
  }

  private static void requireMachineForAdminsOnly(String held, String shown) {
    KEYS.forEach((who, key) -> {
      Guest guest = rig.console().guest(key);
      String csrf = guest.csrf();
      boolean over = shown.endsWith("/live");
      PAGES.keySet().stream()
          .filter(page -> page.startsWith("GET ") && (over || !page.endsWith("/live")))
          .filter(page -> page.equals(shown) || !who.equals("admin"))
          // Workers are the installation's, so the admins of all tenants see them.
          .filter(page -> !who.contains("admin") || !page.contains("/workers"))
          .forEach(page -> {
            String body = visit(guest, page, held, csrf).body();
            assertThat(body.contains(MACHINE))
                .as("%s as %s", page, who)
                .isEqualTo(who.equals("admin"));
          });
    });
  }

  private static String filled(String path) {
    return filled(path, job);
  }

  private static String filled(String path, String id) {
    return path.replace("{id}", id)
        .replace("{item}", item)
        .replace("/queues/{slug}", "/queues/sketch")
        .replace("{slug}", "sketch/proof")
        .replace("{message}", "msg_1")
        .replace("{tenant}", "default")
        .replace("{worker}", "gpu-1")
        .replace("{deed}", "drain");
  }

  private static int ask(String key, String question) {
    String[] parts = question.split(" ", 2);
    return rig.console()
        .send(
            HttpRequest.newBuilder(URI.create(rig.url(filled(parts[1]))))
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json")
                .method(
                    parts[0],
                    parts[0].equals("POST")
                        ? BodyPublishers.ofString("{}")
                        : BodyPublishers.noBody())
                .build())
        .statusCode();
  }

  private static HttpResponse<String> visit(Guest guest, String page, String csrf) {
    return visit(guest, page, job, csrf);
  }

  private static HttpResponse<String> visit(Guest guest, String page, String id, String csrf) {
    String[] parts = page.split(" ", 2);
    String query = parts[1].equals("/console/jobs-news") ? "?after=" + UUID.randomUUID() : "";
    return rig.console()
        .send(
            HttpRequest.newBuilder(URI.create(rig.url(filled(parts[1], id) + query)))
                .header("Cookie", guest.cookie())
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("X-CSRF-Token", csrf)
                .method(parts[0], BodyPublishers.noBody())
                .build());
  }
}
