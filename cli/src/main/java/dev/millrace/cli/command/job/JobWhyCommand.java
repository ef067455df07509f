package dev.millrace.cli.command.job;

import dev.millrace.cli.api.Api;
import dev.millrace.cli.api.Json;
import dev.millrace.cli.command.shared.Missing;
import dev.millrace.cli.shell.Action;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "why", description = "Say why a job is not running yet.")
final class JobWhyCommand implements Action {

  @Parameters(paramLabel = "ID", description = "The job's id.")
  private String id = "";

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    JsonNode why =
        Missing.told(
            "job",
            id,
            JobsCommand.LIST,
            () -> session.api().get("/api/jobs/" + Api.segment(id) + "/why"));
    if (session.format() != Format.TABLE) {
      session.print(why);
      return ExitCode.OK;
    }
    session.print(Json.text(why, "cause") + "  " + Json.text(why, "message"));
    for (String name : new String[] {"position", "until", "estimated_start_at"}) {
      if (!Json.text(why, name).isEmpty()) {
        session.print(name.replace('_', ' ') + ": " + Json.text(why, name));
      }
    }
    return ExitCode.OK;
  }
}
