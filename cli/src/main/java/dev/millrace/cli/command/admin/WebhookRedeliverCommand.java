package dev.millrace.cli.command.admin;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.ServerApi;
import dev.millrace.cli.command.shared.Missing;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Session;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "redeliver",
    description = "Send a message again, or with --failed-since all that failed.")
final class WebhookRedeliverCommand implements CommandAction {

  @Parameters(index = "0", paramLabel = "ID", description = "The endpoint's id, from the list.")
  private String id = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "MESSAGE",
      description = "The message, from the deliveries.")
  private @Nullable String message;

  @Option(
      names = "--failed-since",
      paramLabel = "TIME",
      description = "Such as 2026-03-01T12:00:00Z.")
  private @Nullable String since;

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    if ((message == null) == (since == null)) {
      throw new CommandFailure(ExitCode.USAGE, "Name a message, or give --failed-since.");
    }
    if (message == null) {
      JsonNode sent =
          WebhooksCommand.post(session, id, "redeliver", ApiJson.object().put("since", since));
      session.say(ApiJson.number(sent, "deliveries") + " deliveries are sent again.");
    } else {
      String one = message;
      JsonNode _ =
          Missing.told(
              "delivery",
              one,
              "millrace webhooks deliveries " + id,
              () ->
                  session
                      .api()
                      .post(
                          WebhooksCommand.path(id)
                              + "/deliveries/"
                              + ServerApi.segment(one)
                              + "/redeliver",
                          ApiJson.object()));
      session.say("Message " + message + " is sent again.");
    }
    return ExitCode.OK;
  }
}
