package dev.millrace.web.api.fleet;

import dev.millrace.postgres.fleet.WorkerView;
import dev.millrace.service.fleet.WorkerActions;
import dev.millrace.web.http.ProblemException;

/** What an admin is told who wants something of a worker that can't be. */
public final class FleetRefusals {

  private FleetRefusals() {}

  /** The worker as it is now, or the refusal as a problem. */
  public static WorkerView requireDone(WorkerActions.Outcome outcome) {
    return switch (outcome) {
      case WorkerActions.Outcome.Done(WorkerView worker) -> worker;
      case WorkerActions.Outcome.Rotated(WorkerView worker, _) -> worker;
      case WorkerActions.Outcome.Missing() -> throw ProblemException.notFound();
      case WorkerActions.Outcome.Revoked() -> throw FleetProblems.alreadyRevoked();
      case WorkerActions.Outcome.BadWorkflows(var wrong) -> throw FleetProblems.workflows(wrong);
    };
  }
}
