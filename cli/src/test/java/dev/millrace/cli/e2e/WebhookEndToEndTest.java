package dev.millrace.cli.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.testkit.net.KeptPort;
import dev.millrace.testkit.net.Reply;
import dev.millrace.testkit.net.Request;
import dev.millrace.testkit.net.SmallServer;
import dev.millrace.testkit.outside.StandardSignature;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Killed after it has sent and before it could write that down, it sends again. */
class WebhookEndToEndTest {

  private static final Duration LIMIT = Duration.ofSeconds(90);

  @TempDir Path folder;

  private final List<Request> seen = new CopyOnWriteArrayList<>();

  /** The first is never answered; the sender is killed while it waits. */
  private Reply answer(Request request) {
    seen.add(request);
    return seen.size() == 1 ? new Reply.Silence() : Reply.empty(200);
  }

  private static String signature(String secret, Request request) {
    return StandardSignature.of(
        secret,
        request.header("webhook-id").orElse(""),
        request.header("webhook-timestamp").orElse(""),
        request.body().text());
  }

  @Test
  void a_server_killed_while_it_sends_sends_again_under_the_same_id() throws Exception {
    try (SmallServer sink = SmallServer.start(this::answer);
        Installation installation = new Installation(folder)) {
      installation.set("HTTP_PORT", Integer.toString(KeptPort.next()));
      installation.set("FETCH_ALLOW", "127.0.0.1:" + sink.url().getPort());
      installation.set("WEBHOOK_TIMEOUT_SECONDS", "5");
      RunningServer first = installation.start();
      String secret = installation.cli("webhooks", "add", sink.url() + "/hook").out().strip();
      assertThat(secret).startsWith("whsec_");
      String job = first.client().draft(0, "told").id();
      await().atMost(LIMIT).until(() -> seen.size() == 1);
      first.sigkill();

      Client client = installation.start().client();
      await().atMost(LIMIT).until(() -> seen.size() >= 2);

      assertThat(seen.get(1).body().text()).contains(job, "job.completed");
      assertThat(seen.get(1).header("webhook-id").orElse(""))
          .isEqualTo(seen.get(0).header("webhook-id").orElse(""));
      for (Request each : seen) {
        assertThat(each.header("webhook-signature").orElse("")).isEqualTo(signature(secret, each));
      }
      listenHears(installation, client, sink);
      client.requireHealth();
    }
  }

  private void listenHears(Installation installation, Client client, SmallServer sink)
      throws Exception {
    String secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Program.Result> listening =
          threads.submit(() ->
              installation.cli(
                  "listen",
                  "--forward-to",
                  sink.url() + "/local",
                  "--secret",
                  secret,
                  "--count",
                  "1"));
      await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofSeconds(1))
          .until(() -> {
            client.draft(0, "heard-" + System.nanoTime());
            return listening.isDone();
          });
      assertThat(listening.get().out()).contains("job.completed", " 200 (");
    }
    assertThat(seen)
        .filteredOn(request -> request.path().equals("/local"))
        .singleElement()
        .satisfies(request ->
            assertThat(request.header("webhook-signature").orElse(""))
                .isEqualTo(signature(secret, request)));
  }
}
