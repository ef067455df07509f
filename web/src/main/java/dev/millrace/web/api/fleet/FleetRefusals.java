package dev.millrace.web.api.fleet;

import dev.millrace.postgres.fleet.WorkerView;
import dev.millrace.service.fleet.Enrolment;
import dev.millrace.service.fleet.Polling.Polled;
import dev.millrace.service.fleet.ReportResult;
import dev.millrace.service.fleet.WorkerActions;
import dev.millrace.web.http.ProblemException;

/** What workers are told, and those who look after them, if they want what can't be. */
public final class FleetRefusals {

  private FleetRefusals() {}

  /** The new worker, or the refusal as a problem. */
  public static Enrolment.Outcome.Registered requireRegistered(Enrolment.Outcome outcome) {
    return switch (outcome) {
      case Enrolment.Outcome.Registered registered -> registered;
      case Enrolment.Outcome.Full(int most) -> throw FleetProblems.full(most);
      case Enrolment.Outcome.NameRevoked() -> throw FleetProblems.nameRevoked();
      case Enrolment.Outcome.NameTaken(var silence) -> throw FleetProblems.nameTaken(silence);
      case Enrolment.Outcome.WorkflowsRefused(var wrong) -> throw FleetProblems.workflows(wrong);
      case Enrolment.Outcome.MachineRefused(var why) -> throw FleetProblems.machine(why);
    };
  }

  /** What a poll brought, or the refusal as a problem. */
  public static Polled.Answered requireAnswered(Polled polled) {
    return switch (polled) {
      case Polled.Answered answered -> answered;
      case Polled.TurnedAway(var why) -> throw FleetProblems.token(why);
    };
  }

  /** The lease that goes on, or the refusal as a problem. */
  public static ReportResult.Extended requireExtended(ReportResult.OfHeartbeat result) {
    return switch (result) {
      case ReportResult.Extended extended -> extended;
      case ReportResult.Refused refused -> throw FleetProblems.report(refused);
    };
  }

  /** How the attempt ended, or the refusal as a problem. */
  public static ReportResult.Ended requireEnded(ReportResult.OfEnding result) {
    return switch (result) {
      case ReportResult.Ended ended -> ended;
      case ReportResult.Refused refused -> throw FleetProblems.report(refused);
      case ReportResult.SenselessOutput(int index, String why) ->
          throw FleetProblems.senselessOutput(index, why);
      case ReportResult.StorageAway() -> throw FleetProblems.storageAway();
    };
  }

  public static ProblemException staleLease() {
    return FleetProblems.staleLease();
  }

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
