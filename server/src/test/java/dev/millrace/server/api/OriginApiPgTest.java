package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which pages may read answers, as each tenant says. */
class OriginApiPgTest {

  private static final Duration MEMORY = Duration.ofSeconds(15);
  private static final String SHOP = "https://shop.example.com";
  private static final String ALLOW = "access-control-allow-origin";

  @TempDir static Path folder;

  private static ServerRig rig;
  private static Client admin;
  private static Client foreign;

  @BeforeAll
  static void start() {
    rig = ServerRig.start(folder, "EXECUTOR_SLOTS=1", "HTTP_MAX_BODY_BYTES=100000");
    admin = rig.admin();
    foreign =
        admin.with(
            admin
                .post("/api/admin/tenants", "{\"slug\":\"t%s\"}".formatted(UUID.randomUUID()))
                .expect(201)
                .at("/admin_key"));
    allow(admin, SHOP, "https://*.shops.example.org:8443");
    allow(foreign, "https://foreign.example.com");
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  private static Answer allow(Client by, String... origins) {
    return by.put(
        "/api/admin/origins",
        "{\"origins\":[%s]}"
            .formatted(
                String.join(",", List.of(origins).stream().map(o -> "\"" + o + "\"").toList())));
  }

  private static Answer preflight(String path, String origin) {
    HttpRequest request =
        HttpRequest.newBuilder(rig.server().url().resolve(path))
            .method("OPTIONS", BodyPublishers.noBody())
            .headers("Origin", origin)
            .headers("Access-Control-Request-Method", "POST")
            .headers("Access-Control-Request-Headers", "authorization,content-type")
            .build();
    try {
      return new Answer(admin.http().send(request, BodyHandlers.ofByteArray()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Client page(Client tenant) {
    return tenant.with(
        tenant.post("/api/user-tokens", "{\"user\":\"default\"}").expect(201).at("/token"));
  }

  @Test
  void a_preflight_tells_a_page_of_any_tenant_what_it_may_send() {
    Answer leave = preflight("/api/jobs", SHOP).expect(204);
    assertThat(leave.header(ALLOW)).contains(SHOP);
    assertThat(leave.header("access-control-allow-methods").orElse("")).contains("POST");
    assertThat(leave.header("access-control-allow-headers").orElse(""))
        .contains("Authorization", "Idempotency-Key", "Content-Type");
    assertThat(leave.header("access-control-max-age")).isPresent();
    assertThat(leave.header("vary")).contains("Origin");
    assertThat(leave.headerNames()).doesNotContain("access-control-allow-credentials");
    assertThat(preflight("/api/jobs", "https://a.b.shops.example.org:8443").header(ALLOW))
        .isPresent();
    for (String other :
        List.of(
            "https://evil.example.com",
            "http://shop.example.com",
            "https://shop.example.com:444",
            "https://shops.example.org:8443",
            "https://a.shops.example.org",
            "https://evilshops.example.org:8443",
            "null")) {
      assertThat(preflight("/api/jobs", other).header(ALLOW)).as(other).isEmpty();
    }
    assertThat(preflight("/console/keys", SHOP).header(ALLOW)).isEmpty();
  }

  @Test
  void an_answer_is_for_pages_of_the_tenant_whose_credential_asks() {
    Answer answer = page(admin).get("/api/jobs", "Origin", SHOP).expect(200);
    assertThat(answer.header(ALLOW)).contains(SHOP);
    assertThat(answer.header("vary")).contains("Origin");
    assertThat(answer.header("access-control-expose-headers").orElse(""))
        .contains("ETag", "Location", "RateLimit", "Retry-After", "Idempotency-Replayed");

    Answer refused =
        page(foreign).get("/api/jobs", "Origin", SHOP).problem(403, "origin_not_allowed");
    assertThat(refused.header(ALLOW)).isEmpty();
    Answer byKey = foreign.get("/api/jobs", "Origin", SHOP).expect(200);
    assertThat(byKey.header(ALLOW)).isEmpty();
    page(admin).get("/api/jobs").expect(200);
    page(admin).get("/api/jobs", "Origin", rig.server().url().toString()).expect(200);
  }

  @Test
  void a_page_can_read_what_went_wrong() {
    Client page = page(admin);
    String[] shop = {"Origin", SHOP};
    List<Answer> errors =
        List.of(
            rig.withoutKey().get("/api/jobs", shop).expect(401),
            page.get("/api/admin/keys", shop).expect(403),
            page.get("/api/jobs/" + UUID.randomUUID(), shop).expect(404),
            page.get("/api/nothing", shop).expect(404),
            page.send("PATCH", "/api/jobs", BodyPublishers.noBody(), shop).expect(405),
            page.post("/api/jobs", "{\"effect\":\"%s\"}".formatted("x".repeat(200_000)), shop)
                .expect(413),
            page.post("/api/jobs", "{}", shop).expect(422));
    for (Answer error : errors) {
      assertThat(error.header(ALLOW)).as(error::text).contains(SHOP);
      assertThat(error.header("vary")).as(error::text).contains("Origin");
    }
    assertThat(
            rig.withoutKey().get("/api/jobs", "Origin", "https://evil.example.com").header(ALLOW))
        .isEmpty();
  }

  @Test
  void files_are_for_pages_of_the_tenant_in_their_url() {
    String id = admin.submitted();
    admin.awaitJob(id, "completed");
    String url = URI.create(admin.job(id).at("/outputs/0/url")).toString();
    Client nobody = rig.withoutKey();

    Answer file = nobody.get(url, "Origin", SHOP, "Range", "bytes=0-9").expect(206);
    assertThat(file.header(ALLOW)).contains(SHOP);
    assertThat(file.header("access-control-expose-headers").orElse("")).contains("Content-Range");
    assertThat(nobody.get(url).expect(200).header("vary")).contains("Origin");
    Answer foreigner = nobody.get(url, "Origin", "https://foreign.example.com").expect(200);
    assertThat(foreigner.header(ALLOW)).isEmpty();
    assertThat(nobody.get(url + "x", "Origin", SHOP).expect(403).header(ALLOW)).contains(SHOP);
    String path = URI.create(url).getRawPath();
    assertThat(preflight(path, SHOP).expect(204).header(ALLOW)).contains(SHOP);
    assertThat(preflight(path, "https://foreign.example.com").header(ALLOW)).isEmpty();
  }

  @Test
  void a_tenants_admin_says_which_and_others_do_not() {
    Client tenant =
        admin.with(
            admin
                .post("/api/admin/tenants", "{\"slug\":\"t%s\"}".formatted(UUID.randomUUID()))
                .expect(201)
                .at("/admin_key"));
    Answer set = allow(tenant, "HTTPS://App.Example.com:443", "http://localhost:3000").expect(200);
    assertThat(set.json().path("origins").toString())
        .isEqualTo("[\"http://localhost:3000\",\"https://app.example.com\"]");
    assertThat(tenant.get("/api/admin/origins").expect(200).text()).isEqualTo(set.text());
    assertThat(tenant.get("/api/admin/audit?action=origins.set").expect(200).text())
        .contains("app.example.com");
    assertThat(
            allow(tenant, "example.com", "https://*.com", "https://a.b/", "*", "null", "ftp://a")
                .problem(422, "invalid_request")
                .wrongPaths())
        .hasSize(6)
        .contains("/origins/0");
    rig.as("user").get("/api/admin/origins").problem(403, "forbidden");

    allow(tenant).expect(200);
    await()
        .atMost(MEMORY)
        .until(() -> preflight("/api/jobs", "https://app.example.com").header(ALLOW).isEmpty());
  }
}
