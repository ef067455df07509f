package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.FleetRig;
import dev.millrace.server.rig.FleetRig.Worker;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker that can't run anything says so, stays in the fleet, and counts for nothing. */
class ReadinessApiPgTest {

  private static final String ILL =
      "{\"wait\":0,\"ready\":false,\"reason\":\"comfyui doesn't answer\"}";

  @TempDir Path folder;

  private ServerRig rig;
  private Client client;

  @BeforeEach
  void start() {
    rig = FleetRig.start(folder);
    client = rig.admin();
  }

  @AfterEach
  void stop() {
    rig.examine();
    rig.close();
  }

  private String submit() {
    return client
        .post("/api/jobs", "{\"effect\":\"upscale/one\",\"input\":{\"prompt\":\"x\"}}")
        .expect(201)
        .at("/id");
  }

  @Test
  void a_worker_that_is_not_ready_gets_nothing_and_is_no_idle_one() {
    Worker worker = FleetRig.worker(client, "w", 3, "upscale");
    String job = submit();
    assertThat(worker.call("poll", ILL).expect(200).json().path("jobs")).isEmpty();

    Answer shown = client.get("/api/admin/workers/w").expect(200);
    assertThat(shown.at("/ready")).isEqualTo("false");
    assertThat(shown.at("/not_ready_reason")).isEqualTo("comfyui doesn't answer");
    assertThat(shown.at("/status")).isEqualTo("approved");
    Answer queue = client.get("/api/admin/queues/upscale").expect(200);
    assertThat(queue.at("/idle_workers")).isEqualTo("0");
    assertThat(queue.at("/idle_slots")).isEqualTo("0");
    assertThat(queue.at("/not_ready_workers")).isEqualTo("1");
    Answer why = client.get("/api/jobs/" + job + "/why").expect(200);
    assertThat(why.at("/cause")).isEqualTo("no_capable_worker");
    assertThat(why.at("/message")).contains("ready");

    assertThat(worker.poll(1, 0).expect(200).json().path("jobs")).hasSize(1);
    assertThat(client.get("/api/admin/workers/w").expect(200).at("/ready")).isEqualTo("true");
    assertThat(client.get("/api/admin/workers/w").expect(200).json().has("not_ready_reason"))
        .isFalse();
    Answer after = client.get("/api/admin/queues/upscale").expect(200);
    assertThat(after.at("/idle_slots")).isEqualTo("2");
    assertThat(after.at("/not_ready_workers")).isEqualTo("0");
  }

  @Test
  void a_poll_that_waits_is_given_nothing_once_its_worker_says_that_it_is_not_ready()
      throws Exception {
    Worker worker = FleetRig.worker(client, "w", 1, "upscale");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Answer> waiting = threads.submit(() -> worker.poll(1, 30));
      await()
          .until(() -> {
            worker.call("poll", ILL).expect(200);
            return waiting.isDone();
          });
      assertThat(waiting.get().expect(200).json().path("jobs")).isEmpty();
    }
    submit();
    assertThat(worker.call("poll", ILL).expect(200).json().path("jobs")).isEmpty();
    assertThat(client.get("/api/admin/queues/upscale").expect(200).at("/running")).isEqualTo("0");
  }

  @Test
  void what_makes_no_sense_is_refused() {
    Worker worker = FleetRig.worker(client, "w", 1, "upscale");
    worker.call("poll", "{\"ready\":\"no\"}").problem(422, "invalid_request");
    worker.call("poll", "{\"ready\":false}").expect(200);
    assertThat(client.get("/api/admin/workers/w").expect(200).at("/not_ready_reason")).isNotEmpty();
  }
}
