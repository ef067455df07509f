package dev.millrace.server.duties;

import dev.millrace.postgres.records.History;
import dev.millrace.server.settings.Settings;
import java.time.Duration;
import java.time.YearMonth;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes room for the months to come, and takes out those that are older than the retention. */
public final class Archivist implements Duty {

  /** What was in the way an hour ago is gone, and no month comes unprepared. */
  public static final Duration PAUSE = Duration.ofHours(1);

  private static final Logger LOG = LoggerFactory.getLogger(Archivist.class);
  private static final int MONTHS_AHEAD = 2;

  private final History history;
  private final Settings.History settings;

  public Archivist(History history, Settings.History settings) {
    this.history = history;
    this.settings = settings;
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
    if (settings.retentionMonths() > 0) {
      YearMonth oldest = history.month().minusMonths(settings.retentionMonths());
      for (History.Archived done : history.archive(oldest, fate())) {
        LOG.info(
            "Archived the history up to {}: {} events and {} ledger lines",
            done.month(),
            done.events(),
            done.lines());
      }
    }
  }

  private History.Fate fate() {
    return switch (settings.archive()) {
      case KEEP -> History.Fate.KEEP;
      case DROP -> History.Fate.DROP;
    };
  }
}
