package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What a client writes on a job is found in it again, and decides nothing. */
class JobNotesApiPgTest {

  private static final String NOTED =
      """
      {"effect": "sketch/draft", "input": {"prompt": "a fox", "delay_seconds": 60}, "idempotency_key": "%s",
       "metadata": {"order": 4711, "tags": ["a", "b"]}, "related": {"type": "product", "id": "p-1"}}
      """;

  @TempDir static Path folder;
  private static ServerRig rig;
  private static Client admin;

  @BeforeAll
  static void start() {
    rig = ServerRig.start(folder);
    admin = rig.as("admin");
    rig.credit("default", 1_000);
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  private static void requireNotes(JsonNode job) {
    assertThat(job.path("metadata").toString())
        .isEqualTo("{\"tags\":[\"a\",\"b\"],\"order\":4711}");
    assertThat(job.at("/related/type").stringValue()).isEqualTo("product");
    assertThat(job.at("/related/id").stringValue()).isEqualTo("p-1");
  }

  @Test
  void what_was_written_on_a_job_is_shown_with_it_wherever_it_is_shown() {
    String id = admin.post("/api/jobs", NOTED.formatted("shown")).expect(201).at("/id");

    requireNotes(admin.get("/api/jobs/" + id).json());
    JsonNode listed =
        admin
            .get("/api/jobs")
            .json()
            .path("items")
            .valueStream()
            .filter(job -> job.path("id").stringValue().equals(id))
            .findFirst()
            .orElseThrow();
    requireNotes(listed);
  }

  @Test
  void a_retry_has_the_notes_of_what_it_does_again() {
    String id = admin.post("/api/jobs", NOTED.formatted("again")).expect(201).at("/id");
    admin.post("/api/jobs/" + id + "/cancel", "");
    admin.awaitJob(id, "canceled", "completed");

    Answer retry = admin.post("/api/jobs/" + id + "/retry", "");
    requireNotes(admin.get("/api/jobs/" + retry.at("/id")).json());
  }

  @Test
  void other_notes_make_no_other_request_of_it() {
    String body = NOTED.formatted("same");
    String id = admin.post("/api/jobs", body).expect(201).at("/id");

    Answer again = admin.post("/api/jobs", body.replace("4711", "4712")).expect(200);
    assertThat(again.at("/id")).isEqualTo(id);
    requireNotes(again.json());
  }

  @Test
  void each_job_of_a_batch_has_its_own() {
    Answer batch =
        admin.post(
            "/api/batches",
            """
            {"jobs": [{"effect": "sketch/draft", "input": {"prompt": "1"}, "metadata": {"line": 1}},
                      {"effect": "sketch/draft", "input": {"prompt": "2"}}]}
            """);
    batch.expect(201);
    JsonNode jobs = admin.get("/api/jobs?batch=" + batch.at("/id")).json().path("items");
    assertThat(jobs.get(1).path("metadata").toString()).isEqualTo("{\"line\":1}");
    assertThat(jobs.get(0).path("metadata").toString()).isEqualTo("{}");
  }

  @Test
  void what_is_too_long_or_of_another_kind_is_refused_with_its_path() {
    String many = "x".repeat(4_100);
    for (String wrong :
        new String[] {
          "\"metadata\": [1]",
          "\"metadata\": {\"a\": \"%s\"}".formatted(many),
          "\"related\": \"p-1\"",
          "\"related\": {\"type\": \"product\"}",
          "\"related\": {\"type\": \"product\", \"id\": \"1\", \"more\": 1}"
        }) {
      Answer refused =
          admin.post(
              "/api/jobs",
              "{\"effect\": \"sketch/draft\", \"input\": {\"prompt\": \"x\"}, %s}"
                  .formatted(wrong));
      refused.problem(422, "invalid_request");
      assertThat(refused.wrongPaths()).containsAnyOf("/metadata", "/related");
    }
  }

  @Test
  void a_deleted_job_leaves_no_notes_behind() {
    String id = admin.post("/api/jobs", NOTED.formatted("gone")).expect(201).at("/id");
    admin.post("/api/jobs/" + id + "/cancel", "");
    admin.awaitJob(id, "canceled", "completed");
    admin.delete("/api/jobs/" + id);

    assertThat(rig.ask("select notes is null from job_input where job_id = '" + id + "'"))
        .isEqualTo("t");
  }
}
