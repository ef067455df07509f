package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.FleetRig;
import dev.millrace.server.rig.FleetRig.Work;
import dev.millrace.server.rig.FleetRig.Worker;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Why a job waits, how full its queue is, and how fast it goes. */
@Timeout(180)
class WhyApiPgTest {

  @TempDir Path folder;

  private ServerRig rig;
  private Client client;

  @BeforeEach
  void start() {
    rig = FleetRig.start(folder, "TENANT_CONCURRENCY=2", "BACKOFF_BASE_SECONDS=60");
    client = rig.admin();
  }

  @AfterEach
  void stop() {
    rig.examine();
    rig.close();
  }

  private String submit(String... more) {
    String fields = more.length == 0 ? "" : "," + String.join(",", more);
    return client
        .post(
            "/api/jobs", "{\"effect\":\"upscale/one\",\"input\":{\"prompt\":\"x\"}" + fields + "}")
        .expect(201)
        .at("/id");
  }

  private Answer why(String id) {
    return client.get("/api/jobs/" + id + "/why").expect(200);
  }

  @Test
  void each_reason_is_told_while_it_holds() {
    String later = Instant.now().plusSeconds(3_600).toString();
    Answer scheduled = why(submit("\"run_at\":\"" + later + "\""));
    assertThat(scheduled.at("/cause")).isEqualTo("scheduled");
    assertThat(Instant.parse(scheduled.at("/until"))).isAfter(Instant.now());

    String first = submit();
    assertThat(why(first).at("/cause")).isEqualTo("no_capable_worker");
    client.post("/api/admin/workflows/upscale/pause", "").expect(200);
    assertThat(why(first).at("/cause")).isEqualTo("paused");
    client.post("/api/admin/workflows/upscale/resume", "").expect(200);

    Worker worker = FleetRig.worker(client, "w", 10, "upscale");
    String second = submit();
    String third = submit();
    assertThat(why(first).at("/cause")).isEqualTo("next");
    assertThat(why(first).at("/position")).isEqualTo("1");
    assertThat(why(third).at("/cause")).isEqualTo("tenant_share");
    assertThat(why(third).at("/position")).isEqualTo("3");

    var jobs = worker.poll(10, 0).expect(200).json().path("jobs");
    assertThat(jobs).as("the tenant's cap").hasSize(2);
    assertThat(why(first).at("/cause")).isEqualTo("not_waiting");
    assertThat(why(third).at("/cause")).isEqualTo("concurrency_cap");
    new Work(worker, jobs.get(0)).complete("x").expect(200);
    assertThat(why(third).at("/cause")).isEqualTo("next");
    new Work(worker, jobs.get(1))
        .tell("fail", "\"error_class\":\"retryable\"", "\"retry_after_seconds\":600")
        .expect(200);
    assertThat(why(second).at("/cause")).isEqualTo("backing_off");
    assertThat(Instant.parse(why(second).at("/until"))).isAfter(Instant.now().plusSeconds(300));
  }

  @Test
  void the_queues_are_numbers_that_an_autoscaler_can_find() {
    FleetRig.worker(client, "w", 3, "upscale");
    submit();
    submit();
    Answer all = client.get("/api/admin/queues").expect(200);
    assertThat(all.at("/workflows/upscale/depth")).isEqualTo("2");
    assertThat(all.at("/workflows/upscale/idle_workers")).isEqualTo("1");
    assertThat(all.at("/workflows/upscale/idle_slots")).isEqualTo("3");
    assertThat(all.at("/workflows/caption/depth")).isEqualTo("0");
    assertThat(all.at("/depth")).isEqualTo("2");
    assertThat(client.get("/api/admin/queues/upscale").expect(200).at("/depth")).isEqualTo("2");
    client.get("/api/admin/queues/nothing").problem(404, "not_found");
    await()
        .untilAsserted(() ->
            assertThat(rig.withoutKey().get("/metrics").expect(200).text())
                .contains("millrace_queue_depth{workflow=\"upscale\"} 2.0")
                .contains("millrace_queue_slots_idle{workflow=\"upscale\"} 3.0"));
  }

  @Test
  void an_effect_shows_how_long_its_jobs_take_and_a_job_when_it_may_start() {
    Worker worker = FleetRig.worker(client, "w", 1, "upscale");
    assertThat(client.get("/api/effects/upscale/one").expect(200).at("/processing_seconds"))
        .isEmpty();
    submit();
    worker.lease().complete("x").expect(200);
    await()
        .until(
            () -> !client.get("/api/effects/upscale/one").at("/processing_seconds/p50").isEmpty());
    Answer effect = client.get("/api/effects/upscale/one").expect(200);
    assertThat(effect.json().path("last_processing_seconds").asDouble()).isBetween(0.0, 60.0);
    submit();
    worker.lease();
    Instant asked = Instant.now();
    Answer waiting = why(submit());
    assertThat(waiting.at("/cause")).isEqualTo("next");
    assertThat(Instant.parse(waiting.at("/estimated_start_at"))).isAfter(asked.minusSeconds(5));
  }
}
