package dev.millrace.cli.command.local;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import dev.millrace.server.settings.SettingsException;
import dev.millrace.server.settings.SettingsReport;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "config",
    description = "Show the server's effective settings and where each comes from.")
public final class ConfigCommand implements CommandAction {

  @Override
  public ExitCode run(Session session) {
    SettingsReport report = report(session);
    if (session.format() == Format.TABLE) {
      session.print(report.text().stripTrailing());
      return ExitCode.OK;
    }
    ObjectNode page = ApiJson.object();
    ArrayNode items = page.putArray("items");
    for (SettingsReport.Row row : report.rows()) {
      items
          .addObject()
          .put("name", row.name())
          .put("key", row.key())
          .put("value", row.value())
          .put("source", row.source().label())
          .put("description", row.description());
    }
    if (session.format() == Format.JSON) {
      session.print(page);
    } else {
      items.forEach(session::print);
    }
    return ExitCode.OK;
  }

  private static SettingsReport report(Session session) {
    try {
      return SettingsReport.load(
          session.surroundings().environment(), Path.of("").toAbsolutePath());
    } catch (SettingsException e) {
      throw StartCommand.wrong(e);
    }
  }
}
