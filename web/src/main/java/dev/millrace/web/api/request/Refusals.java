package dev.millrace.web.api.request;

import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.web.http.Problem;
import dev.millrace.web.http.ProblemException;
import java.util.Collection;
import java.util.UUID;

/** What a client is told when the engine refuses. */
public final class Refusals {

  private Refusals() {}

  public static ProblemException insufficientCredits(long required, long balance) {
    return new ProblemException(
        Problem.of(
                402,
                "insufficient_credits",
                "This costs %d credits, and the wallet has %d.".formatted(required, balance))
            .with("required_credits", required)
            .with("balance", balance));
  }

  /**
   * The job that the engine changed, or the refusal as a problem.
   *
   * @param participle what was asked for, as in "can't be canceled"
   */
  public static Job requireDone(Report.Result result, String participle) {
    return switch (result) {
      case Report.Result.Done(Job job) -> job;
      case Report.Result.Denied(State state, _) -> throw notNow(state, participle);
      case Report.Result.NotNow(State state) -> throw notNow(state, participle);
      case Report.Result.InsufficientCredits(long required, long balance) ->
          throw insufficientCredits(required, balance);
      case Report.Result.NoSuchItems(var items) -> throw noSuchItems(items);
      case Report.Result.ItemsDecided() ->
          throw new ProblemException(
              409,
              "items_decided",
              "Somebody decided about one of these items meanwhile. Nothing changed: look again.");
      case Report.Result.StaleLease() ->
          throw new ProblemException(
              409, "stale_lease", "This lease is over. Stop working on the job.");
      case Report.Result.Missing(), Report.Result.Repeated() -> throw ProblemException.notFound();
    };
  }

  /** These are not outputs of the job; none of them means that none was named. */
  private static ProblemException noSuchItems(Collection<UUID> items) {
    return ProblemException.invalid(
        "/items",
        items.isEmpty()
            ? "must name at least one output; to let none through, decline"
            : "names what is not an output of this job: " + items);
  }

  public static ProblemException notNow(State state, String participle) {
    return new ProblemException(
        Problem.of(
                409,
                "transition_denied",
                "A job that is %s can't be %s.".formatted(state.label(), participle))
            .with("state", state.label()));
  }
}
