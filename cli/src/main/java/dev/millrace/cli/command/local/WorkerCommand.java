package dev.millrace.cli.command.local;

import dev.millrace.cli.shell.Action;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Failure;
import dev.millrace.cli.shell.Session;
import dev.millrace.worker.WorkerProcess;
import dev.millrace.worker.settings.Settings;
import dev.millrace.worker.settings.SettingsException;
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
public final class WorkerCommand implements Action {

  private @Nullable CommandSpec spec;

  /** Lets the help list the settings. */
  @Spec
  void spec(CommandSpec newSpec) {
    spec = newSpec;
    newSpec
        .usageMessage()
        .footer(
            Settings.help().stream().map(line -> line.replace("%", "%%")).toArray(String[]::new));
  }

  @Override
  public ExitCode run(Session session) {
    Settings settings;
    try {
      settings = Settings.read(environment(session));
    } catch (SettingsException e) {
      throw new Failure(
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
