package dev.millrace.cli.command.job;

import dev.millrace.cli.api.ApiJob;
import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.ServerApi;
import dev.millrace.cli.command.shared.Missing;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "retry",
    description = "Ask again for what ended badly: a new job for each, paid like any other.")
final class JobRetryCommand implements CommandAction {

  @Parameters(paramLabel = "ID", arity = "1..*", description = "The jobs' ids.")
  private List<String> ids = new ArrayList<>();

  @Option(
      names = "--in-place",
      description = "Put the same job back into the queue instead (admins).")
  private boolean inPlace;

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    ExitCode exit =
        new EachJob(session, JobRetryCommand::line)
            .run(ids, id -> inPlace ? again(session, id) : anew(session, id));
    if (exit == ExitCode.OK) {
      session.say("To follow one: millrace jobs watch ID");
    }
    return exit;
  }

  /** The key is new for each job, so that a lost answer cannot lead to two new jobs. */
  private static JsonNode anew(Session session, String id)
      throws IOException, InterruptedException {
    String key = UUID.randomUUID().toString();
    return Missing.told(
        "job",
        id,
        JobsCommand.LIST,
        () -> session.api().postOnce(ApiJob.path(id) + "/retry", ApiJson.object(), key));
  }

  private static JsonNode again(Session session, String id)
      throws IOException, InterruptedException {
    String path = "/api/admin/jobs/" + ServerApi.segment(id) + "/retry";
    return JobsCommand.act(session, id, path, ApiJson.object());
  }

  private static String line(JsonNode job) {
    String origin = ApiJson.text(job, "retry_of");
    return ApiJson.text(job, "id")
        + "  "
        + ApiJson.text(job, "state")
        + (origin.isEmpty() ? "" : "  retry of " + origin);
  }
}
