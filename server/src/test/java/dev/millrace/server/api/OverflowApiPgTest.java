package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.FleetRig;
import dev.millrace.server.rig.FleetRig.Worker;
import dev.millrace.server.rig.ServerRig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The own fleet first; what waits too long there goes elsewhere, unless it is too dear. */
@Timeout(120)
class OverflowApiPgTest {

  private static final String OWN =
      """
      workflow: own
      title: The fleet
      executor: worker
      properties:
        prompt: {type: string}
        variants: {type: integer, maximum: 8, default: 1}
        width: {type: integer, default: 256}
        height: {type: integer, default: 256}
      effects:
        - effect: own/hasty
          title: Hasty
          credits_cost: 2
          overflow:
            - {workflow: elsewhere, after_seconds: 0, cost: 2}
        - effect: own/patient
          title: Patient
          credits_cost: 2
          overflow:
            - {workflow: elsewhere, after_seconds: 3600}
        - effect: own/dear
          title: Dear
          credits_cost: 1
          price: {per: output, most: variants}
          overflow:
            - {workflow: elsewhere, after_seconds: 0, cost: 3, max_cost: 10}
      """;

  private static final String ELSEWHERE =
      """
      workflow: elsewhere
      title: The cloud
      executor: sketch
      properties:
        prompt: {type: string}
        variants: {type: integer, default: 1}
        width: {type: integer, default: 256}
        height: {type: integer, default: 256}
      """;

  @TempDir Path folder;
  private List<String> settings = List.of();
  private ServerRig rig;
  private Client client;

  @BeforeEach
  void start() throws IOException {
    Path catalogue = Files.createDirectories(folder.resolve("catalogue"));
    Files.writeString(catalogue.resolve("own.yaml"), OWN);
    Files.writeString(catalogue.resolve("elsewhere.yaml"), ELSEWHERE);
    settings =
        List.of(
            "CATALOGUE_DIR=" + catalogue,
            "WELCOME_CREDITS=1000",
            "FLEET_SECRET=" + FleetRig.SECRET);
    rig = ServerRig.start(folder, settings.toArray(String[]::new));
    client = rig.admin();
  }

  @AfterEach
  void stop() {
    rig.examine();
    rig.close();
  }

  private String submit(String effect, int variants) {
    return client
        .post(
            "/api/jobs",
            """
            {"effect":"%s","input":{"prompt":"a rig","variants":%d}}
            """
                .formatted(effect, variants))
        .expect(201)
        .at("/id");
  }

  private String state(String job) {
    return client.get("/api/jobs/" + job).expect(200).at("/state");
  }

  private void completes(String job) {
    await().untilAsserted(() -> assertThat(state(job)).isEqualTo("completed"));
  }

  @Test
  void a_job_that_no_worker_takes_is_made_elsewhere_and_paid_once() {
    String job = submit("own/hasty", 1);
    completes(job);
    assertThat(client.get("/api/jobs/" + job + "/events").expect(200).text())
        .contains("Sent to The cloud, where it can start sooner");
    assertThat(rig.ask("select slug from workflow w join job j on j.workflow_id = w.id"))
        .isEqualTo("elsewhere");
    assertThat(rig.ask("select sum(amount) from ledger where job_id is not null")).isEqualTo("-2");
  }

  @Test
  void who_waits_by_choice_is_the_fleets_and_so_is_what_would_cost_too_much() {
    String patient = submit("own/patient", 1);
    String dear = submit("own/dear", 4);
    completes(submit("own/dear", 3));
    assertThat(state(patient)).isEqualTo("queued");
    assertThat(state(dear)).isEqualTo("queued");
    Worker worker = FleetRig.worker(client, "w", 10, "own");
    assertThat(worker.poll(10, 0).expect(200).json().path("jobs"))
        .extracting(job -> job.path("job_id").asString())
        .containsExactlyInAnyOrder(patient, dear);
  }

  @Test
  void nothing_goes_to_a_queue_that_is_paused() {
    client.post("/api/admin/workflows/elsewhere/pause", "").expect(200);
    // Whoever looked for room before the pause may still send; a new server only looks after it.
    rig.restart(settings.toArray(String[]::new));
    client = rig.admin();
    String job = submit("own/hasty", 1);
    String because = client.get("/api/jobs/" + job + "/why").expect(200).at("/cause");
    assertThat(because).isEqualTo("no_capable_worker");
    client.post("/api/admin/workflows/elsewhere/resume", "").expect(200);
    completes(job);
  }
}
