package dev.millrace.server.api;

import dev.millrace.server.api.GoodRequests.Good;
import dev.millrace.server.rig.Client;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** A good request for every operation on webhooks. Nothing is sent: no such host exists. */
final class GoodWebhookRequests {

  private static final String WISH =
      "{\"url\":\"https://hooks.invalid/x\",\"description\":\"d\",\"events\":[\"job.blocked\"]}";
  private static final String PATH = "/api/admin/webhooks";

  private final Map<String, Supplier<Good>> rows = new LinkedHashMap<>();
  private final Client client;
  private final String id;

  GoodWebhookRequests(Client client) {
    this.client = client;
    this.id = made();
    rows.put("POST " + PATH, () -> new Good(Map.of(), WISH));
    rows.put("GET " + PATH + "/{id}", () -> one(""));
    rows.put("PUT " + PATH + "/{id}", () -> one(WISH));
    rows.put("DELETE " + PATH + "/{id}", () -> new Good(Map.of("id", made()), ""));
    rows.put("POST " + PATH + "/{id}/rotate", () -> one("{\"overlap_seconds\":5}"));
    rows.put("POST " + PATH + "/{id}/enable", () -> one(""));
    rows.put("POST " + PATH + "/{id}/disable", () -> new Good(Map.of("id", made()), ""));
    rows.put("POST " + PATH + "/{id}/test", () -> one(""));
    rows.put("POST " + PATH + "/{id}/redeliver", () -> one("{\"since\":\"2026-01-01T00:00:00Z\"}"));
    rows.put(
        "GET " + PATH + "/{id}/deliveries",
        () -> new Good(Map.of("id", id, "state", "failed", "limit", "5", "cursor", "1000"), ""));
    rows.put("GET " + PATH + "/{id}/deliveries/{message}", this::delivery);
    rows.put("POST " + PATH + "/{id}/deliveries/{message}/redeliver", this::delivery);
    rows.put(
        "GET /api/admin/events",
        () ->
            new Good(
                Map.of(
                    "cursor",
                    client.get("/api/admin/events").expect(200).at("/next_cursor"),
                    "events",
                    "job.blocked",
                    "wait",
                    "0"),
                ""));
  }

  Map<String, Supplier<Good>> rows() {
    return rows;
  }

  private Good one(String json) {
    return new Good(Map.of("id", id), json);
  }

  private Good delivery() {
    String message = client.post(PATH + "/" + id + "/test", "").expect(202).at("/id");
    return new Good(Map.of("id", id, "message", message), "");
  }

  private String made() {
    return client.post(PATH, WISH).expect(201).at("/id");
  }
}
