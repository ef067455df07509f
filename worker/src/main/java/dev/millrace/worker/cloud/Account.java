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

  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final ComfyApi api;
  private final Duration rest;
  private volatile long restUntil = System.nanoTime();
  private volatile boolean away;

  /**
   * An account that is taken to be fine.
   *
   * @param rest how long nothing is tried after it was refused
   */
  Account(ComfyApi api, Duration rest) {
    this.api = api;
    this.rest = rest;
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
    if (!away) {
      return Optional.empty();
    }
    try {
      Answer answer = api.get("/jobs?limit=1", LIMIT);
      if (!answer.ok()) {
        return Optional.of(
            refusal(answer.status()).isPresent() ? "refused the account" : "is unwell");
      }
      away = false;
      return Optional.empty();
    } catch (Unreachable _) {
      return Optional.of("doesn't answer");
    }
  }

  /** What an answer that isn't fine means. */
  JobFailure refused(Answer answer) {
    Optional<String> reason = refusal(answer.status());
    if (reason.isEmpty()) {
      return Troubles.refused(answer);
    }
    restUntil = System.nanoTime() + rest.toNanos();
    return JobFailure.interrupted(reason.get());
  }

  /** Here 429 doesn't mean "slower" but "not paid". */
  private static Optional<String> refusal(int status) {
    return switch (status) {
      case 401, 403 -> Optional.of("Comfy Cloud refused the API key");
      case 402 -> Optional.of("the Comfy Cloud account has no credits left");
      case 429 -> Optional.of("the Comfy Cloud subscription isn't active");
      default -> Optional.empty();
    };
  }
}
