package dev.millrace.service.duties;

import dev.millrace.postgres.history.History;
import java.time.Duration;
import java.time.YearMonth;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes room for the months to come, and takes out those that are older than the retention. */
public final class HistoryArchiving implements Duty {

  /** What was in the way an hour ago is gone, and no month comes unprepared. */
  public static final Duration PAUSE = Duration.ofHours(1);

  private static final Logger LOG = LoggerFactory.getLogger(HistoryArchiving.class);
  private static final int MONTHS_AHEAD = 2;

  private final History history;
  private final HistoryRetention retention;

  public HistoryArchiving(History history, HistoryRetention retention) {
    this.history = history;
    this.retention = retention;
  }

  @Override
  public String name() {
    return "archivist";
  }

  @Override
  public void run() {
    for (String partition : history.ensureAhead(MONTHS_AHEAD)) {
      LOG.info("Made the partition {}", partition);
    }
    if (retention.months() > 0) {
      YearMonth oldest = history.month().minusMonths(retention.months());
      for (History.Archived done : history.archive(oldest, retention.disposal())) {
        LOG.info(
            "Archived the history up to {}: {} events and {} ledger lines",
            done.month(),
            done.events(),
            done.lines());
      }
    }
  }
}
