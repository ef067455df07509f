package dev.millrace.cli.command.job;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.ServerApi;
import dev.millrace.cli.command.shared.Missing;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "why", description = "Say why a job is not running yet.")
final class JobWhyCommand implements CommandAction {

  @Parameters(paramLabel = "ID", description = "The job's id.")
  private String id = "";

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    JsonNode why =
        Missing.told(
            "job",
            id,
            JobsCommand.LIST,
            () -> session.api().get("/api/jobs/" + ServerApi.segment(id) + "/why"));
    if (session.format() != Format.TABLE) {
      session.print(why);
      return ExitCode.OK;
    }
    session.print(ApiJson.text(why, "cause") + "  " + ApiJson.text(why, "message"));
    for (String name : new String[] {"position", "until", "estimated_start_at"}) {
      if (!ApiJson.text(why, name).isEmpty()) {
        session.print(name.replace('_', ' ') + ": " + ApiJson.text(why, name));
      }
    }
    return ExitCode.OK;
  }
}
