package dev.millrace.cli.e2e;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Submits one job after another, each under a key of its own, until a request gets no answer. That
 * one it sends again under the same key until the server is back, and then it is done: it cannot
 * know whether the first was accepted, and with a key it need not.
 */
final class PersistentClient {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** It asks for the last of them again and again if the kill is long in coming. */
  private static final int MOST_JOBS = 40;

  private final Client client;
  private final String name;
  private final Map<String, String> jobs = new ConcurrentHashMap<>();
  private final CompletableFuture<String> unanswered = new CompletableFuture<>();

  private final CountDownLatch firstAnswers;

  private PersistentClient(Client client, String name, CountDownLatch firstAnswers) {
    this.client = client;
    this.name = name;
    this.firstAnswers = firstAnswers;
  }

  /** Counts its accepted jobs down, so that a test can react at once. */
  static PersistentClient start(Client client, String name, CountDownLatch firstAnswers) {
    PersistentClient one = new PersistentClient(client, name, firstAnswers);
    Thread.ofVirtual().name(name).start(one::submitUntilCutOff);
    return one;
  }

  /** The accepted jobs by key. */
  Map<String, String> jobs() {
    return jobs;
  }

  /** The key that had no answer at first, when it has one. */
  String awaitUnanswered() throws Exception {
    return unanswered.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  private void submitUntilCutOff() {
    try {
      int number = 1;
      while (submit(name + "-" + number)) {
        number = Math.min(number + 1, MOST_JOBS);
      }
      String key = name + "-" + number;
      await().atMost(LIMIT).until(() -> submit(key));
      unanswered.complete(key);
    } catch (RuntimeException | InterruptedException | AssertionError e) {
      unanswered.completeExceptionally(e);
    }
  }

  private boolean submit(String key) throws InterruptedException {
    try {
      jobs.put(key, client.draft(0, key).id());
      firstAnswers.countDown();
      return true;
    } catch (IOException _) {
      return false;
    }
  }
}
