package dev.millrace.cli.command.admin;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.ServerApi;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import java.io.IOException;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "test", description = "Send a test and show what the endpoint answers.")
final class WebhookTestCommand implements CommandAction {

  private static final Duration LOOK = Duration.ofMillis(500);
  private static final int LOOKS = 600;

  @Parameters(paramLabel = "ID", description = "The endpoint's id, from the list.")
  private String id = "";

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    JsonNode sent = WebhooksCommand.post(session, id, "test", ApiJson.object());
    String path =
        WebhooksCommand.path(id) + "/deliveries/" + ServerApi.segment(ApiJson.text(sent, "id"));
    JsonNode delivery = session.api().get(path);
    for (int look = 0; look < LOOKS && ApiJson.text(delivery, "state").equals("pending"); look++) {
      session.surroundings().pause().sleep(LOOK);
      delivery = session.api().getPatiently(path);
    }
    if (session.format() != Format.TABLE) {
      session.print(delivery);
    } else {
      JsonNode attempt = delivery.path("log").path(0);
      session.print(
          "%s: %s %s"
              .formatted(
                  ApiJson.text(delivery, "state"),
                  ApiJson.text(attempt, "status") + ApiJson.text(attempt, "error"),
                  "in " + ApiJson.number(attempt, "millis") + " ms"));
    }
    return ApiJson.text(delivery, "state").equals("delivered") ? ExitCode.OK : ExitCode.JOB_FAILED;
  }
}
