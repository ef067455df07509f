package dev.millrace.cli.command.job;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.command.shared.Consent;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import dev.millrace.service.names.NearestName;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "run",
    sortOptions = false,
    description = "Do something to all jobs that a filter finds; says first what it would do.",
    footer = {
      "%nExamples:",
      "  millrace tasks run retry --state dead_letter --error-code provider_down --dry-run",
      "  millrace tasks run delete --state completed --created-before 90d --yes --watch"
    })
final class TaskRunCommand implements CommandAction {

  private static final List<String> ACTIONS = List.of("retry", "cancel", "delete", "recheck");

  @Parameters(
      paramLabel = "ACTION",
      description = "retry (in place), cancel, delete, or recheck (by today's prompt guard).")
  private String action = "";

  @Mixin private TaskFilter filter = new TaskFilter();

  @Option(names = "--dry-run", description = "Only say what it would do.")
  private boolean dryRun;

  @Mixin private Consent consent = new Consent();

  @Option(names = "--watch", description = "Show how it goes until it is done.")
  private boolean watch;

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    if (!ACTIONS.contains(action)) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "There is no action '" + action + "'.",
          NearestName.of(action, ACTIONS).orElse("one of " + String.join(", ", ACTIONS)));
    }
    ObjectNode request = ApiJson.object().put("action", action);
    request.set("filter", filter.json(session.surroundings().clock()));
    JsonNode quote = session.api().post(TasksCommand.PATH, request.deepCopy().put("dry_run", true));
    long jobs = ApiJson.number(quote, "jobs");
    if (dryRun || jobs == 0) {
      printQuote(session, quote);
      return ExitCode.OK;
    }
    session.say("This " + TaskText.quote(quote) + ".");
    if (!consent.given(session, "Go on?")) {
      return ExitCode.CANCELED;
    }
    JsonNode task = session.api().post(TasksCommand.PATH, request);
    String id = ApiJson.text(task, "id");
    if (watch) {
      session.say("Task " + id);
      return new TaskWatch(session, jobs).seeThrough(id);
    }
    TaskText.printStarted(session, task);
    session.say("To follow it: millrace tasks watch " + id);
    return ExitCode.OK;
  }

  private static void printQuote(Session session, JsonNode quote) {
    if (session.format() != Format.TABLE) {
      session.print(quote);
    } else if (ApiJson.number(quote, "jobs") == 0) {
      session.print("There is no such job, so there is nothing to do.");
    } else {
      session.print("This " + TaskText.quote(quote) + ".");
    }
  }
}
