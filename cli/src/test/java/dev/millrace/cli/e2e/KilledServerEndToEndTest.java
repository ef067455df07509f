package dev.millrace.cli.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.testkit.net.KeptPort;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The promise of the whole: killed in the middle, started again, and nothing is amiss. */
class KilledServerEndToEndTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int JOBS = 10;

  @TempDir Path folder;

  @Test
  void a_server_killed_in_the_middle_of_ten_jobs_finishes_them_all_after_its_restart()
      throws Exception {
    try (Installation installation = new Installation(folder)) {
      // The same port again after the restart, as every real installation has it.
      installation.set("HTTP_PORT", Integer.toString(KeptPort.next()));
      installation.set("EXECUTOR_SLOTS", "4");
      RunningServer first = installation.start();
      Client client = first.client();
      List<Follower> followers = submitTen(client);
      awaitTheMiddle(client);
      CountDownLatch answers = new CountDownLatch(6);
      List<PersistentClient> persistent = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        persistent.add(PersistentClient.start(client, "persistent-" + i, answers));
      }
      assertThat(answers.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      first.sigkill();
      assertThat(installation.postgres()).as("it outlives the server").isNotEmpty();

      installation.start();
      Map<String, String> jobsByKey = new TreeMap<>();
      for (PersistentClient one : persistent) {
        one.awaitUnanswered();
        jobsByKey.putAll(one.jobs());
      }
      for (Follower follower : followers) {
        assertThat(follower.awaitEnd()).isEqualTo("completed");
      }
      await().atMost(LIMIT).until(() -> client.jobs().stream().allMatch(this::isCompleted));

      client.requireHealth();
      everyKeyHasOneJob(client, jobsByKey);
      everyEventWasHeardOnce(client, followers);
      everyJobWasChargedOnce(client);
      everyOutputIsThere(client);
      assertThat(client.jobs()).anyMatch(job -> ApiJson.number(job, "interruptions") == 1);
    }
  }

  private static List<Follower> submitTen(Client client) throws Exception {
    List<Follower> followers = new ArrayList<>();
    for (int i = 0; i < JOBS; i++) {
      // The first is soon over, so that the kill finds jobs in every state. Four are at work for
      // so long that a test which was held up still finds them there, and the last behind them.
      int seconds = i == 0 ? 0 : i <= 4 ? 10 : 5;
      String id = client.draft(seconds, "one-of-ten-" + i).id();
      followers.add(Follower.of(client, id));
    }
    return followers;
  }

  private static void awaitTheMiddle(Client client) {
    await()
        .atMost(LIMIT)
        .until(() ->
            client.count("completed") >= 1
                && client.count("queued") >= 1
                && client.jobs().stream().filter(KilledServerEndToEndTest::isUnderWay).count()
                    >= 2);
  }

  private static boolean isUnderWay(JsonNode job) {
    return ApiJson.text(job, "state").equals("running") && ApiJson.number(job, "progress") > 0;
  }

  private boolean isCompleted(JsonNode job) {
    return ApiJson.text(job, "state").equals("completed");
  }

  /** No job was lost with its answer, and none was made twice by asking again. */
  private static void everyKeyHasOneJob(Client client, Map<String, String> jobsByKey)
      throws IOException, InterruptedException {
    assertThat(jobsByKey.values()).doesNotHaveDuplicates();
    assertThat(client.jobs()).hasSize(JOBS + jobsByKey.size());
    for (Map.Entry<String, String> entry : jobsByKey.entrySet()) {
      assertThat(client.draft(0, entry.getKey()))
          .isEqualTo(new Client.Submitted(entry.getValue(), true));
    }
  }

  private static void everyEventWasHeardOnce(Client client, List<Follower> followers)
      throws IOException, InterruptedException {
    for (Follower follower : followers) {
      long last = ApiJson.number(client.job(follower.jobId()), "last_event_id");
      assertThat(follower.ids())
          .as("events of %s", follower.jobId())
          .containsExactlyElementsOf(LongStream.rangeClosed(1, last).boxed().toList());
    }
    assertThat(followers)
        .as("those that lived through the kill")
        .anyMatch(f -> f.connections() > 1);
  }

  private static void everyJobWasChargedOnce(Client client)
      throws IOException, InterruptedException {
    List<JsonNode> jobs = client.jobs();
    JsonNode wallet = client.get("/api/wallet");
    assertThat(ApiJson.number(wallet, "balance")).isEqualTo(1000 - jobs.size());
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
    assertThat(movements).hasSize(jobs.size());
    assertThat(movements.values())
        .allSatisfy(
            types -> assertThat(types).containsExactlyInAnyOrder("job_reserve", "job_consume"));
  }

  private static void everyOutputIsThere(Client client) throws Exception {
    for (JsonNode job : client.jobs()) {
      assertThat(job.path("outputs").size()).isEqualTo(1);
      JsonNode file = job.path("outputs").get(0);
      byte[] bytes = client.download(ApiJson.text(file, "url"));
      byte[] sum = MessageDigest.getInstance("SHA-256").digest(bytes);
      assertThat(HexFormat.of().formatHex(sum)).isEqualTo(ApiJson.text(file, "sha256"));
      assertThat(ImageIO.read(new ByteArrayInputStream(bytes)).getWidth()).isEqualTo(384);
    }
  }
}
