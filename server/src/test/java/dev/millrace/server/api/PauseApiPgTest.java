package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is paused is taken in and waits, and nothing of it is lost. */
class PauseApiPgTest {

  private static final String HASTY =
      """
      workflow: hasty
      title: Hasty
      executor: sketch
      properties:
        prompt: {type: string, maxLength: 200}
        width: {type: integer, default: 256}
        height: {type: integer, default: 256}
      limits: {queue_seconds: 12}
      effects:
        - effect: hasty/one
          title: One
          credits_cost: 1
        - effect: hasty/two
          title: Two
          credits_cost: 1
      """;

  @TempDir Path folder;
  private ServerRig rig;
  private Client client;

  @BeforeEach
  void start() throws IOException {
    Path catalogue = Files.createDirectories(folder.resolve("catalogue"));
    Files.writeString(catalogue.resolve("hasty.yaml"), HASTY);
    rig = ServerRig.start(folder, "CATALOGUE_DIR=" + catalogue, "WELCOME_CREDITS=10");
    client = rig.admin();
  }

  @AfterEach
  void stop() {
    rig.examine();
    rig.close();
  }

  private Answer change(String what) {
    return client.post("/api/admin/" + what, "").expect(200);
  }

  private boolean paused(String effect) {
    return client.get("/api/effects/" + effect).expect(200).json().path("paused").asBoolean();
  }

  @Test
  void a_paused_effect_waits_beyond_its_deadline_and_goes_on_when_resumed() {
    Answer paused = change("effects/hasty/one/pause");
    assertThat(paused.at("/slug") + " " + paused.at("/paused")).isEqualTo("hasty/one true");
    assertThat(change("effects/hasty%2Fone/pause").at("/paused_at"))
        .isEqualTo(paused.at("/paused_at"));
    assertThat(paused("hasty/one")).isTrue();
    assertThat(paused("hasty/two")).isFalse();

    String waiting = client.asked("hasty/one", "\"prompt\":\"sea\"");
    String other = client.asked("hasty/two", "\"prompt\":\"sea\"");
    client.awaitJob(other, "completed");
    Instant deadline = Instant.parse(client.job(waiting).at("/deadline_at"));
    await().until(() -> Instant.now().isAfter(deadline.plusSeconds(1)));
    assertThat(client.job(waiting).at("/state")).isEqualTo("queued");
    rig.examine();

    assertThat(change("effects/hasty/one/resume").at("/paused")).isEqualTo("false");

    client.awaitJob(waiting, "completed");
    assertThat(paused("hasty/one")).isFalse();
    assertThat(client.balance()).isEqualTo(8);
  }

  @Test
  void a_paused_workflow_holds_all_its_effects_and_no_others() {
    change("workflows/sketch/pause");
    assertThat(paused("sketch/draft")).isTrue();
    assertThat(paused("sketch/sheet")).isFalse();

    String waiting = client.submitted();
    String other = client.asked("sketch/sheet", "\"items\":[\"a\"]");
    client.awaitJob(other, "completed");
    assertThat(client.job(waiting).at("/state")).isEqualTo("queued");

    change("workflows/sketch/resume");
    client.awaitJob(waiting, "completed");
    assertThat(rig.ask("select count(*) from audit where action like 'workflow.%'")).isEqualTo("2");
  }

  @Test
  void a_pause_outlives_a_restart_and_a_waiting_job_can_still_be_canceled() {
    change("effects/sketch/draft/pause");
    String id = client.submitted();
    Path catalogue = folder.resolve("catalogue");
    rig.restart("CATALOGUE_DIR=" + catalogue);
    client = rig.admin();

    assertThat(paused("sketch/draft")).isTrue();
    assertThat(client.post("/api/jobs/" + id + "/cancel", "").expect(200).at("/state"))
        .isEqualTo("canceled");
    assertThat(client.balance()).isEqualTo(10);
  }

  @Test
  void resuming_what_runs_changes_nothing() {
    assertThat(change("effects/hasty/one/resume").at("/paused")).isEqualTo("false");
    assertThat(rig.ask("select resumed_at from effect where slug = 'hasty/one'")).isEqualTo("null");
  }

  @Test
  void what_is_unknown_is_not_found_and_only_admins_may_pause() {
    client.post("/api/admin/effects/no/such/pause", "").problem(404, "not_found");
    client.post("/api/admin/workflows/nothing/resume", "").problem(404, "not_found");
    Client reviewer = rig.as("reviewer");
    reviewer.post("/api/admin/effects/hasty/one/pause", "").problem(403, "forbidden");
    reviewer.post("/api/admin/workflows/hasty/pause", "").problem(403, "forbidden");
    assertThat(paused("hasty/one")).isFalse();
  }
}
