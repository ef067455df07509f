package dev.millrace.cli.command.local;

import dev.millrace.cli.command.shared.Version;
import dev.millrace.cli.profile.OwnerKey;
import dev.millrace.cli.profile.Profiles;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Profile;
import dev.millrace.cli.shell.Session;
import dev.millrace.server.MillraceServer;
import dev.millrace.server.StartupException;
import dev.millrace.server.logging.Logging;
import dev.millrace.server.settings.Settings;
import dev.millrace.server.settings.SettingsException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;

@Command(name = "start", description = "Start the server here, and serve until Ctrl-C.")
public final class StartCommand implements CommandAction {

  private static final Logger LOG = LoggerFactory.getLogger(StartCommand.class);

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    Settings settings = settings(session);
    Logging.Look look = look(settings, session);
    Logging.configure(look);
    // Who collects lines of JSON can't read others between them.
    Consumer<String> say = look == Logging.Look.JSON ? LOG::info : session::say;
    DrainOnExit drain = DrainOnExit.install(say, MillraceServer.stopLimit(settings));
    try {
      Optional<MillraceServer> server = drain.start(() -> start(settings, say));
      if (server.isPresent()) {
        greet(session, settings, server.get(), say);
      }
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
  static CommandFailure wrong(SettingsException mistakes) {
    return new CommandFailure(
        ExitCode.USAGE,
        Objects.requireNonNull(mistakes.getMessage()),
        "docs/configuration.md, which lists every setting");
  }

  private static MillraceServer start(Settings settings, Consumer<String> say) {
    try {
      return MillraceServer.start(settings, say);
    } catch (StartupException e) {
      throw new CommandFailure(ExitCode.INTERNAL, Objects.requireNonNull(e.getMessage()));
    }
  }

  /** Five calm lines, and another if there is something to know about the profile. */
  private static void greet(
      Session session, Settings settings, MillraceServer server, Consumer<String> say)
      throws IOException {
    boolean onTerminal = session.surroundings().outIsTerminal();
    Profiles profiles = new Profiles(settings.folders().profile());
    Path keyFile = settings.folders().data().resolve("admin.key");
    OwnerKey.KeptKey told =
        new OwnerKey(profiles, keyFile, onTerminal)
            .keep(server.url(), server::accepts, () -> server.keyForOwner(null));
    if (!onTerminal && told.key().isPresent()) {
      say.accept("The operator's key is " + told.words());
    }
    session.print(
        "Millrace %s is ready at %s with %d effects."
            .formatted(Version.current(), server.url(), server.effects()));
    session.print("  Data     " + server.databaseInWords());
    session.print("  Key      " + told.words());
    if (!told.profile().isEmpty()) {
      session.print("  Profile  " + told.profile());
    }
    Path wanted = Profile.folder(session.surroundings().environment());
    if (!profiles.folder().toAbsolutePath().equals(wanted.toAbsolutePath())) {
      session.print(
          "  Profile  for the commands: export MILLRACE_PROFILE_DIR=" + profiles.folder());
    }
    session.print("  Console  " + console(server, told.key().filter(_ -> onTerminal)));
    session.print(
        "  Next     ./millrace run sketch/poster -i prompt=\"a red fox\" --wait -o fox.png");
  }

  /** The link signs its reader in, so it is for a person's eyes like the key itself. */
  private static String console(MillraceServer server, Optional<String> key) {
    return key.flatMap(server::consoleLink)
        .map(link -> link + "  (signs you in once)")
        .orElse(server.url() + "/console  (./millrace signin makes a link that signs you in)");
  }
}
