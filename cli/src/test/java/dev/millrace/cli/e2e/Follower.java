package dev.millrace.cli.e2e;

import static org.awaitility.Awaitility.await;

import dev.millrace.cli.api.ApiJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An event source of one job, written out here because it must keep what a good client would hide:
 * every event as the server sent it, repeats included. When a connection ends it comes back with
 * the last id it has seen, until it hears of the job's end.
 */
final class Follower {

  private static final Duration LIMIT = Duration.ofMinutes(3);

  private final Client client;
  private final String jobId;
  private final List<Long> ids = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final CompletableFuture<String> end = new CompletableFuture<>();
  private String cursor = "";
  private String state = "";

  private Follower(Client client, String jobId) {
    this.client = client;
    this.jobId = jobId;
  }

  static Follower of(Client client, String jobId) {
    Follower follower = new Follower(client, jobId);
    Thread.ofVirtual().name("follower of " + jobId).start(follower::follow);
    return follower;
  }

  String jobId() {
    return jobId;
  }

  /** The ids of all events in the order in which they came. */
  List<Long> ids() {
    return ids;
  }

  /** How often it got through to a server. */
  int connections() {
    return connections.get();
  }

  /** The state that ended the stream, when it has. */
  String awaitEnd() throws Exception {
    return end.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  private void follow() {
    try {
      await()
          .atMost(LIMIT)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(50))
          .until(this::hearsTheEnd);
      end.complete(state);
    } catch (RuntimeException e) {
      end.completeExceptionally(e);
    }
  }

  private boolean hearsTheEnd() throws InterruptedException {
    try {
      HttpResponse<InputStream> response = client.openEvents(jobId, cursor);
      try (InputStream body = response.body()) {
        if (response.statusCode() != 200) {
          // To an event source any other answer is the last, so it has to be a test's failure.
          throw new IllegalStateException("The stream answers " + response.statusCode());
        }
        connections.incrementAndGet();
        read(new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8)));
      }
    } catch (IOException _) {
      return false; // The server is gone, for now.
    }
    return List.of("completed", "failed", "rejected", "canceled").contains(state);
  }

  /** Only a blank line makes an event; what was half sent when the server died is dropped. */
  private void read(BufferedReader lines) throws IOException {
    String id = "";
    String data = "";
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("id:")) {
        id = line.substring(3).strip();
      } else if (line.startsWith("data:")) {
        data = line.substring(5).strip();
      } else if (line.isEmpty() && !data.isEmpty()) {
        ids.add(Long.valueOf(id));
        cursor = id;
        state = ApiJson.text(ApiJson.parse(data), "state");
        data = "";
      }
    }
  }
}
