package dev.millrace.cli.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.testkit.aws.FakeImds;
import dev.millrace.testkit.comfy.FakeComfyUi;
import dev.millrace.testkit.net.KeptPort;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A whole fleet: a server, a store that speaks S3, a ComfyUI, and three workers, of which one is
 * killed and one gets a Spot notice. The server is killed, too. Nothing is lost or paid twice.
 */
@Timeout(300)
class FleetEndToEndTest {

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String SECRET = "the-secret-of-this-fleet-is-32-long";
  private static final int JOBS = 60;
  private static final int COST = 2;
  private static final List<String> WORKFLOWS = List.of("invert", "clip", "render");

  @TempDir Path folder;

  private final FakeComfyUi comfy = new FakeComfyUi();
  private final FakeImds machine = new FakeImds();
  private Bucket bucket;
  private Installation installation;
  private Path go;
  private Path begun;

  @BeforeEach
  void prepare() throws Exception {
    bucket = Bucket.open();
    go = folder.resolve("go");
    begun = Files.createDirectories(folder.resolve("begun"));
    Path catalogue = Files.createDirectories(folder.resolve("catalogue"));
    write(catalogue, "invert", "comfyui", "image: {type: file}", INVERT);
    write(catalogue, "clip", "comfyui", "color: {type: integer}", CLIP);
    write(catalogue, "render", "command", "scene: {type: string}", "");
    installation = new Installation(folder);
    bucket.serve(installation);
    installation
        .set("HTTP_PORT", Integer.toString(KeptPort.next()))
        .set("CATALOGUE_DIR", catalogue.toString())
        .set("FLEET_SECRET", SECRET)
        .set("EXECUTOR_SLOTS", "0");
  }

  @AfterEach
  void end() throws Exception {
    Files.writeString(go, "");
    installation.close();
    bucket.close();
    comfy.close();
    machine.close();
  }

  @Test
  void sixty_jobs_survive_a_killed_worker_a_spot_notice_and_a_killed_server() throws Exception {
    RunningServer server = installation.start();
    Client client = server.client();
    submit(client);
    try (RunningWorker doomed = worker(client, "doomed", Map.of());
        RunningWorker spot = worker(client, "spot", onEc2());
        RunningWorker steady = worker(client, "steady", Map.of())) {
      // Each slot is in the middle of something that ends only when it may.
      await().atMost(LIMIT).until(() -> rendering(client) == 6 && begun() == 6);
      assertThat(held(client, "doomed")).isEqualTo(2);

      doomed.sigkill();
      machine.interrupt();
      assertThat(spot.awaitExit()).isZero();
      assertThat(held(client, "steady")).isEqualTo(2);
      assertThat(workers(client)).doesNotContain("spot");
      server.sigkill();
      installation.start();
      Files.writeString(go, "");

      await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(500))
          .until(() -> client.count("completed") == JOBS);
      assertThat(steady.sigterm()).isEqualTo(143);
    }
    everyJobWasPaidOnceAndNoneFailed(client);
    everyOutputIsInTheBucket(client);
    twoWereGivenBackForSpot(client);
    assertThat(comfy.uploads())
        .as("the same picture goes to ComfyUI once per worker")
        .isLessThan(4);
    client.requireHealth();
  }

  private void submit(Client client) throws Exception {
    ImageIO.write(
        new BufferedImage(64, 48, BufferedImage.TYPE_INT_RGB),
        "png",
        installation.work().resolve("photo.png").toFile());
    String photo =
        ApiJson.text(
            installation.cli("files", "upload", "photo.png", "--json").exits(0).json(), "id");
    for (int i = 0; i < JOBS; i++) {
      String workflow = WORKFLOWS.get(i % WORKFLOWS.size());
      ObjectNode job = ApiJson.object().put("effect", workflow + "/plain");
      ObjectNode input = job.putObject("input");
      switch (workflow) {
        case "invert" -> input.put("image", photo);
        case "clip" -> input.put("color", i);
        default -> input.put("scene", "scene \"" + i + "\"");
      }
      client.submit(job, "job-" + i);
    }
  }

  private RunningWorker worker(Client client, String id, Map<String, String> more)
      throws IOException {
    Map<String, String> settings = new TreeMap<>();
    settings.put("MILLRACE_URL", client.url().toString());
    settings.put("MILLRACE_FLEET_SECRET", SECRET);
    settings.put("WORKFLOWS", String.join(",", WORKFLOWS));
    settings.put("SLOTS", "2");
    settings.put("COMFYUI_URL", comfy.url().toString());
    settings.put("COMFYUI_POLL_MILLIS", "100");
    Path script = folder.resolve("render.sh");
    // It waits until it may end: so the test decides when a worker is in the middle of a job.
    Files.writeString(
        script,
        """
        touch '%s'/$$
        for i in $(seq 1200); do [ -e '%s' ] && break; sleep 0.1; done
        echo '{"progress": 50, "step": "rendering"}'
        cat > out/result.json
        """
            .formatted(begun, go));
    settings.put("COMMAND", "sh '" + script + "'");
    settings.put("SPOT", "off");
    settings.put("LOG_FORMAT", "text");
    settings.putAll(more);
    return RunningWorker.start(folder.resolve("workers"), id, settings);
  }

  private Map<String, String> onEc2() {
    return Map.of(
        "SPOT", "on",
        "SPOT_POLL_MILLIS", "200",
        "AWS_EC2_METADATA_SERVICE_ENDPOINT", machine.url().toString());
  }

  private static long rendering(Client client) throws IOException, InterruptedException {
    return client.jobs().stream()
        .filter(job -> ApiJson.text(job, "state").equals("running"))
        .filter(job -> ApiJson.text(job, "workflow").equals("render"))
        .count();
  }

  /** How many programs run: that a job was given away doesn't mean that its worker has it. */
  private long begun() throws IOException {
    try (Stream<Path> programs = Files.list(begun)) {
      return programs.count();
    }
  }

  private static long held(Client client, String worker) throws IOException, InterruptedException {
    return ApiJson.number(client.get("/api/admin/workers/" + worker), "held");
  }

  private static List<String> workers(Client client) throws IOException, InterruptedException {
    return client
        .get("/api/admin/workers")
        .path("items")
        .valueStream()
        .map(worker -> ApiJson.text(worker, "worker_id"))
        .toList();
  }

  private static void everyJobWasPaidOnceAndNoneFailed(Client client) throws Exception {
    assertThat(client.jobs())
        .hasSize(JOBS)
        .allSatisfy(job -> assertThat(ApiJson.number(job, "failures")).isZero())
        .anySatisfy(job -> assertThat(ApiJson.number(job, "interruptions")).isPositive());
    JsonNode wallet = client.get("/api/wallet");
    assertThat(ApiJson.number(wallet, "balance")).isEqualTo(1000 - JOBS * COST);
    assertThat(ApiJson.number(wallet, "reserved")).isZero();
    Map<String, List<String>> movements =
        client
            .get("/api/wallet/ledger?limit=500")
            .path("items")
            .valueStream()
            .filter(line -> !ApiJson.text(line, "job_id").isEmpty())
            .collect(
                Collectors.groupingBy(
                    line -> ApiJson.text(line, "job_id"),
                    Collectors.mapping(line -> ApiJson.text(line, "type"), Collectors.toList())));
    assertThat(movements).hasSize(JOBS);
    assertThat(movements.values())
        .allSatisfy(
            types -> assertThat(types).containsExactlyInAnyOrder("job_reserve", "job_consume"));
  }

  private void everyOutputIsInTheBucket(Client client) throws Exception {
    List<String> keys = bucket.keys();
    for (JsonNode job : client.jobs()) {
      assertThat(job.path("outputs").size()).isEqualTo(1);
      JsonNode output = job.path("outputs").get(0);
      String place =
          "tenants/default/jobs/%s/attempt-%d/output-%s"
              .formatted(
                  ApiJson.text(job, "id"),
                  ApiJson.number(job, "attempt"),
                  ApiJson.text(output, "id"));
      assertThat(keys).anyMatch(key -> key.startsWith(place));
      byte[] bytes = client.download(ApiJson.text(output, "url"));
      byte[] sum = MessageDigest.getInstance("SHA-256").digest(bytes);
      assertThat(HexFormat.of().formatHex(sum)).isEqualTo(ApiJson.text(output, "sha256"));
    }
  }

  private static void twoWereGivenBackForSpot(Client client) throws Exception {
    int given = 0;
    for (JsonNode job : client.jobs()) {
      boolean spot =
          client
              .get("/api/jobs/" + ApiJson.text(job, "id") + "/events?limit=500")
              .path("items")
              .valueStream()
              .anyMatch(event -> ApiJson.text(event, "message").contains("spot"));
      given += spot ? 1 : 0;
    }
    assertThat(given).isEqualTo(2);
  }

  private static void write(
      Path catalogue, String workflow, String provider, String property, String template)
      throws IOException {
    Files.writeString(
        catalogue.resolve(workflow + ".yaml"),
        """
        workflow: %1$s
        title: %1$s
        executor: worker
        provider: %2$s
        properties:
          %3$s
        required: [%4$s]
        effects:
          - {effect: %1$s/plain, title: Plain, credits_cost: %5$d, retry: {max_failures: 1}}
        """
                .formatted(
                    workflow,
                    provider,
                    property,
                    property.substring(0, property.indexOf(':')),
                    COST)
            + template);
  }

  private static final String INVERT =
      """
      template:
        "1": {class_type: LoadImage, inputs: {image: "{{image}}"}}
        "2": {class_type: ImageInvert, inputs: {image: ["1", 0]}}
        "9": {class_type: SaveImage, inputs: {images: ["2", 0], filename_prefix: mill}}
      output_node: "9"
      """;

  private static final String CLIP =
      """
      template:
        "1": {class_type: EmptyImage, inputs: {width: 64, height: 64, batch_size: 1, color: "{{color}}"}}
        "2": {class_type: CreateVideo, inputs: {images: ["1", 0], fps: 24}}
        "9": {class_type: SaveVideo, inputs: {video: ["2", 0], filename_prefix: mill}}
      output_node: "9"
      """;
}
