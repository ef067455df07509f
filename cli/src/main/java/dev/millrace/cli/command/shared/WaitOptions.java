package dev.millrace.cli.command.shared;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How to wait for a job, and what to do with what it made. */
public final class WaitOptions {

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description =
          "Download the outputs; several become FILE-1, FILE-2; a folder keeps their names.")
  private @Nullable Path output;

  @Option(names = "--force", description = "Overwrite files.")
  private boolean force;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = Seconds.class,
      description = "Stop waiting after this time, such as 90s or 5m; the job goes on.")
  private @Nullable Duration timeout;

  public Optional<OutputTargets> targets() {
    return Optional.ofNullable(output).map(path -> new OutputTargets(path, force));
  }

  public Optional<Duration> timeout() {
    return Optional.ofNullable(timeout);
  }
}
