package dev.millrace.cli.command;

import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Failure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What every list of a user's things can be narrowed by. */
final class ListOptions {

  @Option(names = "--user", paramLabel = "USER", description = "Only what belongs to this user.")
  @Nullable String user;

  @Option(names = "--limit", paramLabel = "N", description = "At most this many (default 20).")
  private int limit = 20;

  int limit() {
    if (limit < 1) {
      throw new Failure(ExitCode.USAGE, "--limit must be at least 1.");
    }
    return limit;
  }
}
