package dev.millrace.server.edge;

import static org.awaitility.Awaitility.await;

import dev.millrace.server.edge.PathValues.Thing;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.FleetRig;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/**
 * What a user of a tenant has, and what the tenant has beside it: jobs in several states, a batch,
 * files, a key, a task, an endpoint with something that was sent to it.
 */
final class Estate {

  private static final String WEBHOOKS = "/api/admin/webhooks";
  private static final String SHA256 =
      "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
  private static final int TAIL = 10;
  private static final Random RANDOM = new Random(7);

  private final Map<Thing, List<String>> things = new EnumMap<>(Thing.class);
  private final Map<String, String> jobs = new LinkedHashMap<>();

  private Estate() {}

  /**
   * Has everything made.
   *
   * @param admin of the tenant
   * @param holder who leases one job and keeps it
   * @param hook where endpoints may be
   */
  static Estate make(
      Client admin, String user, String workspace, FleetRig.Worker holder, String hook) {
    Estate estate = new Estate();
    admin
        .post(
            "/api/admin/wallets/credit",
            "{\"user\":\"%s\",\"amount\":1000,\"idempotency_key\":\"%s\"}"
                .formatted(user, UUID.randomUUID()))
        .expect(200);
    estate.makeJobs(admin, user, workspace, holder);
    estate.makeFiles(admin, user, workspace);
    estate.put(
        Thing.KEY,
        admin
            .post("/api/admin/keys", "{\"name\":\"of %s\",\"role\":\"user\"}".formatted(user))
            .expect(201)
            .at("/id"));
    estate.put(
        Thing.TASK,
        admin
            .post("/api/admin/tasks", "{\"action\":\"cancel\",\"filter\":{\"user\":\"nobody\"}}")
            .expect(202)
            .at("/id"));
    estate.put(
        Thing.TOKEN,
        admin
            .post(
                "/api/user-tokens",
                "{\"user\":\"%s\",\"workspace\":\"%s\"}".formatted(user, workspace))
            .expect(201)
            .at("/id"));
    estate.makeWebhook(admin, hook);
    estate.settle(admin);
    return estate;
  }

  private void makeJobs(Client admin, String user, String workspace, FleetRig.Worker holder) {
    String mine = "\"user\":\"%s\",\"workspace\":\"%s\"".formatted(user, workspace);
    String running = submit(admin, mine, "upscale/one", "");
    await().until(() -> holder.poll(1, 1).expect(200).json().path("jobs").size() == 1);
    jobs.put("completed", submit(admin, mine, "sketch/draft", ""));
    jobs.put("waiting_review", submit(admin, mine, "sketch/proof", ""));
    jobs.put("failed", submit(admin, mine, "sketch/draft", ",\"fail\":\"permanent\""));
    String later = "\"run_at\":\"2199-01-01T00:00:00Z\"," + mine;
    jobs.put("pending", submit(admin, later, "sketch/draft", ""));
    String canceled = submit(admin, later, "sketch/draft", "");
    admin.post("/api/jobs/" + canceled + "/cancel", "").expect(200);
    jobs.put("canceled", canceled);
    jobs.put("running", running);
    String batch =
        admin
            .post(
                "/api/batches",
                "{\"user\":\"%s\",\"workspace\":\"%s\",\"jobs\":[%s]}"
                    .formatted(
                        user,
                        workspace,
                        "{\"effect\":\"sketch/draft\",\"input\":{\"prompt\":\"x\"},\"run_at\":\"2199-01-01T00:00:00Z\"}"))
            .expect(201)
            .at("/id");
    put(Thing.BATCH, batch);
    put(Thing.TASK, admin.post("/api/batches/" + batch + "/cancel", "").expect(202).at("/id"));
  }

  private static String submit(Client admin, String more, String effect, String input) {
    return admin
        .post(
            "/api/jobs",
            "{%s,\"effect\":\"%s\",\"input\":{\"prompt\":\"the secret of a tenant\"%s}}"
                .formatted(more, effect, input))
        .expect(201)
        .at("/id");
  }

  private void makeFiles(Client admin, String user, String workspace) {
    JsonNode announced =
        admin
            .post(
                "/api/files",
                "{\"user\":\"%s\",\"workspace\":\"%s\",\"name\":\"a.json\",\"media_type\":\"application/json\",\"size\":2}"
                    .formatted(user, workspace))
            .expect(201)
            .json();
    String id = announced.path("id").asString();
    admin
        .send(
            "PUT",
            announced.at("/upload/url").asString(),
            BodyPublishers.ofByteArray("{}".getBytes(StandardCharsets.UTF_8)),
            "Content-Type",
            "application/json")
        .expect(200);
    admin
        .post("/api/files/" + id + "/confirm", "{\"size\":2,\"sha256\":\"%s\"}".formatted(SHA256))
        .expect(200);
    put(Thing.FILE, id);
  }

  private void makeWebhook(Client admin, String hook) {
    String id =
        admin
            .post(WEBHOOKS, "{\"url\":\"%s\",\"events\":[\"job.blocked\"]}".formatted(hook))
            .expect(201)
            .at("/id");
    put(Thing.WEBHOOK, id);
    put(Thing.MESSAGE, admin.post(WEBHOOKS + "/" + id + "/test", "").expect(202).at("/id"));
  }

  /** Waits until nothing of it changes by itself any more. */
  private void settle(Client admin) {
    jobs.forEach((state, id) -> admin.awaitJob(id, state));
    things.put(Thing.JOB, List.copyOf(jobs.values()));
    String completed = jobs.get("completed");
    put(Thing.FILE, admin.job(String.valueOf(completed)).at("/outputs/0/id"));
    put(
        Thing.ITEM,
        admin
            .get("/api/jobs/" + jobs.get("waiting_review") + "/items")
            .expect(200)
            .at("/items/0/id"));
    String delivery = WEBHOOKS + "/" + one(Thing.WEBHOOK) + "/deliveries/" + one(Thing.MESSAGE);
    await().until(() -> admin.get(delivery).expect(200).at("/state").equals("delivered"));
    for (String task : all(Thing.TASK)) {
      await()
          .until(() ->
              !admin.get("/api/admin/tasks/" + task).expect(200).at("/finished_at").isEmpty());
    }
  }

  private void put(Thing thing, String id) {
    things.computeIfAbsent(thing, _ -> new ArrayList<>()).add(id);
  }

  private String one(Thing thing) {
    return Objects.requireNonNull(things.get(thing)).getFirst();
  }

  /** The ids of all things of this kind. */
  List<String> all(Thing thing) {
    return Objects.requireNonNull(things.get(thing));
  }

  /** One of each; of the jobs the one in this state. */
  Map<Thing, String> ids(String state) {
    Map<Thing, String> ids = new EnumMap<>(Thing.class);
    things.forEach((thing, all) -> ids.put(thing, all.getFirst()));
    ids.put(Thing.JOB, Objects.requireNonNull(jobs.get(state)));
    return ids;
  }

  /** Every id, each of which is unguessable, so that finding it somewhere means something. */
  List<String> everything() {
    return things.values().stream().flatMap(List::stream).filter(id -> id.length() > 20).toList();
  }

  /**
   * An id that nothing has, of the same form and time: a list that goes on from there shows the
   * same.
   */
  static String missing(String like) {
    int tail = like.length() - TAIL;
    StringBuilder other = new StringBuilder(like.substring(0, tail));
    like.substring(tail)
        .chars()
        .forEach(c ->
            other.append(
                Character.isLetterOrDigit(c)
                    ? Character.forDigit(RANDOM.nextInt(16), 16)
                    : (char) c));
    return other.toString();
  }
}
