package dev.millrace.cli.command.local;

import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Session;
import dev.millrace.worker.WorkerProcess;
import dev.millrace.worker.settings.WorkerSettings;
import dev.millrace.worker.settings.WorkerSettingsException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "worker",
    description = "Run jobs of a server on this machine, until Ctrl-C.",
    footerHeading = "%nSettings are environment variables:%n")
public final class WorkerCommand implements CommandAction {

  private @Nullable CommandSpec spec;

  /** Lets the help list the settings. */
  @Spec
  void spec(CommandSpec newSpec) {
    spec = newSpec;
    newSpec
        .usageMessage()
        .footer(
            WorkerSettings.help().stream()
                .map(line -> line.replace("%", "%%"))
                .toArray(String[]::new));
  }

  @Override
  public ExitCode run(Session session) {
    WorkerSettings settings;
    try {
      settings = WorkerSettings.read(environment(session));
    } catch (WorkerSettingsException e) {
      throw new CommandFailure(
          ExitCode.USAGE,
          Objects.requireNonNull(e.getMessage()),
          "docs/worker.md, which lists every setting");
    }
    boolean terminal = session.surroundings().errIsTerminal();
    boolean fine = WorkerProcess.run(settings, terminal, session.surroundings().err());
    return fine ? ExitCode.OK : ExitCode.INTERNAL;
  }

  /** The option that names the server does so here too. */
  private Map<String, String> environment(Session session) {
    Map<String, String> environment = new HashMap<>(session.surroundings().environment());
    String url =
        Objects.requireNonNull(spec).commandLine().getParseResult().matchedOptionValue("--url", "");
    if (!url.isEmpty()) {
      environment.put("MILLRACE_URL", url);
    }
    return environment;
  }
}
