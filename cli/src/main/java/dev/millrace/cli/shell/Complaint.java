package dev.millrace.cli.shell;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.ApiProblem;
import dev.millrace.cli.api.RefusedException;
import dev.millrace.cli.api.UnreachableException;
import dev.millrace.cli.text.Clip;
import dev.millrace.cli.text.Say;
import dev.millrace.cli.text.TextStyle;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Objects;

/**
 * Trouble, told to a person: one sentence, the fields that are wrong, and what to do next.
 *
 * @param details one line each
 * @param hint what to type or to do, or empty
 */
public record Complaint(ExitCode exit, String sentence, List<String> details, String hint) {

  public Complaint {
    details = List.copyOf(details);
  }

  /** Finds the words for anything that a command may throw. */
  public static Complaint of(Throwable trouble) {
    String message = Objects.requireNonNullElse(trouble.getMessage(), trouble.toString());
    return switch (trouble) {
      case CommandFailure failure -> of(failure, message.lines().toList());
      case RefusedException refused -> of(refused.problem());
      case UnreachableException _ ->
          new Complaint(
              ExitCode.UNREACHABLE,
              message,
              List.of(),
              "start it with ./millrace start, or name another server with --url");
      case InterruptedException _ ->
          new Complaint(ExitCode.INTERRUPTED, "Interrupted.", List.of(), "");
      case NoSuchFileException _ ->
          new Complaint(ExitCode.USAGE, "There is no file " + message + ".", List.of(), "");
      case AccessDeniedException _ ->
          new Complaint(ExitCode.USAGE, "No permission for " + message + ".", List.of(), "");
      case IOException _ -> new Complaint(ExitCode.INTERNAL, message, List.of(), "");
      default -> new Complaint(ExitCode.INTERNAL, trouble.toString(), List.of(), "");
    };
  }

  /** A message of several lines is a sentence and its details. */
  private static Complaint of(CommandFailure failure, List<String> lines) {
    return new Complaint(
        failure.exit(),
        lines.isEmpty() ? "" : lines.getFirst(),
        lines.stream().skip(1).map(String::strip).filter(line -> !line.isEmpty()).toList(),
        failure.hint());
  }

  static Complaint of(ApiProblem problem) {
    List<String> details =
        problem.errors().stream().map(e -> field(e.path()) + ": " + e.message()).toList();
    return new Complaint(ExitCode.ofProblem(problem), sentence(problem), details, hint(problem));
  }

  /** Not enough credits, with the command that would help. */
  public static CommandFailure notEnoughCredits(ApiProblem problem, String user) {
    long required = ApiJson.number(problem.json(), "required_credits");
    long balance = ApiJson.number(problem.json(), "balance");
    return new CommandFailure(
        ExitCode.NO_CREDITS,
        "This costs %s, and the wallet of %s holds %s."
            .formatted(Say.count(required, "credit"), user, balance),
        "millrace wallet credit " + user + " " + Math.max(100, required - balance));
  }

  public void print(PrintStream err, TextStyle style) {
    err.println(style.red("millrace: ") + Clip.plain(sentence));
    for (String detail : details) {
      err.println("  " + Clip.plain(detail));
    }
    if (!hint.isEmpty()) {
      err.println(style.dim("Try: ") + Clip.plain(hint));
    }
  }

  private static String sentence(ApiProblem problem) {
    if (!problem.detail().isEmpty()) {
      return problem.detail();
    }
    return problem.code().startsWith("http_")
        ? "The server answers " + problem.status() + " without saying why: is it Millrace?"
        : "The server refuses: " + problem.code() + ".";
  }

  private static String hint(ApiProblem problem) {
    return switch (problem.code()) {
      case "unauthenticated" ->
          "give a key with --key or MILLRACE_API_KEY; ./millrace start writes one into the profile";
      case "forbidden" -> "millrace whoami shows what this key may do";
      case "insufficient_credits" -> "millrace wallet credit USER 100";
      case "too_many_active_jobs" -> "millrace jobs --state pending,queued,running";
      case "idempotency_mismatch" ->
          "this idempotency key belongs to another request: leave it out, or use a new one";
      case "overloaded", "outcome_unknown" -> "the same command again in a moment";
      case "internal" -> "the server's log says more";
      default -> "";
    };
  }

  /** {@code /input/prompt} is what the API calls the thing that was typed as {@code prompt}. */
  private static String field(String path) {
    String field = path.startsWith("/input/") ? path.substring("/input/".length()) : path;
    return field.isEmpty() || field.equals("/input") ? "input" : field;
  }
}
