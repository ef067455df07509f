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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What holds for the files between jobs and workers, wherever they are kept. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class WorkerFileLaws {

  private static final String CATALOGUE =
      """
      workflow: portrait
      title: Portrait
      executor: worker
      provider: comfyui
      properties:
        image: {type: file}
        prompt: {type: string, default: x}
      required: [image]
      template:
        "1": {class_type: LoadImage, inputs: {image: "{{image}}", mask: "{{mask}}"}}
        "9": {class_type: Save, inputs: {prefix: "of {{prompt}}"}}
      output_node: "9"
      assets: {mask: mask.txt}
      effects:
        - {effect: portrait/plain, title: Plain, credits_cost: 3, retry: {max_failures: 2}}
      """;

  @TempDir static Path folder;

  private ServerRig rig;
  private Client client;
  private Worker worker;

  /** Where files are kept, as settings of the server. */
  abstract List<String> store();

  @BeforeAll
  void start() throws IOException {
    Path catalogue = Files.createDirectory(folder.resolve("catalogue"));
    Files.writeString(catalogue.resolve("portrait.yaml"), CATALOGUE);
    Files.writeString(catalogue.resolve("mask.txt"), "mask");
    List<String> settings = new ArrayList<>(store());
    settings.add("CATALOGUE_DIR=" + catalogue);
    settings.add("FLEET_SECRET=" + FleetRig.SECRET);
    settings.add("LEASE_SECONDS=18");
    settings.add("HEARTBEAT_SECONDS=6");
    settings.add("BACKOFF_BASE_SECONDS=1");
    settings.add("BACKOFF_CAP_SECONDS=1");
    rig = ServerRig.start(folder, settings.toArray(String[]::new));
    client = rig.admin();
    worker = FleetRig.worker(client, "painter", 4, "portrait");
  }

  @AfterAll
  void stop() {
    rig.examine();
    rig.close();
  }

  @Test
  void a_worker_fetches_the_files_fills_the_graph_and_brings_back_the_output() {
    long before = client.balance();
    String image = brought();
    String id = submit(image);
    JsonNode job = worker.lease().job();

    assertThat(job.at("/output/key_prefix").asString())
        .isEqualTo("tenants/default/jobs/" + id + "/attempt-1/");
    assertThat(job.at("/output/max_bytes").asLong()).isPositive();
    assertThat(job.path("output_node").asString()).isEqualTo("9");
    assertThat(job.at("/template/9/inputs/prefix").asString()).isEqualTo("of a \"fox\"");
    JsonNode photo = job.at("/assets/0");
    assertThat(photo.path("file_id").asString()).isEqualTo(image);
    assertThat(job.at("/template/1/inputs/image")).isEqualTo(photo.path("placeholder"));
    assertThat(client.get(photo.path("url").asString()).expect(200).bytes())
        .isEqualTo(FileLaws.PHOTO);
    JsonNode mask = job.at("/assets/1");
    assertThat(mask.path("file_id").isNull()).isTrue();
    assertThat(client.get(mask.path("url").asString()).expect(200).text()).isEqualTo("mask");

    Work work = new Work(worker, job);
    JsonNode place = place(work, FileLaws.PHOTO, "image/png");
    assertThat(place.path("key").asString()).startsWith(job.at("/output/key_prefix").asString());
    put(place, FileLaws.PHOTO).expect(200);
    assertThat(complete(work, place, FileLaws.PHOTO).expect(200).at("/state"))
        .isEqualTo("completed");

    Answer done = client.job(id);
    assertThat(client.get(done.at("/outputs/0/url")).expect(200).bytes()).isEqualTo(FileLaws.PHOTO);
    assertThat(done.at("/outputs/0/thumbnail_url")).isNotEmpty();
    assertThat(client.balance()).isEqualTo(before - 3);
  }

  @Test
  void an_output_that_is_not_there_fails_the_attempt_and_costs_nothing() {
    long before = client.balance();
    String id = submit(brought());
    Work work = worker.lease();
    JsonNode place = place(work, FileLaws.PHOTO, "image/png");

    Answer refused = complete(work, place, FileLaws.PHOTO).expect(200);
    assertThat(refused.at("/state")).isEqualTo("pending");
    assertThat(refused.at("/error/code")).isEqualTo("output_missing");
    assertThat(client.job(id).at("/error/code")).isEqualTo("output_missing");
    assertThat(complete(work, place, FileLaws.PHOTO).expect(200).at("/state")).isEqualTo("pending");

    Work second = worker.lease();
    assertThat(second.job().path("attempt").asInt()).isEqualTo(2);
    // The first attempt's place is not this one's.
    assertThat(complete(second, place, FileLaws.PHOTO).expect(200).at("/error/code"))
        .isEqualTo("output_elsewhere");
    assertThat(client.job(id).at("/state")).isEqualTo("failed");
    assertThat(client.balance()).isEqualTo(before);
  }

  @Test
  void an_output_is_judged_by_its_bytes_and_what_an_attempt_brought_in_vain_is_removed() {
    byte[] text = "not a picture".getBytes(StandardCharsets.UTF_8);
    String id = submit(brought());
    Work work = worker.lease();
    JsonNode place = place(work, text, "image/png");
    put(place, text).expect(200);
    assertThat(complete(work, place, text).expect(200).at("/error/code")).isEqualTo("output_type");
    assertThat(client.job(id).at("/state")).isEqualTo("failed");
    assertThat(client.job(id).at("/credits/refunded")).isEqualTo("3");
    // The place is free again, which nobody could tell if something lay there.
    put(place, text).expect(200);
  }

  @Test
  void what_is_not_stored_here_gets_no_place() {
    submit(brought());
    Work work = worker.lease();
    announce(work, FileLaws.PHOTO, "application/x-msdownload").problem(422, "output_refused");
    work.tell(
            "upload",
            "\"media_type\":\"image/png\",\"size\":99999999999,\"sha256\":\"%s\""
                .formatted("0a".repeat(32)))
        .problem(422, "output_refused");
    work.complete("a text instead").expect(200);
  }

  @Test
  void the_same_delivery_twice_at_the_same_time_loses_nothing() throws Exception {
    String id = submit(brought());
    Work work = worker.lease();
    JsonNode place = place(work, FileLaws.PHOTO, "image/png");
    put(place, FileLaws.PHOTO).expect(200);
    List<Answer> answers = Together.times(8, _ -> complete(work, place, FileLaws.PHOTO));
    assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isEqualTo(200));
    Answer done = client.job(id);
    assertThat(client.get(done.at("/outputs/0/url")).expect(200).bytes()).isEqualTo(FileLaws.PHOTO);
  }

  @Test
  void a_job_whose_file_is_gone_fails_for_good_and_the_poll_brings_the_next() {
    long before = client.balance();
    String gone = brought();
    String broken = submit(gone);
    String fine = submit(brought());
    rig.database()
        .execute("update file set deleted_at = clock_timestamp() where id = '" + gone + "'");

    Work work = worker.lease();

    assertThat(work.id()).isEqualTo(fine);
    Answer failed = client.job(broken);
    assertThat(failed.at("/state")).isEqualTo("failed");
    assertThat(failed.at("/error/code")).isEqualTo("input_missing");
    assertThat(failed.at("/error/message")).contains("image");
    work.complete("x").expect(200);
    assertThat(client.balance()).isEqualTo(before - 3);
  }

  @Test
  void urls_are_renewed_before_they_end_or_when_the_worker_asks() {
    submit(brought());
    Work work = worker.lease();
    String first = work.job().at("/assets/0/url").asString();
    assertThat(work.tell("heartbeat").expect(200).json().has("assets")).isFalse();
    JsonNode asked = work.tell("heartbeat", "\"fresh_urls\":true").expect(200).json();
    assertThat(asked.path("assets")).hasSize(2);
    assertThat(asked.at("/assets/0/placeholder")).isEqualTo(work.job().at("/assets/0/placeholder"));

    JsonNode renewed =
        await()
            .pollInterval(Duration.ofMillis(200))
            .until(() -> work.tell("heartbeat").expect(200).json(), beat -> beat.has("assets"));
    String url = renewed.at("/assets/0/url").asString();
    assertThat(client.get(url).expect(200).bytes()).isEqualTo(FileLaws.PHOTO);
    await()
        .until(() -> {
          work.tell("heartbeat").expect(200);
          return client.get(first).status() == 403;
        });
    work.complete("x").expect(200);
  }

  private String submit(String image) {
    return client.asked(
        "portrait/plain", "\"image\":\"" + image + "\"", "\"prompt\":\"a \\\"fox\\\"\"");
  }

  private static Answer announce(Work work, byte[] bytes, String type) {
    return work.tell(
        "upload",
        "\"media_type\":\"%s\",\"size\":%d,\"sha256\":\"%s\""
            .formatted(type, bytes.length, FileLaws.sha256(bytes)));
  }

  private static JsonNode place(Work work, byte[] bytes, String type) {
    return announce(work, bytes, type).expect(200).json();
  }

  private static Answer complete(Work work, JsonNode place, byte[] bytes) {
    return work.tell(
        "complete",
        "\"outputs\":[{\"key\":\"%s\",\"size\":%d,\"sha256\":\"%s\",\"media_type\":\"image/png\"}]"
            .formatted(place.path("key").asString(), bytes.length, FileLaws.sha256(bytes)));
  }

  private Answer put(JsonNode place, byte[] bytes) {
    return client.putTo(place, bytes);
  }

  private String brought() {
    String sha256 = FileLaws.sha256(FileLaws.PHOTO);
    Answer file =
        client
            .post(
                "/api/files",
                "{\"name\":\"%s.png\",\"media_type\":\"image/png\",\"size\":%d,\"sha256\":\"%s\"}"
                    .formatted(UUID.randomUUID(), FileLaws.PHOTO.length, sha256))
            .expect(201);
    put(file.json().path("upload"), FileLaws.PHOTO).expect(200);
    client
        .post(
            "/api/files/" + file.at("/id") + "/confirm",
            "{\"size\":%d,\"sha256\":\"%s\"}".formatted(FileLaws.PHOTO.length, sha256))
        .expect(200);
    return file.at("/id");
  }
}
