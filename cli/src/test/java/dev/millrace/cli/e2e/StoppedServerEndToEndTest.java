package dev.millrace.cli.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.testkit.net.KeptPort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Ctrl-C, at a good moment and at a bad one. */
class StoppedServerEndToEndTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int ENDED_BY_SIGTERM = 143;
  private static final int MOST_TRIES = 5;

  @TempDir Path folder;

  @Test
  void a_stopped_server_gives_its_leases_back_and_leaves_no_process() throws Exception {
    try (Installation installation = new Installation(folder)) {
      installation.set("HTTP_PORT", Integer.toString(KeptPort.next()));
      RunningServer first = installation.start();
      Client client = first.client();
      for (int i = 0; i < 4; i++) {
        client.draft(12, "stopped-" + i);
      }
      await().atMost(LIMIT).until(() -> client.count("running") == 2);
      Follower follower = Follower.of(client, client.jobs().getFirst().path("id").asString());
      await().atMost(LIMIT).until(() -> follower.connections() == 1);

      assertThat(first.sigterm()).isEqualTo(ENDED_BY_SIGTERM);
      assertThat(first.err()).contains("Stopping: ").contains("Stopped. Nothing is lost");
      assertThat(first.log()).filteredOn(StoppedServerEndToEndTest::isGivenBack).hasSize(2);
      assertThat(installation.postgres()).isEmpty();

      RunningServer second = installation.set("EXECUTOR_SLOTS", "4").start();
      assertThat(second.err()).doesNotContain("left behind");
      assertThat(second.out()).as("the key is shown once").doesNotContain("mr_");
      assertThat(follower.awaitEnd()).isEqualTo("completed");
      await().atMost(LIMIT).until(() -> client.count("completed") == 4);
      List<JsonNode> jobs = client.jobs();
      assertThat(jobs).filteredOn(job -> ApiJson.number(job, "interruptions") == 1).hasSize(2);
      assertThat(ApiJson.number(client.get("/api/wallet"), "balance")).isEqualTo(1000 - 4);
      client.requireHealth();
    }
  }

  /** As the newcomer does who changes their mind: the database runs, the server does not yet. */
  @Test
  void a_server_stopped_while_it_starts_leaves_no_process() throws Exception {
    // A test that is held up comes when the start is over, and has to try again.
    int tries = 1;
    while (!isStoppedWhileItStarts(folder.resolve("try-" + tries))) {
      assertThat(++tries).isLessThanOrEqualTo(MOST_TRIES);
    }
  }

  private static boolean isStoppedWhileItStarts(Path place) throws Exception {
    try (Installation installation = new Installation(place)) {
      RunningServer server = installation.launch();
      Path pidFile = installation.data().resolve("postgres").resolve("postmaster.pid");
      await().atMost(LIMIT).pollInterval(Duration.ofMillis(10)).until(() -> Files.exists(pidFile));
      assertThat(server.sigterm()).isEqualTo(ENDED_BY_SIGTERM);
      assertThat(installation.postgres()).isEmpty();
      return server.err().contains("Stopping: the start is given up");
    }
  }

  private static boolean isGivenBack(JsonNode line) {
    return ApiJson.text(line, "from_status").equals("running")
        && ApiJson.text(line, "to_status").equals("queued");
  }
}
