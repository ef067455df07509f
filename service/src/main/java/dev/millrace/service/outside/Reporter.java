package dev.millrace.service.outside;

import dev.millrace.contract.text.OwnerText;
import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.port.Store;
import dev.millrace.postgres.outside.HandoverView;
import dev.millrace.service.attempt.Turn;
import dev.millrace.spi.provider.Standing;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the engine what is worth several tries. */
public final class Reporter {

  private static final Logger LOG = LoggerFactory.getLogger(Reporter.class);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final int MOST_TRIES = 20;

  /** So much longer it tries, and less often, while the database is away. */
  private static final Duration AWAY = Duration.ofMinutes(3);

  private static final Duration AWAY_PAUSE = Duration.ofSeconds(5);

  private final Engine engine;

  public Reporter(Engine engine) {
    this.engine = engine;
  }

  /**
   * What came of telling.
   *
   * @param result null if nobody answered
   * @param inDoubt whether a try that nobody answered may have counted
   */
  public record Reply(Report.@Nullable Result result, boolean inDoubt) {
    boolean done() {
      return result instanceof Report.Result.Done;
    }
  }

  /** What a service says while it works; its job's progress never goes back. */
  static Report.Heartbeat progress(HandoverView work, Standing.Going going) {
    Turn turn = Orders.turn(work);
    return new Report.Heartbeat(
        turn.job(),
        turn.token(),
        new Progress(
            Math.max(work.job().progress(), going.percent().orElse(work.job().progress())),
            OwnerText.line(going.step()),
            OwnerText.line(going.message())),
        Summary.EMPTY);
  }

  /** Tries until somebody answers, there is no point any more, or it was enough. */
  public Reply tell(Report report, BooleanSupplier pointless) throws InterruptedException {
    boolean inDoubt = false;
    boolean away = false;
    long end = System.nanoTime() + AWAY.toNanos();
    for (int run = 1; !pointless.getAsBoolean(); run++) {
      if (run > MOST_TRIES && !(away && System.nanoTime() - end < 0)) {
        break;
      }
      try {
        return new Reply(engine.report(report), inDoubt);
      } catch (Store.OutcomeUnknown e) {
        LOG.warn("What job {} was told may or may not be stored", report.job().uuid(), e);
        inDoubt = true;
      } catch (RuntimeException e) {
        LOG.warn("Job {} could not be told; trying again", report.job().uuid(), e);
        away = e instanceof Store.Unavailable;
      }
      Thread.sleep(run < MOST_TRIES ? PAUSE : AWAY_PAUSE);
    }
    return new Reply(null, inDoubt);
  }

  /** True unless there are outputs that the job did not take: somebody else had it, or ended it. */
  public static boolean accepted(Report report, Reporter.Reply told) {
    return told.result() instanceof Report.Result.Done(Job job)
        && (!(report instanceof Report.Complete)
            || job.state() == State.COMPLETED
            || job.state() == State.WAITING_REVIEW);
  }
}
