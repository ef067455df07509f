package dev.millrace.cli.shell;

import dev.millrace.cli.api.RetryWait;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;

/** Everything that a command sees of the process it runs in. */
public record Surroundings(
    InputStream in,
    PrintStream out,
    PrintStream err,
    Terminals terminals,
    Map<String, String> environment,
    Clock clock,
    RetryWait pause) {

  private static final int DEFAULT_COLUMNS = 100;

  /** Without COLUMNS, the bar assumes the classic width, because one that wraps makes a mess. */
  private static final int DEFAULT_BAR_COLUMNS = 80;

  /**
   * Which of the three streams are a terminal.
   *
   * @param in whether a person is there to answer a question
   * @param out whether a person reads standard output directly
   * @param err whether standard error can show a bar that redraws itself
   */
  public record Terminals(boolean in, boolean out, boolean err) {}

  public Surroundings {
    environment = Map.copyOf(environment);
  }

  /** This process. */
  public static Surroundings ofProcess() {
    return new Surroundings(
        System.in,
        System.out,
        System.err,
        new Terminals(isTerminal(0), isTerminal(1), isTerminal(2)),
        System.getenv(),
        Clock.systemUTC(),
        Thread::sleep);
  }

  public boolean inIsTerminal() {
    return terminals.in;
  }

  public boolean outIsTerminal() {
    return terminals.out;
  }

  public boolean errIsTerminal() {
    return terminals.err;
  }

  /** The variable's value; empty if it is not set. */
  public String variable(String name) {
    return environment.getOrDefault(name, "");
  }

  int columns() {
    return columns(DEFAULT_COLUMNS);
  }

  /** One column is left free: some terminals wrap as soon as the last one is written. */
  public int barColumns() {
    return columns(DEFAULT_BAR_COLUMNS) - 1;
  }

  boolean mayColour() {
    return variable("NO_COLOR").isEmpty() && !variable("TERM").equals("dumb");
  }

  static boolean isUnicode(PrintStream stream) {
    return stream.charset().equals(StandardCharsets.UTF_8);
  }

  private int columns(int otherwise) {
    try {
      return Math.clamp(Integer.parseInt(variable("COLUMNS")), 20, 1_000);
    } catch (NumberFormatException _) {
      return otherwise;
    }
  }

  /**
   * The JDK tells only whether input and output both are terminals; a bar on standard error must
   * also work when the output goes to a file.
   */
  private static boolean isTerminal(int descriptor) {
    Path link = Path.of("/proc/self/fd/" + descriptor);
    try {
      String device = Files.readSymbolicLink(link).toString();
      return device.startsWith("/dev/pts/")
          || device.startsWith("/dev/tty")
          || device.equals("/dev/console");
    } catch (IOException | UnsupportedOperationException _) {
      return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    }
  }
}
