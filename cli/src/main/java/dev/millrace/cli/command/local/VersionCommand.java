package dev.millrace.cli.command.local;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.command.shared.Version;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import java.io.IOException;
import picocli.CommandLine.Command;

@Command(name = "version", description = "Show the version.")
public final class VersionCommand implements CommandAction {

  @Override
  public ExitCode run(Session session) throws IOException {
    if (session.format() == Format.TABLE) {
      session.print("millrace " + Version.current());
    } else {
      session.print(ApiJson.object().put("version", Version.current()));
    }
    return ExitCode.OK;
  }
}
