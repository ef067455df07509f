package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.FleetRig;
import dev.millrace.server.rig.FleetRig.Worker;
import dev.millrace.server.rig.ServerRig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recipes as they are written start as many workers as they promise. */
class AutoscalingRecipePgTest {

  private static final Path GUIDE = Path.of("../docs/autoscaling.md");
  private static final Path SCRIPT = Path.of("../examples/autoscaling/desired-workers.sh");
  private static final Pattern TRIGGER =
      Pattern.compile(
          "url: http://millrace:8080(\\S+)\\s+valueLocation: (\\w+)\\s+targetValue: \"(\\d+)\"");

  @TempDir Path folder;

  private ServerRig rig;
  private Client client;

  @BeforeEach
  void fourRunAndThreeWait() {
    rig = FleetRig.start(folder);
    client = rig.admin();
    Worker worker = FleetRig.worker(client, "w", 4, "upscale");
    for (int i = 0; i < 7; i++) {
      rig.credit("u-" + i, 100);
      client
          .post(
              "/api/jobs",
              "{\"effect\":\"upscale/one\",\"input\":{\"prompt\":\"x\"},\"user\":\"u-%d\"}"
                  .formatted(i))
          .expect(201);
    }
    assertThat(worker.poll(10, 0).expect(200).json().path("jobs")).hasSize(4);
  }

  @AfterEach
  void stop() {
    rig.examine();
    rig.close();
  }

  /** KEDA divides each trigger's number by its target, rounds up, and takes the largest. */
  @Test
  void keda_wants_seven_pods_for_four_jobs_that_run_and_three_that_wait() throws IOException {
    long pods =
        TRIGGER
            .matcher(Files.readString(GUIDE))
            .results()
            .mapToLong(this::wanted)
            .max()
            .orElseThrow();
    assertThat(pods).isEqualTo(7);
  }

  private long wanted(MatchResult trigger) {
    long value =
        Long.parseLong(client.get(trigger.group(1)).expect(200).at("/" + trigger.group(2)));
    return Math.ceilDiv(value, Long.parseLong(trigger.group(3)));
  }

  @Test
  void the_script_for_ec2_sets_seven_machines_and_four_if_each_has_two_slots() throws Exception {
    assumeThat(Path.of("/usr/bin/curl")).exists();
    assertThat(run(Map.of())).endsWith("--desired-capacity 7");
    assertThat(run(Map.of("SLOTS", "2"))).endsWith("--desired-capacity 4");
    assertThat(run(Map.of("MOST", "5"))).endsWith("--desired-capacity 5");
    assertThat(run(Map.of("MILLRACE_API_KEY", "mr_wrong"))).as("nothing is changed").isEmpty();
    client.post("/api/admin/workflows/upscale/pause", "").expect(200);
    assertThat(run(Map.of())).endsWith("--desired-capacity 4");
  }

  /** Runs it with a command line of AWS that only writes down what it was asked for. */
  private String run(Map<String, String> more) throws IOException, InterruptedException {
    Path asked = folder.resolve("asked");
    Files.deleteIfExists(asked);
    Path bin = Files.createDirectories(folder.resolve("bin"));
    Path aws =
        Files.writeString(bin.resolve("aws"), "#!/bin/sh\nprintf '%s' \"$*\" > '" + asked + "'\n");
    assertThat(aws.toFile().setExecutable(true)).isTrue();
    ProcessBuilder builder = new ProcessBuilder("sh", SCRIPT.toString()).redirectErrorStream(true);
    builder.environment().put("PATH", bin + ":" + System.getenv("PATH"));
    builder.environment().put("MILLRACE_URL", client.server().toString());
    builder.environment().put("MILLRACE_API_KEY", String.valueOf(client.key()));
    builder.environment().putAll(Map.of("WORKFLOW", "upscale", "GROUP", "gpus"));
    builder.environment().putAll(more);
    Process process = builder.redirectOutput(folder.resolve("said").toFile()).start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return Files.exists(asked) ? Files.readString(asked) : "";
  }
}
