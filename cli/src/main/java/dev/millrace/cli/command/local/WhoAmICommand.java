package dev.millrace.cli.command.local;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.command.shared.Details;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Session;
import java.io.IOException;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(name = "whoami", description = "Show which server is asked, and what the key may do.")
public final class WhoAmICommand implements CommandAction {

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    JsonNode me = session.api().get("/api/whoami");
    String user = ApiJson.text(me, "user");
    new Details()
        .line("server", session.api().server().toString())
        .line("tenant", ApiJson.text(me, "tenant"))
        .line("role", ApiJson.text(me, "role"))
        .line("user", user.isEmpty() ? "any (default: default)" : user)
        .line("key", ApiJson.text(me, "key_prefix"))
        .print(session, me);
    return ExitCode.OK;
  }
}
