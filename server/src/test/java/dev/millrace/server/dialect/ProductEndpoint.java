package dev.millrace.server.dialect;

import dev.millrace.testkit.net.Reply;
import dev.millrace.testkit.net.Request;
import dev.millrace.testkit.net.SmallServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A product that takes rows as the guide asks for: each key once, and the same answer whenever the
 * same rows come again.
 */
final class ProductEndpoint implements AutoCloseable {

  private final Map<String, JsonNode> taken = new ConcurrentHashMap<>();
  private final Map<String, Reply> answers = new ConcurrentHashMap<>();
  private final Set<String> tags = ConcurrentHashMap.newKeySet();
  private final List<Request> calls = new CopyOnWriteArrayList<>();
  private final AtomicLong rowsSeen = new AtomicLong();
  private final AtomicInteger number = new AtomicInteger();
  private final SmallServer server = SmallServer.start(this::answer);
  private volatile Mood mood = (_, answer) -> answer;

  /** What it does with the answer to a call, after it took the rows. */
  interface Mood {
    Reply answer(int call, Reply good) throws InterruptedException;
  }

  void mood(Mood other) {
    number.set(0);
    mood = other;
  }

  String url() {
    return server.url() + "/take";
  }

  String allowed() {
    return "FETCH_ALLOW=127.0.0.1:" + server.url().getPort();
  }

  private Reply answer(Request request) throws InterruptedException {
    JsonNode body = JsonMapper.shared().readTree(request.body().bytes());
    int call = number.incrementAndGet();
    if (calls.size() < 1_000) {
      calls.add(request);
    }
    String id = request.header("idempotency-key").orElseThrow();
    JsonNode rows = body.path("data").path("rows");
    rowsSeen.addAndGet(rows.size());
    Reply good = answers.computeIfAbsent(id, _ -> take(rows));
    return mood.answer(call, good);
  }

  private Reply take(JsonNode rows) {
    int imported = 0;
    int created = 0;
    List<Map<String, String>> errors = new ArrayList<>();
    for (JsonNode row : rows.values()) {
      String name = row.path("values").path("name").asString("");
      if (name.startsWith("forbidden")) {
        errors.add(
            Map.of("key", row.path("key").asString(), "field", "name", "message", "=is forbidden"));
        continue;
      }
      imported += taken.putIfAbsent(row.path("key").asString(), row.path("values")) == null ? 1 : 0;
      created += tags.add(row.path("values").path("category").asString("")) ? 1 : 0;
    }
    return Reply.json(
        200,
        Map.of(
            "imported", imported,
            "failed", errors.size(),
            "skipped", 0,
            "tags_created", created,
            "categories_created", created,
            "errors", errors));
  }

  /** What it has, by the keys. */
  Map<String, JsonNode> taken() {
    return taken;
  }

  /** What it has of this row. */
  JsonNode row(String key) {
    return Objects.requireNonNull(taken.get(key), key);
  }

  List<Request> calls() {
    return calls;
  }

  @Nullable Request lastCall() {
    return calls.isEmpty() ? null : calls.getLast();
  }

  /** How many rows came, those that came again too. */
  long rowsSeen() {
    return rowsSeen.get();
  }

  @Override
  public void close() {
    server.close();
  }
}
