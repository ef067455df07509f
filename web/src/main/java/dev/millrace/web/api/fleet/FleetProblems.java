package dev.millrace.web.api.fleet;

import dev.millrace.service.fleet.Enrolment.BadWorkflow;
import dev.millrace.service.fleet.Enrolment.Unfit;
import dev.millrace.service.fleet.MachineCheck;
import dev.millrace.service.fleet.ReportResult;
import dev.millrace.service.fleet.WorkerTokens.Refusal;
import dev.millrace.web.http.Problem;
import dev.millrace.web.http.Problem.Violation;
import dev.millrace.web.http.ProblemException;
import java.time.Duration;
import java.util.List;

/** The statuses, codes and words of all that the fleet refuses. */
final class FleetProblems {

  private FleetProblems() {}

  static ProblemException closed() {
    return new ProblemException(
        403,
        "fleet_closed",
        "This installation takes no workers. An operator can set MILLRACE_FLEET_SECRET.");
  }

  static ProblemException secretMissing() {
    return secretWrong("Send the fleet's secret in the header X-Fleet-Secret.");
  }

  static ProblemException secretWrong() {
    return secretWrong(
        "This is not the fleet's secret. It may have been rotated: ask the operator.");
  }

  private static ProblemException secretWrong(String detail) {
    return new ProblemException(401, "fleet_secret_wrong", detail);
  }

  static ProblemException full(int most) {
    return new ProblemException(
        409,
        "fleet_full",
        "The fleet has as many workers as it may have, %d. Raise MILLRACE_FLEET_MAX_WORKERS, or remove some."
            .formatted(most));
  }

  static ProblemException nameRevoked() {
    return new ProblemException(
        403,
        "name_revoked",
        "An operator revoked the worker of this name. It can register again once one removed it.");
  }

  static ProblemException nameTaken(Duration silence) {
    return new ProblemException(
        409,
        "worker_exists",
        "A worker of this name is registered. Go on with its token, deregister it, or wait until it was silent for %d seconds."
            .formatted(silence.toSeconds()));
  }

  static ProblemException machine(MachineCheck.Answer why) {
    return switch (why) {
      case IN_NO_GROUP ->
          new ProblemException(
              403,
              "not_in_auto_scaling_group",
              "This machine is in no Auto Scaling group of the account. Start workers through a group, or name them otherwise.");
      case UNDECIDED ->
          new ProblemException(
                  503,
                  "auto_scaling_unavailable",
                  "Whether this machine is in an Auto Scaling group can't be found out now. Try again.")
              .header("Retry-After", "10");
      case WELCOME -> throw new IllegalStateException("A welcome machine was refused");
    };
  }

  /** The first one says what it is called; all of them are told. */
  static ProblemException workflows(List<BadWorkflow> wrong) {
    List<Violation> errors =
        wrong.stream()
            .map(each ->
                new Violation("/workflow_slugs/" + each.index(), unfit(each.why()).detail()))
            .toList();
    return new ProblemException(unfit(wrong.getFirst().why()).with("errors", errors));
  }

  private static Problem unfit(Unfit why) {
    return switch (why) {
      case UNKNOWN ->
          Problem.of(422, "unknown_workflow", "The catalogue has no workflow of this slug.");
      case NOT_FOR_WORKERS ->
          Problem.of(422, "not_for_workers", "Workers run workflows of the executor worker.");
      case INACTIVE -> Problem.of(422, "inactive_workflow", "This workflow is not active.");
    };
  }

  static ProblemException token(Refusal why) {
    ProblemException problem =
        switch (why) {
          case MISSING ->
              new ProblemException(
                  401, "worker_unknown", "Send the token that the registration gave, as a bearer.");
          case UNKNOWN ->
              new ProblemException(
                  401,
                  "worker_unknown",
                  "This token is of no worker here. Register to get another.");
          case REVOKED ->
              new ProblemException(
                  401,
                  "worker_revoked",
                  "An admin revoked this worker. Stop: its jobs went to others.");
        };
    return problem.header("WWW-Authenticate", "Bearer");
  }

  static ProblemException alreadyRevoked() {
    return new ProblemException(
        409,
        "already_revoked",
        "This worker was revoked for good. Remove it, and it can register again.");
  }

  static ProblemException report(ReportResult.Refused refused) {
    return switch (refused) {
      case ReportResult.StaleLease() -> staleLease();
      case ReportResult.Denied(var state) ->
          new ProblemException(
              Problem.of(
                      409,
                      "transition_denied",
                      "A job that is %s can't be ended so.".formatted(state.label()))
                  .with("state", state.label()));
    };
  }

  static ProblemException staleLease() {
    return new ProblemException(
        409, "stale_lease", "This lease is over, and nothing changed. Stop working on the job.");
  }

  static ProblemException senselessOutput(int index, String why) {
    return ProblemException.invalid("/outputs/" + index, "is refused: " + why);
  }

  static ProblemException storageAway() {
    return new ProblemException(
            503, "storage_unavailable", "The output could not be read. Report it again.")
        .header("Retry-After", "1");
  }

  static ProblemException outputRefused(String why) {
    return new ProblemException(422, "output_refused", why);
  }

  static ProblemException noSuchPlace() {
    return outputRefused(
        "This is no place of this attempt's outputs. Ask for a new one by `upload`.");
  }
}
