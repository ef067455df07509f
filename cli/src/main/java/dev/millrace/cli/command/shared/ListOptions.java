package dev.millrace.cli.command.shared;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What every list of a user's things can be narrowed by. */
public final class ListOptions {

  @Option(names = "--user", paramLabel = "USER", description = "Only what belongs to this user.")
  public @Nullable String user;

  @Mixin private Limit limit = new Limit();

  public int limit() {
    return limit.number();
  }
}
