package dev.millrace.engine.port;

import dev.millrace.engine.job.Attempt;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.OutputFile;
import dev.millrace.engine.money.LedgerLine;
import dev.millrace.engine.money.Wallet;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Everything one batch decided, written together or not at all.
 *
 * @param changed the newest snapshot of each job that existed before
 * @param served for each queue, the greatest virtual start that left it
 */
public record Changes(
    Instant at,
    List<NewJob> created,
    List<Job> changed,
    List<JobEvent> events,
    List<Wallet> wallets,
    List<LedgerLine> ledger,
    List<Attempt.Begun> begun,
    List<Attempt.Ended> ended,
    List<StoredOutput> outputs,
    List<Share> shares,
    Map<Integer, Long> served) {

  /**
   * A job and what is stored beside it once.
   *
   * @param input the resolved input, a JSON text
   * @param fingerprint of the request, in hexadecimal
   */
  public record NewJob(
      Job job,
      long virtualStart,
      String input,
      @Nullable String key,
      String fingerprint,
      @Nullable UUID retryOf) {}

  /** An accepted output and the attempt it came from. */
  public record StoredOutput(JobId job, long walletId, int attempt, OutputFile file) {}

  public boolean isEmpty() {
    return created.isEmpty() && changed.isEmpty() && ledger.isEmpty();
  }
}
