package dev.millrace.cli.command.job;

import dev.millrace.cli.api.ApiBatch;
import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.RefusedException;
import dev.millrace.cli.command.shared.OnInterrupt;
import dev.millrace.cli.command.shared.Seconds;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.Complaint;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "submit",
    sortOptions = false,
    description = "Submit up to 1000 jobs at once; all of them or none, unless --partial.",
    footer = {
      "%nFILE is a JSON array, or has one JSON object per line:",
      "  {\"effect\": \"sketch/draft\", \"input\": {\"prompt\": \"a red fox\"}, \"priority\": 5}",
      "With --partial, the exit code is 4 if some jobs were left out."
    })
final class BatchSubmitCommand implements CommandAction {

  @Parameters(paramLabel = "FILE", description = "The jobs; - for standard input.")
  private String file = "";

  @Option(names = "--partial", description = "Take the good ones even if others are refused.")
  private boolean partial;

  @Option(names = "--watch", description = "Show how it goes until all jobs are done.")
  private boolean watch;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = Seconds.class,
      description = "Stop watching after this time, such as 90s or 5m; the batch goes on.")
  private @Nullable Duration timeout;

  @Option(names = "--user", paramLabel = "USER", description = "On whose behalf.")
  private @Nullable String user;

  @Option(
      names = "--idempotency-key",
      paramLabel = "KEY",
      description = "Makes one batch per key, however often it is sent (default: a new one).")
  private @Nullable String idempotencyKey;

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    BatchFile jobs = BatchFile.read(file, session.surroundings().in());
    String key = idempotencyKey == null ? UUID.randomUUID().toString() : idempotencyKey;
    try (OnInterrupt onInterrupt = new OnInterrupt(session, unsureAdvice(key))) {
      ApiBatch batch = submit(session, jobs, key);
      onInterrupt.advise(BatchWatch.goesOnAdvice(batch.id()));
      BatchResults results = new BatchResults(jobs, batch.json().path("results"));
      results.lines().forEach(session::say);
      ExitCode exit = ExitCode.OK;
      if (watch) {
        session.say("Batch " + batch.id());
        exit = new BatchWatch(session, Optional.ofNullable(timeout)).seeThrough(batch.id());
      } else {
        printSubmitted(session, batch);
      }
      return exit == ExitCode.OK && !results.allAccepted() ? ExitCode.REFUSED : exit;
    }
  }

  private ApiBatch submit(Session session, BatchFile jobs, String key)
      throws IOException, InterruptedException {
    ObjectNode request = ApiJson.object().put("mode", partial ? "partial" : "all_or_nothing");
    if (user != null) {
      request.put("user", user);
    }
    request.set("jobs", jobs.jobs());
    try {
      return new ApiBatch(session.api().postOnce("/api/batches", request, key));
    } catch (RefusedException refused) {
      throw explain(refused, jobs);
    }
  }

  private RuntimeException explain(RefusedException refused, BatchFile jobs) {
    JsonNode problem = refused.problem().json();
    return switch (refused.problem().code()) {
      case "insufficient_credits" ->
          Complaint.notEnoughCredits(refused.problem(), user == null ? "default" : user);
      case "batch_refused" -> {
        BatchResults results = new BatchResults(jobs, problem.path("results"));
        yield results.lines().isEmpty() ? refused : refusal(refused, results);
      }
      default -> refused;
    };
  }

  private CommandFailure refusal(RefusedException refused, BatchResults results) {
    String sentence =
        "No job was taken, because some are refused:\n" + String.join("\n", results.lines());
    return results.onlyTooMany()
        ? new CommandFailure(
            ExitCode.REFUSED,
            sentence,
            "millrace wallet limits --user %s --active none (admins), or --partial to send fewer"
                .formatted(user == null ? "default" : user))
        : new CommandFailure(
            ExitCode.ofProblem(refused.problem()),
            sentence,
            "the file mended, or --partial to leave those out");
  }

  /** The bare id is what a script wants to keep. */
  private static void printSubmitted(Session session, ApiBatch batch) {
    if (session.format() == Format.TABLE) {
      session.print(batch.id());
      session.say(BatchText.counts(batch) + ". To follow it: millrace batches watch " + batch.id());
    } else {
      session.print(batch.json());
    }
  }

  private static String unsureAdvice(String key) {
    return "The batch may have been submitted. To find out without paying twice, run the same with"
        + " --idempotency-key "
        + key;
  }
}
