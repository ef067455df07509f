package dev.millrace.service.transfer;

import dev.millrace.postgres.transfers.Transfers;
import dev.millrace.service.duties.Duty;
import java.time.Duration;

/** Throws away how far those came whose jobs were deleted, or that nobody has gone on with. */
public record TransferCleanup(Transfers transfers) implements Duty {

  private static final Duration KEPT = Duration.ofDays(30);
  private static final int PAGE = 100;

  @Override
  public String name() {
    return "transfer-cleanup";
  }

  @Override
  public void run() {
    while (transfers.forget(KEPT, PAGE) == PAGE) {
      // There may be more.
    }
  }
}
