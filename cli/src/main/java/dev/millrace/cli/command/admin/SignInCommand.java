package dev.millrace.cli.command.admin;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import java.io.IOException;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
    name = "signin",
    description = "Print a link that signs in to the console once, as the key that asks.")
public final class SignInCommand implements CommandAction {

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    JsonNode link = session.api().post("/api/console/links", ApiJson.object());
    if (session.format() != Format.TABLE) {
      session.print(link);
      return ExitCode.OK;
    }
    session.print(ApiJson.text(link, "url"));
    session.say("It works once, within half an hour.");
    return ExitCode.OK;
  }
}
