package dev.millrace.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.testkit.comfy.FakeComfyUi;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The platform's own worker, in Python, as it would move over: against a server and a ComfyUI. */
class VideosPythonWorkerPgTest {

  @TempDir Path folder;

  private final FakeComfyUi comfy = new FakeComfyUi();
  private ServerRig rig;
  private Client user;
  private final List<Process> workers = new ArrayList<>();
  private int started;

  @BeforeEach
  void start() throws IOException {
    rig = VideosRig.start(folder);
    rig.credit("maker", 20);
    user = rig.boundTo("maker");
  }

  @AfterEach
  void stop() {
    workers.forEach(Process::destroyForcibly);
    rig.examine();
    rig.close();
    comfy.close();
  }

  private Process worker() throws IOException {
    ProcessBuilder python =
        new ProcessBuilder(
            "python3", Path.of("../examples/videos-worker/worker.py").toAbsolutePath().toString());
    python
        .environment()
        .putAll(
            Map.of(
                "API_BASE_URL",
                rig.url("/videos"),
                "FLEET_SECRET",
                VideosRig.SECRET,
                "WORKER_ID",
                "i-" + ++started,
                "WORKFLOW_SLUGS",
                "face-swap",
                "COMFYUI_BASE_URL",
                comfy.url().toString(),
                "POLL_INTERVAL_SECONDS",
                "0.05",
                "HISTORY_INTERVAL_SECONDS",
                "0.05",
                "HEARTBEAT_INTERVAL_SECONDS",
                "0.2"));
    python.redirectErrorStream(true).redirectOutput(log(started).toFile());
    Process process = python.start();
    workers.add(process);
    return process;
  }

  private Path log(int worker) {
    return folder.resolve("worker-" + worker + ".log");
  }

  private String logged() throws IOException {
    StringBuilder all = new StringBuilder();
    for (int i = 1; i <= started; i++) {
      all.append(Files.readString(log(i)));
    }
    return all.toString();
  }

  private void end(Process worker) throws InterruptedException, IOException {
    worker.destroy(); // SIGTERM
    assertThat(worker.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(worker.exitValue()).as(logged()).isZero();
    assertThat(logged()).contains("\"deregistered\"");
  }

  private Answer await(String video, String status) {
    return Awaitility.await()
        .atMost(Duration.ofSeconds(40))
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> user.get("/api/videos/" + video).expect(200),
            answer -> answer.at("/status").equals(status));
  }

  @Test
  void it_makes_videos_and_uploads_what_they_share_once() throws Exception {
    Process worker = worker();
    String first = VideosRig.video(user);
    VideosRig.apply(user, first, "first", "\"prompt\":\"a fox\"").expect(201);
    Answer done = await(first, "completed");
    // Another node saves a picture of it; the one that the workflow names makes the film.
    assertThat(
            new String(
                user.get(done.at("/processed_file_url")).expect(200).bytes(),
                StandardCharsets.UTF_8))
        .contains("ftyp", "SaveVideo of ");
    assertThat(comfy.uploads()).isEqualTo(2);
    assertThat(comfy.posted().getFirst().at("/prompt/4/inputs/text").asString()).isEqualTo("a fox");

    String second = VideosRig.video(user);
    VideosRig.apply(user, second, "second", "").expect(201);
    await(second, "completed");
    assertThat(comfy.uploads()).isEqualTo(3);
    end(worker);
    assertThat(user.balance()).isEqualTo(14);
    // The next one's progress is estimated by it. It is written down every few seconds.
    Awaitility.await()
        .until(
            () -> user.get("/api/videos/" + second).json(),
            shown -> shown.at("/effect/last_processing_time_seconds").isNumber());
  }

  @Test
  void a_machine_that_goes_away_gives_its_job_to_the_next() throws Exception {
    Process worker = worker();
    String video = VideosRig.video(user);
    String job = VideosRig.apply(user, video, "spot", "\"seconds\":60").expect(201).at("/id");
    Awaitility.await().until(comfy::busy);
    end(worker);
    await(video, "queued");
    assertThat(rig.as("admin").job(job).json().path("interruptions").asInt()).isEqualTo(1);

    comfy.release();
    Process next = worker();
    await(video, "completed");
    end(next);
  }

  @Test
  void it_stops_when_nobody_wants_the_result_any_more() throws Exception {
    Process worker = worker();
    comfy.killExecutor();
    String video = VideosRig.video(user);
    VideosRig.apply(user, video, "bad", "\"seconds\":60").expect(201);
    Awaitility.await().until(() -> !comfy.posted().isEmpty());
    rig.as("admin")
        .post("/api/jobs/" + user.get("/api/videos/" + video).at("/ai_job_id") + "/cancel", "")
        .expect(200);
    // It hears with its next heartbeat that nobody wants the result any more.
    Awaitility.await().until(() -> logged().contains("\"stopped\""));
    end(worker);
    assertThat(user.balance()).isEqualTo(20);
  }
}
