package dev.millrace.worker.cloud;

import dev.millrace.spi.executor.JobFailure;
import dev.millrace.worker.comfy.ComfyApi;
import dev.millrace.worker.comfy.Troubles;
import dev.millrace.worker.http.Answer;
import dev.millrace.worker.http.Unreachable;
import java.time.Duration;
import java.util.Optional;

/** Whether the account can be used, and the cloud is there; not the jobs' fault if it isn't. */
final class Account {

  private static final Duration REST = Duration.ofMinutes(5);

  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final ComfyApi api;
  private volatile long restUntil = System.nanoTime();
  private volatile boolean away;

  Account(ComfyApi api) {
    this.api = api;
  }

  /** The cloud went away in the middle of a job: nothing is taken until it answers again. */
  void lost() {
    away = true;
  }

  /** Why it can't be used now. */
  Optional<String> trouble() throws InterruptedException {
    if (System.nanoTime() - restUntil < 0) {
      return Optional.of("refused the account");
    }
    try {
      away = away && api.get("/jobs?limit=1", LIMIT).status() >= 500;
    } catch (Unreachable _) {
      away = true;
    }
    return away ? Optional.of("doesn't answer") : Optional.empty();
  }

  /** What an answer that isn't fine means. Here 429 doesn't mean "slower" but "not paid". */
  JobFailure refused(Answer answer) {
    String reason =
        switch (answer.status()) {
          case 401, 403 -> "Comfy Cloud refused the API key";
          case 402 -> "the Comfy Cloud account has no credits left";
          case 429 -> "the Comfy Cloud subscription isn't active";
          default -> "";
        };
    if (reason.isEmpty()) {
      return Troubles.refused(answer);
    }
    restUntil = System.nanoTime() + REST.toNanos();
    return JobFailure.interrupted(reason);
  }
}
