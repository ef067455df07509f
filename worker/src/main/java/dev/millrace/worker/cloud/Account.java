package dev.millrace.worker.cloud;

import dev.millrace.worker.comfy.Troubles;
import dev.millrace.worker.http.Answer;
import dev.millrace.worker.spi.JobFailure;
import java.time.Duration;

/** Whether the account can be used; not the jobs' fault if it can't. */
final class Account {

  private static final Duration REST = Duration.ofMinutes(5);

  private volatile long restUntil = System.nanoTime();

  boolean usable() {
    return System.nanoTime() - restUntil >= 0;
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
    return JobFailure.retryable(reason, REST);
  }
}
