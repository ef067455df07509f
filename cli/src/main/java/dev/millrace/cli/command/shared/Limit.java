package dev.millrace.cli.command.shared;

import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
import picocli.CommandLine.Option;

/** How long a list may get. */
public final class Limit {

  @Option(names = "--limit", paramLabel = "N", description = "At most this many (default 20).")
  private int limit = 20;

  public int number() {
    if (limit < 1) {
      throw new CommandFailure(ExitCode.USAGE, "--limit must be at least 1.");
    }
    return limit;
  }
}
