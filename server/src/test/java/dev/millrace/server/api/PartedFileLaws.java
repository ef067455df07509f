package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.FleetRig;
import dev.millrace.server.rig.FleetRig.Work;
import dev.millrace.server.rig.FleetRig.Worker;
import dev.millrace.server.rig.ServerRig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What holds for large files of users and of workers, wherever they are kept. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PartedFileLaws {

  private static final int PART = 5 << 20;
  private static final byte[] LARGE = large();

  @TempDir static Path folder;

  private ServerRig rig;
  private Client client;
  private Worker worker;

  /** Where files are kept, as settings of the server. */
  abstract List<String> store();

  /** What is left of uploads that weren't finished. */
  abstract List<String> unfinished() throws IOException;

  @BeforeAll
  void start() throws IOException {
    Path catalogue = Files.createDirectory(folder.resolve("catalogue"));
    Files.writeString(
        catalogue.resolve("film.yaml"),
        """
        workflow: film
        title: Film
        executor: worker
        properties: {prompt: {type: string, default: x}}
        effects:
          - {effect: film/plain, title: Plain, credits_cost: 3, retry: {max_failures: 2}}
        """);
    rig = ServerRig.start(folder, settings());
    client = rig.admin();
    worker = FleetRig.worker(client, "filmer", 10, "film");
  }

  private String[] settings() {
    List<String> all = new ArrayList<>(store());
    all.add("CATALOGUE_DIR=" + folder.resolve("catalogue"));
    all.add("FLEET_SECRET=" + FleetRig.SECRET);
    all.add("PART_BYTES=" + PART);
    all.add("BACKOFF_BASE_SECONDS=1");
    all.add("BACKOFF_CAP_SECONDS=1");
    return all.toArray(String[]::new);
  }

  @AfterAll
  void stop() {
    rig.examine();
    rig.close();
  }

  @Test
  void a_large_file_comes_in_parts_and_is_read_back_whole() {
    JsonNode file = announce();
    JsonNode upload = file.path("upload");
    assertThat(upload.has("url")).isFalse();
    assertThat(upload.path("part_bytes").asInt()).isEqualTo(PART);
    assertThat(upload.path("parts")).hasSize(3);
    assertThat(upload.at("/parts/2/size").asInt()).isEqualTo(LARGE.length - 2 * PART);
    List<String> tags = putAll(upload);

    assertThat(confirm(file, List.of()).problem(409, "parts_mismatch").text()).contains("ETag");
    Answer confirmed = confirm(file, tags).expect(200);

    assertThat(client.get(confirmed.at("/url")).expect(200).bytes()).isEqualTo(LARGE);
    // The answer may have been lost.
    confirm(file, tags).expect(200);
    // A part that comes late changes nothing, whatever the store says to it.
    put(upload.at("/parts/0"), new byte[PART]);
    assertThat(client.get(confirmed.at("/url")).expect(200).bytes()).isEqualTo(LARGE);
    client.post("/api/files/" + id(file) + "/parts", "{}").problem(404, "not_found");
  }

  @Test
  void a_file_of_one_part_comes_whole() {
    JsonNode file =
        client
            .post(
                "/api/files",
                "{\"name\":\"a.bin\",\"media_type\":\"application/octet-stream\",\"size\":%d}"
                    .formatted(PART))
            .expect(201)
            .json();
    assertThat(file.at("/upload/url").asString()).isNotEmpty();
    assertThat(file.path("upload").has("parts")).isFalse();
  }

  @Test
  void a_confirmation_names_every_part_and_the_right_checksum() {
    JsonNode file = announce();
    JsonNode upload = file.path("upload");
    List<String> tags = putAll(upload);
    List<String> reversed = new ArrayList<>(tags);
    Collections.reverse(reversed);
    confirm(file, reversed).problem(409, "parts_mismatch");
    confirm(file, tags.subList(0, 2)).problem(409, "parts_mismatch");
    String other = FileLaws.sha256(new byte[1]);
    confirm(file, tags, other).problem(422, "upload_mismatch");
    confirm(file, tags).expect(200);
  }

  @Test
  void a_part_that_got_lost_is_put_again_by_a_fresh_url() {
    JsonNode file = announce();
    JsonNode upload = file.path("upload");
    String first = tag(put(upload.at("/parts/0"), part(1)));
    String third = tag(put(upload.at("/parts/2"), part(3)));
    confirm(file, List.of(first, third, third)).problem(409, "parts_mismatch");
    JsonNode fresh =
        client.post("/api/files/" + id(file) + "/parts", "{\"numbers\":[2]}").expect(200).json();
    assertThat(fresh.at("/upload/parts")).hasSize(1);
    assertThat(fresh.at("/upload/parts/0/number").asInt()).isEqualTo(2);
    String second = tag(put(fresh.at("/upload/parts/0"), part(2)));
    confirm(file, List.of(first, second, third)).expect(200);
  }

  @Test
  void fresh_urls_are_for_the_owner_and_give_more_time() {
    JsonNode file = announce();
    String path = "/api/files/" + id(file) + "/parts";
    rig.boundTo("somebody").post(path, "{}").problem(404, "not_found");
    rig.database()
        .execute("update file set expires_at = clock_timestamp() where id = '" + id(file) + "'");
    assertThat(client.post(path, "").expect(200).json().at("/upload/parts")).hasSize(3);
    assertThat(
            rig.ask(
                "select expires_at > clock_timestamp() + interval '30 minutes' from file where id = '"
                    + id(file)
                    + "'"))
        .isEqualTo("t");
    rig.database()
        .execute(
            "update file set created_at = created_at - interval '8 days' where id = '"
                + id(file)
                + "'");
    client.post(path, "{}").problem(404, "not_found");
  }

  @Test
  void a_part_of_another_size_is_refused() {
    JsonNode upload = announce().path("upload");
    for (int size : new int[] {1, 999, 1_001}) {
      assertThat(put(upload.at("/parts/2"), new byte[size]).status()).isIn(400, 403, 413);
    }
  }

  @Test
  void a_file_that_is_deleted_before_it_is_whole_leaves_nothing() throws IOException {
    JsonNode file = announce();
    List<String> tags = putAll(file.path("upload"));
    assertThat(unfinished()).anyMatch(name -> name.contains(id(file)));
    client.delete("/api/files/" + id(file)).expect(200);
    assertThat(unfinished()).noneMatch(name -> name.contains(id(file)));
    confirm(file, tags).problem(404, "not_found");
  }

  @Test
  void an_upload_that_nobody_finishes_is_swept_away() throws IOException {
    JsonNode file = announce();
    put(file.at("/upload/parts/0"), part(1)).expect(200);
    rig.database()
        .execute(
            "update file set expires_at = clock_timestamp() - interval '2 hours' where id = '%s'"
                .formatted(id(file)));
    rig.restart(settings());
    client = rig.admin();
    String gone = "select deleted_at is not null from file where id = '" + id(file) + "'";
    await().until(() -> rig.ask(gone).equals("t"));
    // The bytes go a minute later; here the minute passes by hand.
    rig.database()
        .execute(
            "update file set deleted_at = deleted_at - interval '2 minutes' where deleted_at is not null");
    rig.restart(settings());
    client = rig.admin();
    worker = FleetRig.worker(client, "filmer-again", 10, "film");
    await().until(() -> unfinished().stream().noneMatch(name -> name.contains(id(file))));
  }

  @Test
  void a_worker_delivers_a_large_output_in_parts() {
    String id = client.asked("film/plain");
    Work work = worker.lease();
    JsonNode place = place(work);
    assertThat(place.path("key").asString())
        .startsWith(work.job().at("/output/key_prefix").asString());
    List<String> tags = putAll(place);
    Answer done = complete(work, place, tags).expect(200);
    assertThat(done.at("/state")).isEqualTo("completed");
    assertThat(complete(work, place, tags).expect(200).at("/state")).isEqualTo("completed");
    assertThat(client.get(client.job(id).at("/outputs/0/url")).expect(200).bytes())
        .isEqualTo(LARGE);
  }

  @Test
  void a_worker_gets_fresh_urls_for_its_own_places_only() {
    client.asked("film/plain");
    Work work = worker.lease();
    JsonNode place = place(work);
    String first = tag(put(place.at("/parts/0"), part(1)));
    JsonNode fresh = renewed(work, place, place.path("key").asString()).expect(200).json();
    assertThat(fresh.path("parts")).hasSize(2);
    String second = tag(put(fresh.at("/parts/0"), part(2)));
    String third = tag(put(fresh.at("/parts/1"), part(3)));
    String elsewhere = place.path("key").asString().replace("attempt-1", "attempt-2");
    renewed(work, place, elsewhere).problem(422, "output_refused");
    complete(work, place, List.of(first, second, third)).expect(200);
    renewed(work, place, place.path("key").asString()).problem(409, "stale_lease");
  }

  @Test
  void a_missing_part_fails_the_attempt_and_leaves_nothing() throws IOException {
    long before = client.balance();
    String id = client.asked("film/plain");
    Work work = worker.lease();
    JsonNode place = place(work);
    String first = tag(put(place.at("/parts/0"), part(1)));
    Answer refused = complete(work, place, List.of(first, first, first)).expect(200);
    assertThat(refused.at("/error/code")).isEqualTo("output_parts");
    assertThat(refused.at("/state")).isEqualTo("pending");
    assertThat(unfinished()).noneMatch(name -> name.contains(id));
    Work second = worker.lease();
    second.tell("fail", "\"error_class\":\"permanent\",\"message\":\"m\"").expect(200);
    assertThat(client.balance()).isEqualTo(before);
  }

  private JsonNode announce() {
    return client
        .post(
            "/api/files",
            "{\"name\":\"a.bin\",\"media_type\":\"application/octet-stream\",\"size\":%d}"
                .formatted(LARGE.length))
        .expect(201)
        .json();
  }

  private Answer confirm(JsonNode file, List<String> tags) {
    return confirm(file, tags, FileLaws.sha256(LARGE));
  }

  private Answer confirm(JsonNode file, List<String> tags, String sha256) {
    return client.post(
        "/api/files/" + id(file) + "/confirm",
        "{\"size\":%d,\"sha256\":\"%s\",\"parts\":%s}"
            .formatted(LARGE.length, sha256, tags.isEmpty() ? "null" : list(tags)));
  }

  private static JsonNode place(Work work) {
    return work.tell(
            "upload",
            "\"media_type\":\"application/octet-stream\",\"size\":%d,\"sha256\":\"%s\""
                .formatted(LARGE.length, FileLaws.sha256(LARGE)))
        .expect(200)
        .json();
  }

  private static Answer renewed(Work work, JsonNode place, String key) {
    return work.tell(
        "upload/parts",
        "\"key\":\"%s\",\"upload_id\":\"%s\",\"size\":%d,\"part_bytes\":%d,\"numbers\":[2,3]"
            .formatted(
                key,
                place.path("upload_id").asString(),
                LARGE.length,
                place.path("part_bytes").asLong()));
  }

  private static Answer complete(Work work, JsonNode place, List<String> tags) {
    return work.tell(
        "complete",
        ("\"outputs\":[{\"key\":\"%s\",\"size\":%d,\"sha256\":\"%s\",\"upload_id\":\"%s\","
                + "\"media_type\":\"application/octet-stream\",\"parts\":%s}]")
            .formatted(
                place.path("key").asString(),
                LARGE.length,
                FileLaws.sha256(LARGE),
                place.path("upload_id").asString(),
                list(tags)));
  }

  /** Tags carry their quotes, as HTTP has them. */
  private static String list(List<String> tags) {
    return tags.stream().map(tag -> "\"" + tag.replace("\"", "\\\"") + "\"").toList().toString();
  }

  private List<String> putAll(JsonNode places) {
    List<String> tags = new ArrayList<>();
    for (JsonNode place : places.path("parts")) {
      tags.add(tag(put(place, part(place.path("number").asInt()))));
    }
    return tags;
  }

  private Answer put(JsonNode place, byte[] bytes) {
    return client.putTo(place, bytes);
  }

  private static String tag(Answer answer) {
    return answer.expect(200).header("ETag").orElseThrow();
  }

  private static byte[] part(int number) {
    return Arrays.copyOfRange(LARGE, (number - 1) * PART, Math.min(LARGE.length, number * PART));
  }

  private static String id(JsonNode file) {
    return file.path("id").asString();
  }

  private static byte[] large() {
    byte[] bytes = new byte[2 * PART + 1_000];
    new Random(11).nextBytes(bytes);
    return bytes;
  }
}
