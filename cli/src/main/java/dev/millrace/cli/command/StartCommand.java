package dev.millrace.cli.command;

import dev.millrace.cli.shell.Action;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Failure;
import dev.millrace.cli.shell.Profile;
import dev.millrace.cli.shell.Session;
import dev.millrace.server.MillraceServer;
import dev.millrace.server.StartupException;
import dev.millrace.server.observe.Logging;
import dev.millrace.server.settings.Settings;
import dev.millrace.server.settings.SettingsException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import picocli.CommandLine.Command;

@Command(name = "start", description = "Start the server here, and serve until Ctrl-C.")
public final class StartCommand implements Action {

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    Settings settings = settings(session);
    Logging.configure(look(settings, session));
    DrainOnExit drain = DrainOnExit.install(session::say);
    try {
      MillraceServer server = start(settings, session);
      drain.started(server);
      greet(session, settings, server);
    } finally {
      drain.ready();
    }
    drain.await();
    return ExitCode.OK;
  }

  private static Logging.Look look(Settings settings, Session session) {
    boolean json =
        switch (settings.logFormat()) {
          case JSON -> true;
          case TEXT -> false;
          case AUTO -> !session.surroundings().errIsTerminal();
        };
    if (json) {
      return Logging.Look.JSON;
    }
    return session.errStyle().colour() ? Logging.Look.COLOURED : Logging.Look.TEXT;
  }

  static Settings settings(Session session) {
    try {
      return Settings.load(session.surroundings().environment(), Path.of("").toAbsolutePath());
    } catch (SettingsException e) {
      throw wrong(e);
    }
  }

  /** Every mistake at once, each on a line of its own. */
  static Failure wrong(SettingsException mistakes) {
    return new Failure(
        ExitCode.USAGE,
        Objects.requireNonNull(mistakes.getMessage()),
        "docs/configuration.md, which lists every setting");
  }

  private static MillraceServer start(Settings settings, Session session) {
    try {
      return MillraceServer.start(settings, session::say);
    } catch (StartupException e) {
      throw new Failure(ExitCode.INTERNAL, Objects.requireNonNull(e.getMessage()));
    }
  }

  /** Five calm lines. A new key is shown this once; the profile keeps it for the commands. */
  private static void greet(Session session, Settings settings, MillraceServer server)
      throws IOException {
    Path file = settings.folders().profile().resolve("profile.properties");
    Optional<Profile> present = Profile.load(file);
    Optional<String> made = server.keyForOwner(present.map(Profile::key).orElse(null));
    Optional<String> key = made.or(() -> present.map(Profile::key).filter(server::accepts));
    if (made.isPresent() && present.isPresent()) {
      // The key of another server would be lost; --profile before still finds it.
      present.get().save(file.resolveSibling("profile-before.properties"));
    }
    if (key.isPresent()) {
      new Profile(server.url(), key.get()).save(file);
    }
    session.print(
        "Millrace %s is ready at %s with %d effects."
            .formatted(Version.current(), server.url(), server.effects()));
    session.print("  Data     " + server.databaseInWords());
    session.print(
        "  Key      "
            + made.map(secret -> secret + "  (shown once; kept in " + file + ")")
                .orElse(key.isPresent() ? "in " + file : "none made; use one of this database's"));
    session.print(
        "  Console  "
            + key.flatMap(server::consoleLink)
                .map(link -> link + "  (signs you in once)")
                .orElse(server.url() + "/console"));
    session.print(
        "  Next     ./millrace run sketch/poster -i prompt=\"a red fox\" --wait -o fox.png");
  }
}
