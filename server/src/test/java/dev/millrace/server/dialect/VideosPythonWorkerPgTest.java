package dev.millrace.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.testkit.aws.FakeAutoScaling;
import dev.millrace.testkit.aws.FakeImds;
import dev.millrace.testkit.comfy.FakeComfyCloud;
import dev.millrace.testkit.comfy.FakeComfyUi;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/** The platform's own worker, in Python, as it would move over: against a server and a ComfyUI. */
class VideosPythonWorkerPgTest {

  private static final Path EXAMPLE = Path.of("../examples/videos-worker").toAbsolutePath();

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

  private Process worker(String... more) throws IOException {
    ProcessBuilder python =
        new ProcessBuilder("python3", "-B", EXAMPLE.resolve("worker.py").toString());
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
    for (int i = 0; i < more.length; i += 2) {
      python.environment().put(more[i], more[i + 1]);
    }
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

  @Test
  void what_belongs_to_the_cloud_is_made_there_and_its_storage_never_sees_the_key()
      throws Exception {
    try (FakeComfyCloud cloud = new FakeComfyCloud()) {
      cloud.statuses("waiting_to_dispatch", "in_progress", "completed");
      Process worker = worker(cloudSettings(cloud));
      String video = VideosRig.video(user);
      VideosRig.apply(user, "face-cloud/one", video, "cloud", "\"prompt\":\"a fox\"").expect(201);
      Answer done = await(video, "completed");
      assertThat(user.get(done.at("/processed_file_url")).expect(200).header("content-type"))
          .contains("image/png");
      assertThat(cloud.graphs().getFirst().at("/4/inputs/text").asString()).isEqualTo("a fox");
      assertThat(cloud.leaked()).isFalse();

      cloud.statuses("in_progress", "error");
      String second = VideosRig.video(user);
      VideosRig.apply(user, "face-cloud/one", second, "bad", "").expect(201);
      assertThat(await(second, "failed").at("/error")).contains("Comfy Cloud");
      end(worker);
      assertThat(user.balance()).isEqualTo(17);
    }
  }

  private static String[] cloudSettings(FakeComfyCloud cloud) {
    return new String[] {
      "WORKFLOW_SLUGS",
      "face-cloud",
      "PROVIDERS",
      "self_hosted,cloud",
      "COMFY_CLOUD_BASE_URL",
      cloud.url().toString(),
      "COMFY_CLOUD_API_KEY",
      FakeComfyCloud.KEY
    };
  }

  @Test
  void its_machine_is_protected_while_a_job_runs_and_a_notice_ends_it() throws Exception {
    try (FakeImds machine = new FakeImds();
        FakeAutoScaling group = new FakeAutoScaling(FakeImds.INSTANCE)) {
      Process worker =
          worker(
              "METADATA_URL",
              machine.url().toString(),
              "AUTO_SCALING_GROUP",
              FakeAutoScaling.GROUP,
              "AUTO_SCALING_URL",
              group.url().toString(),
              "SPOT_INTERVAL_SECONDS",
              "0.05");
      String first = VideosRig.video(user);
      VideosRig.apply(user, first, "first", "").expect(201);
      await(first, "completed");
      Awaitility.await().until(() -> group.protections().equals(List.of(true, false)));

      group.fail(2);
      String second = VideosRig.video(user);
      VideosRig.apply(user, second, "second", "\"seconds\":60").expect(201);
      Awaitility.await().until(comfy::busy);
      machine.interrupt();
      assertThat(worker.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(logged()).contains("\"not_protected\"", "\"stopped\"", "\"deregistered\"");
      await(second, "queued");
    }
  }

  @Test
  void aws_reads_its_signature_as_its_own() throws Exception {
    String form = "Action=SetInstanceProtection&Version=2011-01-01";
    Process python =
        new ProcessBuilder(
                "python3",
                "-B",
                "-c",
                "import json, sys; from ec2 import signed; print(signed(sys.argv[1],"
                    + " sys.argv[2].encode(), '20260302T010203Z', 'us-east-1',"
                    + " json.loads(sys.argv[3]))['authorization'])",
                "https://autoscaling.us-east-1.amazonaws.com",
                form,
                FakeImds.CREDENTIALS)
            .directory(EXAMPLE.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    SdkHttpRequest request =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.POST)
            .uri(URI.create("https://autoscaling.us-east-1.amazonaws.com/"))
            .putHeader("content-type", "application/x-www-form-urlencoded; charset=utf-8")
            .build();
    SignedRequest signed =
        AwsV4HttpSigner.create()
            .sign(sign ->
                sign.identity(
                        AwsSessionCredentialsIdentity.create(
                            "ASIAEXAMPLE", "not-a-secret", "session"))
                    .request(request)
                    .payload(ContentStreamProvider.fromUtf8String(form))
                    .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "autoscaling")
                    .putProperty(AwsV4HttpSigner.REGION_NAME, "us-east-1")
                    .putProperty(
                        HttpSigner.SIGNING_CLOCK,
                        Clock.fixed(Instant.parse("2026-03-02T01:02:03Z"), ZoneOffset.UTC)));
    assertThat(said.strip())
        .isEqualTo(signed.request().firstMatchingHeader("Authorization").orElseThrow());
  }
}
