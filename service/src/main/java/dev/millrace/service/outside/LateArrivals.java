package dev.millrace.service.outside;

import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.outside.HandoverView;
import dev.millrace.postgres.outside.Handovers;
import dev.millrace.postgres.outside.LateResultView;
import dev.millrace.postgres.outside.LateResults;
import dev.millrace.service.attempt.Accounts;
import dev.millrace.service.attempt.FetchBound;
import dev.millrace.service.attempt.Turn;
import dev.millrace.service.attempt.Verdicts;
import dev.millrace.spi.provider.AsyncProvider;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Standing;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Results of jobs that had ended before. They are paid for at the service, so they are brought home
 * and kept apart: who retries the job in place and wants the late result pays for that one, and
 * nothing is made again.
 */
public final class LateArrivals {

  private static final Logger LOG = LoggerFactory.getLogger(LateArrivals.class);
  private static final String ACTOR = "retry";
  private static final TypeReference<SortedMap<String, String>> SUMMARY = new TypeReference<>() {};

  private final Accounts accounts;
  private final Handovers handovers;
  private final LateResults results;
  private final Orders orders;
  private final Verdicts verdicts;

  public LateArrivals(
      Accounts accounts,
      Handovers handovers,
      LateResults results,
      Orders orders,
      Verdicts verdicts) {
    this.accounts = accounts;
    this.handovers = handovers;
    this.results = results;
    this.orders = orders;
    this.verdicts = verdicts;
  }

  /**
   * Keeps what there is of work that came too late. A completed job needs no second result.
   *
   * @return false if there is a result that can't be had now, but perhaps later
   */
  boolean keep(String provider, String reference) throws InterruptedException {
    Optional<HandoverView> found = handovers.byReference(provider, reference);
    return found.isEmpty()
        || !found.get().job().state().terminal()
        || keep(found.get(), provider, reference);
  }

  /**
   * The same for work that was ordered with this attempt's intent, under a reference that no
   * attempt has. A live job's next attempt takes it from where it is kept.
   */
  boolean keep(HandoverView work, String provider, String reference) throws InterruptedException {
    Optional<AsyncProvider> service = accounts.service(provider, work.job().tenantId());
    Turn turn = Orders.turn(work);
    if (work.job().state() == State.COMPLETED
        || service.isEmpty()
        || results.exists(turn.job(), turn.attempt())) {
      return true;
    }
    return service.get().collect(orders.order(work), reference) instanceof Standing.Ended ended
        && (!(ended.outcome() instanceof Outcome.Succeeded succeeded)
            || store(turn, new Verdicts.Ending(succeeded, ended.usage(), null, null)));
  }

  private boolean store(Turn turn, Verdicts.Ending ending) {
    try {
      Verdicts.Verdict verdict = verdicts.judge(turn, ending, FetchBound.usual());
      if (verdict.report() instanceof Report.Complete complete
          && !results.keep(
              turn.job(),
              turn.attempt(),
              OutputFileJson.write(complete.outputs()),
              JsonMapper.shared().writeValueAsString(complete.summary().values()))) {
        verdicts.discard(verdict.stored());
      }
      return true;
    } catch (Verdicts.Postponed e) {
      LOG.warn("A late result of job {} waits: {}", turn.jobId(), e.getMessage());
      return false;
    }
  }

  /**
   * A result that came too late for this job, as the result of this attempt: one that somebody
   * adopted, or one that is kept. The job is paid for again, and the result was already bought.
   */
  Optional<Report.Complete> result(Turn turn) {
    return results
        .adopted(turn.job())
        .or(() -> results.kept(turn.job()).filter(late -> taken(turn, late)))
        .map(late ->
            new Report.Complete(
                turn.job(), turn.token(), OutputFileJson.read(late.files()), summary(late)));
  }

  private boolean taken(Turn turn, LateResultView late) {
    return results.adopt(turn.job(), late.attempt(), ACTOR);
  }

  private static Summary summary(LateResultView late) {
    return new Summary(new TreeMap<>(JsonMapper.shared().readValue(late.summary(), SUMMARY)));
  }
}
