package dev.millrace.server.api;

import dev.millrace.server.rig.Client;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request for every operation of the OpenAPI file that is good in all respects, to be spoiled in
 * one. An operation that is added to the file needs a row here.
 */
final class GoodRequests {

  /** Taken for a new text in each request, so that no two are the same. */
  static final String FRESH = "fresh-key";

  private static final String UPLOAD =
      "{\"name\":\"a.json\",\"media_type\":\"application/json\",\"size\":2}";
  private static final String LARGE_UPLOAD =
      "{\"name\":\"a.bin\",\"media_type\":\"application/octet-stream\",\"size\":70000000}";
  private static final String SHA256_OF_EMPTY_OBJECT =
      "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
  private static final String LATER = "\"run_at\":\"2199-01-01T00:00:00Z\"";

  /**
   * A good request.
   *
   * @param values of its parameters, encoded
   * @param json its body; empty if it has none
   */
  record Good(Map<String, String> values, String json) {}

  private final Map<String, Supplier<Good>> rows = new LinkedHashMap<>();
  private final Client client;
  private final GoodWorkerRequests fleet;
  private @Nullable String ended;

  GoodRequests(Client client) {
    this.client = client;
    this.fleet = new GoodWorkerRequests(client);
    jobs();
    rows.putAll(new GoodDialectRequests(client, fleet, this::ended, this::waiting).rows());
    reviews();
    batches();
    tasks();
    reading();
    uploads();
    administration();
    rows.putAll(fleet.rows());
    rows.putAll(new GoodWebhookRequests(client).rows());
  }

  /** Who may send it. */
  Client clientFor(DescribedOperation operation) {
    return fleet.clientFor(operation.name()).orElse(client);
  }

  Map<String, Supplier<Good>> rows() {
    return rows;
  }

  private void jobs() {
    row("POST /api/jobs", () -> body(job()));
    row(
        "GET /api/jobs",
        () -> values("state=queued&effect=sketch/draft&user=default&limit=5&cursor=" + uuid()));
    row("GET /api/jobs/{id}", () -> job(ended()));
    row("DELETE /api/jobs/{id}", () -> job(canceled()));
    row("GET /api/jobs/{id}/events", () -> values("after_id=0&limit=5&id=" + ended()));
    row("GET /api/jobs/{id}/stream", () -> values("after_id=0&id=" + ended()));
    row("POST /api/jobs/{id}/cancel", () -> job(waiting()));
    row("POST /api/jobs/{id}/retry", () -> job(canceled(), "{}"));
    row("GET /api/jobs/{id}/why", () -> job(ended()));
    row("GET /api/jobs/{id}/receipt", () -> job(ended()));
    row("GET /api/jobs/{id}/outputs/{index}", () -> values("index=0&id=" + ended()));
  }

  private void reviews() {
    row("GET /api/jobs/{id}/items", () -> job(ended()));
    row(
        "POST /api/jobs/{id}/approve",
        () -> {
          String id = proof();
          JsonNode items = client.get("/api/jobs/" + id + "/items").expect(200).json();
          return job(id, "{\"items\":[%s]}".formatted(items.at("/items/0/id")));
        });
    row("POST /api/jobs/{id}/decline", () -> job(proof(), "{\"reason\":\"It is blue.\"}"));
    row(
        "POST /api/admin/jobs/{id}/reject",
        () -> job(waiting(), "{\"category\":\"violence\",\"reason\":\"Not here.\"}"));
    row(
        "POST /api/admin/jobs/{id}/overturn",
        () -> {
          String id = waiting();
          client
              .post(
                  "/api/admin/jobs/" + id + "/reject",
                  "{\"category\":\"violence\",\"reason\":\"Not here.\"}")
              .expect(200);
          return job(id, "{\"reason\":\"It was fine.\"}");
        });
  }

  private void batches() {
    row("POST /api/batches", () -> body("{\"mode\":\"partial\",\"jobs\":[%s]}".formatted(job())));
    row("GET /api/batches", () -> values("user=default&limit=5&cursor=" + uuid()));
    row("GET /api/batches/{id}", () -> job(batch()));
    row("GET /api/batches/{id}/stream", () -> job(canceledBatch()));
    row("POST /api/batches/{id}/cancel", () -> job(batch()));
    row("POST /api/batches/{id}/retry", () -> job(canceledBatch()));
  }

  private String batch() {
    return client
        .post("/api/batches", "{\"mode\":\"partial\",\"jobs\":[%s]}".formatted(job()))
        .expect(201)
        .at("/id");
  }

  private String canceledBatch() {
    String id = batch();
    JsonNode jobs = client.get("/api/jobs?batch=" + id).expect(200).json();
    client.post("/api/jobs/" + jobs.at("/items/0/id").asString() + "/cancel", "").expect(200);
    return id;
  }

  private void tasks() {
    row(
        "POST /api/admin/tasks",
        () -> body("{\"action\":\"cancel\",\"filter\":{\"user\":\"nobody\"},\"dry_run\":true}"));
    row("GET /api/admin/tasks", () -> values("limit=5&cursor=" + uuid()));
    row("GET /api/admin/tasks/{id}", () -> job(task()));
    row("POST /api/admin/tasks/{id}/stop", () -> job(task()));
  }

  private String task() {
    return client
        .post("/api/admin/tasks", "{\"action\":\"cancel\",\"filter\":{\"user\":\"nobody\"}}")
        .expect(202)
        .at("/id");
  }

  private void reading() {
    row("GET /api/effects/{slug}", () -> values("slug=sketch/draft"));
    row("GET /api/files", () -> values("user=default&kind=output&limit=5&cursor=" + uuid()));
    row("GET /api/files/{id}", () -> job(file().path("id").asString()));
    row(
        "GET /objects/{key}",
        () -> {
          URI url = URI.create(file().path("url").asString());
          return values(
              "key=" + url.getRawPath().replace("/objects/", "") + "&" + url.getRawQuery());
        });
    row(
        "GET /results/{code}/{place}",
        () -> {
          String address =
              client.get("/replicate/v1/predictions/" + ended()).json().path("output").asString();
          String[] steps = address.split("/", -1);
          return values("code=" + steps[steps.length - 2] + "&place=" + steps[steps.length - 1]);
        });
    row("GET /api/wallet", () -> values("user=default"));
    row("GET /api/usage", () -> values("user=default"));
    row("GET /api/admin/usage", () -> values("limit=5"));
    row("GET /api/wallet/ledger", () -> values("user=default&limit=5&cursor=1000"));
  }

  private void uploads() {
    row("POST /api/files", () -> body(UPLOAD));
    row("DELETE /api/files/{id}", () -> job(announced().path("id").asString()));
    row(
        "POST /api/files/{id}/parts",
        () ->
            job(
                client.post("/api/files", LARGE_UPLOAD).expect(201).at("/id"),
                "{\"numbers\":[1,2]}"));
    row(
        "POST /api/files/{id}/confirm",
        () -> {
          JsonNode file = announced();
          client
              .send(
                  "PUT",
                  file.at("/upload/url").asString(),
                  BodyPublishers.ofString("{}"),
                  "Content-Type",
                  "application/json")
              .expect(200);
          return job(
              file.path("id").asString(),
              "{\"size\":2,\"sha256\":\"%s\"}".formatted(SHA256_OF_EMPTY_OBJECT));
        });
    row(
        "PUT /objects/{key}",
        () -> {
          URI url = URI.create(announced().at("/upload/url").asString());
          Good good =
              values("key=" + url.getRawPath().replace("/objects/", "") + "&" + url.getRawQuery());
          return new Good(good.values(), "{}");
        });
  }

  private JsonNode announced() {
    return client.post("/api/files", UPLOAD).expect(201).json();
  }

  private void administration() {
    row(
        "POST /api/admin/wallets/credit",
        () ->
            body(
                "{\"user\":\"rich\",\"amount\":1,\"idempotency_key\":\"%s\",\"note\":\"n\"}"
                    .formatted(FRESH)));
    row(
        "POST /api/admin/wallets/adjust",
        () ->
            body(
                "{\"user\":\"rich\",\"amount\":1,\"idempotency_key\":\"%s\",\"reason\":\"r\"}"
                    .formatted(FRESH)));
    row("POST /api/admin/keys", () -> body("{\"name\":\"n\",\"role\":\"user\",\"user\":\"u\"}"));
    row("DELETE /api/admin/keys/{id}", () -> job(key()));
    row("GET /api/user-tokens", () -> values("limit=5&cursor=" + uuid()));
    row("POST /api/user-tokens", () -> body("{\"user\":\"u\",\"jobs\":1,\"minutes\":1}"));
    row(
        "DELETE /api/user-tokens/{id}",
        () -> job(client.post("/api/user-tokens", "{\"user\":\"u\"}").expect(201).at("/id")));
    row("POST /api/tickets", () -> body("{\"path\":\"/api/jobs/" + uuid() + "/stream\"}"));
    row("PUT /api/admin/origins", () -> body("{\"origins\":[\"https://app.example.com\"]}"));
    row("POST /api/admin/keys/{id}/rotate", () -> job(key(), "{\"overlap_seconds\":5}"));
    row("GET /api/admin/tenants", () -> values("search=a&limit=5&cursor=a"));
    row("POST /api/admin/tenants", () -> body("{\"slug\":\"%s\",\"name\":\"n\"}".formatted(FRESH)));
    row("GET /api/admin/tenants/{tenant}", () -> values("tenant=" + tenant()));
    row(
        "PUT /api/admin/tenants/{tenant}/limits",
        () -> new Good(Map.of("tenant", tenant()), "{\"active_jobs\":5,\"burst\":5}"));
    row(
        "GET /api/admin/tenants/{tenant}/users",
        () -> new Good(Map.of("tenant", tenant(), "prefix", "a", "limit", "5", "cursor", "a"), ""));
    row("GET /api/admin/users", () -> values("prefix=a&limit=5&cursor=a"));
    row(
        "POST /api/admin/tenants/{tenant}/export",
        () -> new Good(Map.of("tenant", tenant()), "{\"objects\":true}"));
    row(
        "POST /api/admin/tenants/{tenant}/remove",
        () -> new Good(Map.of("tenant", tenant()), "{\"without_export\":true,\"dry_run\":true}"));
    row("POST /api/admin/tenants/{tenant}/suspend", () -> values("tenant=" + tenant()));
    row("POST /api/admin/tenants/{tenant}/resume", () -> values("tenant=" + tenant()));
    row("POST /api/admin/catalogue/check", () -> body("{\"name\":\"a.yaml\",\"text\":\"x: y\"}"));
    row("POST /api/admin/jobs/{id}/retry", () -> job(failed()));
    row("POST /api/admin/jobs/{id}/adopt", () -> job(failed()));
    for (String what : new String[] {"pause", "resume"}) {
      row("POST /api/admin/effects/{slug}/" + what, () -> values("slug=sketch/flow"));
      row("POST /api/admin/workflows/{slug}/" + what, () -> values("slug=sketch-sheet"));
    }
    row("GET /api/admin/wallets/limits", () -> values("user=limited"));
    row(
        "PUT /api/admin/wallets/limits",
        () -> body("{\"user\":\"limited\",\"active_jobs\":5,\"storage_bytes\":5}"));
    row("GET /api/admin/audit", () -> values("action=job.approve&target=x&limit=5&cursor=1000"));
  }

  private void row(String operation, Supplier<Good> good) {
    rows.put(operation, good);
  }

  private static Good body(String json) {
    return new Good(Map.of(), json);
  }

  private static Good job(String id) {
    return job(id, "");
  }

  private static Good job(String id, String json) {
    return new Good(Map.of("id", id), json);
  }

  private static Good values(String pairs) {
    Map<String, String> values = new HashMap<>();
    for (String pair : pairs.split("&", -1)) {
      String[] nameAndValue = pair.split("=", 2);
      values.put(nameAndValue[0], nameAndValue[1]);
    }
    return new Good(values, "");
  }

  private static String uuid() {
    return UUID.randomUUID().toString();
  }

  private static String job() {
    return "{\"effect\":\"sketch/draft\",\"input\":{\"prompt\":\"a red fox\"}," + LATER + "}";
  }

  private String key() {
    return client
        .post("/api/admin/keys", "{\"name\":\"n\",\"role\":\"user\"}")
        .expect(201)
        .at("/id");
  }

  private String tenant() {
    String slug = uuid();
    client.post("/api/admin/tenants", "{\"slug\":\"%s\"}".formatted(slug)).expect(201);
    return slug;
  }

  /** A job that waits for its time. */
  private String waiting() {
    return client.post("/api/jobs", job()).expect(201).at("/id");
  }

  private String canceled() {
    String id = waiting();
    client.post("/api/jobs/" + id + "/cancel", "").expect(200);
    return id;
  }

  private String failed() {
    String id = client.submitted("\"fail\":\"permanent\"");
    client.awaitJob(id, "failed");
    return id;
  }

  /** A result that waits for a reviewer. */
  private String proof() {
    String id = client.asked("sketch/proof", "\"prompt\":\"a red fox\"");
    client.awaitJob(id, "waiting_review");
    return id;
  }

  /** A completed job; one is enough for all who only look. */
  private synchronized String ended() {
    if (ended == null) {
      ended = client.submitted();
      client.awaitJob(ended, "completed");
    }
    return Objects.requireNonNull(ended);
  }

  private JsonNode file() {
    return client.job(ended()).json().at("/outputs/0");
  }
}
