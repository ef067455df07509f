package dev.millrace.cli.command;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What every list of a user's things can be narrowed by. */
final class ListOptions {

  @Option(names = "--user", paramLabel = "USER", description = "Only what belongs to this user.")
  @Nullable String user;

  @Mixin private Limit limit = new Limit();

  int limit() {
    return limit.number();
  }
}
