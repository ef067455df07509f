package dev.millrace.cli.shell;

import dev.millrace.cli.api.ApiProblem;
import java.util.LinkedHashMap;
import java.util.Map;

/** How a command ended. The numbers are part of the interface: scripts rely on them. */
public enum ExitCode {
  OK(0, "Done."),
  INTERNAL(1, "Something unexpected, here or in the server."),
  USAGE(2, "The command or its input is not valid, or the job's state does not allow it."),
  JOB_FAILED(3, "A job failed, expired, or used up its tries; or a webhook's test failed."),
  REFUSED(4, "Refused by policy: rejected, blocked, over a quota, or left out of a batch."),
  NO_CREDITS(5, "Not enough credits."),
  NOT_ALLOWED(6, "No valid key, or the key's role is too low."),
  NOT_FOUND(
      7,
      "No such job, batch, task, effect, workflow, file, key, token, origin, worker, tenant, webhook"
          + " or profile."),
  UNREACHABLE(8, "The server does not answer, or can't for now."),
  CANCELED(9, "Canceled, or you said no when asked."),
  VIOLATION(10, "The doctor found a violated invariant."),
  IN_REVIEW(11, "A job waits for a reviewer."),
  NOT_CHECKED(12, "The doctor found nothing wrong, but could not check every invariant."),
  TIMEOUT(124, "The time to wait was over; the work goes on."),
  INTERRUPTED(130, "Interrupted; what was submitted goes on.");

  private final int code;
  private final String meaning;

  ExitCode(int code, String meaning) {
    this.code = code;
    this.meaning = meaning;
  }

  public int code() {
    return code;
  }

  /** For the help text. */
  public static Map<String, String> meanings() {
    Map<String, String> meanings = new LinkedHashMap<>();
    for (ExitCode exit : values()) {
      meanings.put(Integer.toString(exit.code), exit.meaning);
    }
    return meanings;
  }

  /** What to return after having waited for a job that ended in this state. */
  public static ExitCode ofJobState(String state) {
    return switch (state) {
      case "completed" -> OK;
      case "failed", "dead_letter", "expired" -> JOB_FAILED;
      case "rejected", "blocked" -> REFUSED;
      case "canceled" -> CANCELED;
      case "waiting_review" -> IN_REVIEW;
      default -> INTERNAL;
    };
  }

  /** What to return after the server refused. */
  public static ExitCode ofProblem(ApiProblem problem) {
    return switch (problem.code()) {
      case "blocked" -> REFUSED;
      case "history_archived" -> NOT_FOUND;
      default -> ofStatus(problem.status());
    };
  }

  private static ExitCode ofStatus(int status) {
    return switch (status) {
      case 401, 403 -> NOT_ALLOWED;
      case 402 -> NO_CREDITS;
      case 404 -> NOT_FOUND;
      case 429 -> REFUSED;
      case 502, 503, 504 -> UNREACHABLE;
      default -> status >= 400 && status < 500 ? USAGE : INTERNAL;
    };
  }
}
