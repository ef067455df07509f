package dev.millrace.worker;

import dev.millrace.worker.settings.WorkerSettings;
import dev.millrace.worker.settings.WorkerSettingsException;
import java.io.Console;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The entry point of {@code java -jar millrace-worker.jar}. */
public final class Main {

  static final int OK = 0;
  static final int FAILED = 1;
  static final int WRONG_SETTINGS = 2;

  private Main() {}

  public static void main(String[] args) {
    // The library that speaks to AWS logs by it, and would complain that nobody listens.
    System.setProperty("slf4j.internal.verbosity", "ERROR");
    System.exit(run(List.of(args), System.getenv(), System.out, System.err));
  }

  /** Runs the worker to its end and returns the exit code. */
  public static int run(
      List<String> args, Map<String, String> environment, PrintStream out, PrintStream err) {
    if (args.contains("--help") || args.contains("-h")) {
      out.println("Runs jobs of a Millrace server on this machine, until it is told to stop.");
      out.println("All settings are environment variables:");
      WorkerSettings.help().forEach(out::println);
      return OK;
    }
    if (!args.isEmpty()) {
      err.println("There are no arguments; settings are environment variables. Try --help.");
      return WRONG_SETTINGS;
    }
    try {
      boolean terminal =
          Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
      return WorkerProcess.run(WorkerSettings.read(environment), terminal, err) ? OK : FAILED;
    } catch (WorkerSettingsException e) {
      err.println(e.getMessage());
      return WRONG_SETTINGS;
    }
  }
}
