package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A deleted job is gone for everybody, with its files, and its money is still accounted for. */
class DeleteApiPgTest {

  @TempDir Path folder;
  private ServerRig rig;
  private Client client;

  @BeforeEach
  void start() {
    rig = ServerRig.start(folder, "WELCOME_CREDITS=10");
    client = rig.admin();
  }

  @AfterEach
  void stop() {
    rig.examine();
    rig.close();
  }

  private Answer submit() {
    return client.post("/api/jobs", Client.draft(), "Idempotency-Key", "k");
  }

  private String completed() {
    String id = submit().expect(201).at("/id");
    client.awaitJob(id, "completed");
    return id;
  }

  private List<Path> objects() throws IOException {
    Path tenants = folder.resolve("data/objects/tenants");
    if (!Files.exists(tenants)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(tenants)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void a_deleted_job_is_answered_like_one_that_never_was() throws IOException {
    String id = completed();
    Answer job = client.job(id);
    String url = job.at("/outputs/0/url");
    String file = job.at("/outputs/0/id");
    assertThat(objects()).isNotEmpty();

    Answer deleted = client.delete("/api/jobs/" + id).expect(200);

    assertThat(deleted.at("/id")).isEqualTo(id);
    assertThat(deleted.json().path("files").toString())
        .isEqualTo(
            "{\"removed\":1,\"bytes\":%s,\"failed\":0}".formatted(job.at("/outputs/0/size")));
    for (String path : List.of("", "/events", "/stream", "/receipt", "/items")) {
      client.get("/api/jobs/" + id + path).problem(404, "not_found");
    }
    for (String path : List.of("/cancel", "/retry", "/approve")) {
      client.post("/api/jobs/" + id + path, "").problem(404, "not_found");
    }
    client.post("/api/admin/jobs/" + id + "/retry", "").problem(404, "not_found");
    client.delete("/api/jobs/" + id).problem(404, "not_found");
    client.get("/api/files/" + file).problem(404, "not_found");
    client.get(url).problem(404, "not_found");
    assertThat(client.get("/api/jobs").json().path("items")).isEmpty();
    assertThat(client.get("/api/files").json().path("items")).isEmpty();
    assertThat(objects()).isEmpty();
    assertThat(rig.ask("select input from job_input")).isEqualTo("{}");
    assertThat(rig.ask("select count(*) from job where cleaned_at is not null")).isEqualTo("1");
    assertThat(client.get("/api/wallet/ledger").text()).contains(id);
    assertThat(client.balance()).isEqualTo(9);
    assertThat(client.get("/api/admin/audit?action=job.delete").at("/items/0/target"))
        .isEqualTo(id);
  }

  @Test
  void the_key_of_a_deleted_job_makes_no_other_job() {
    String id = completed();
    client.delete("/api/jobs/" + id).expect(200);
    List<String> traces = rig.traces();

    submit().problem(410, "job_deleted");

    assertThat(rig.traces()).isEqualTo(traces);
    client
        .post("/api/jobs", Client.draft("\"seed\":9"), "Idempotency-Key", "k")
        .problem(422, "idempotency_mismatch");
  }

  @Test
  void a_live_job_and_a_strangers_cannot_be_deleted() {
    String id = client.submitted("\"delay_seconds\":300");

    assertThat(client.delete("/api/jobs/" + id).problem(409, "transition_denied").at("/state"))
        .isIn("queued", "running");

    client.post("/api/jobs/" + id + "/cancel", "").expect(200);
    client.awaitJob(id, "canceled");
    rig.boundTo("stranger").delete("/api/jobs/" + id).problem(404, "not_found");
    assertThat(client.delete("/api/jobs/" + id).expect(200).at("/files/removed")).isEqualTo("0");
  }

  @Test
  void what_a_crash_left_behind_is_removed_after_it() throws IOException {
    String id = completed();
    rig.database().execute("update job set deleted_at = clock_timestamp() - interval '1 hour'");
    client.get("/api/jobs/" + id).problem(404, "not_found");
    assertThat(objects()).isNotEmpty();

    rig.restart();

    awaitCleaned();
    assertThat(objects()).isEmpty();
    assertThat(rig.ask("select input from job_input")).isEqualTo("{}");
    assertThat(rig.ask("select count(*) from file where deleted_at is null")).isEqualTo("0");
    client = rig.admin();
  }

  private void awaitCleaned() {
    await()
        .until(() -> rig.ask("select count(*) from job where cleaned_at is not null").equals("1"));
  }

  @Test
  void a_file_that_cannot_be_removed_is_told_and_tried_again() throws IOException {
    String id = completed();
    Path stored = folder.resolve("data/objects").resolve(rig.ask("select key from file"));
    Files.delete(stored);
    Path inTheWay = Files.createFile(Files.createDirectory(stored).resolve("x"));

    Answer deleted = client.delete("/api/jobs/" + id).expect(200);

    assertThat(deleted.json().path("files").toString())
        .isEqualTo("{\"removed\":0,\"bytes\":0,\"failed\":1}");
    client.get("/api/jobs/" + id).problem(404, "not_found");
    assertThat(rig.ask("select input from job_input")).isEqualTo("{}");
    assertThat(rig.ask("select count(*) from job where cleaned_at is not null")).isEqualTo("0");

    Files.delete(inTheWay);
    rig.database().execute("update job set deleted_at = deleted_at - interval '1 hour'");
    rig.restart();
    awaitCleaned();
    assertThat(rig.ask("select count(*) from file where deleted_at is null")).isEqualTo("0");
    client = rig.admin();
  }
}
