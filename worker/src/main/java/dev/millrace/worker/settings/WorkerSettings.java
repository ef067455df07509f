package dev.millrace.worker.settings;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the operator decided.
 *
 * @param workerId empty to take the instance's or the host's name
 * @param workerToken a token that an admin gave by hand, because the old one was rotated
 * @param workDir empty for a folder of the system's temporary one
 * @param defaultExecutor who runs jobs that name no provider
 */
public record WorkerSettings(
    URI server,
    Secret fleetSecret,
    List<String> workflows,
    Optional<String> workerId,
    Optional<Secret> workerToken,
    int slots,
    Optional<Path> workDir,
    long diskBudgetBytes,
    long maxOutputBytes,
    Duration drain,
    LogFormat logFormat,
    Optional<String> defaultExecutor,
    Optional<Path> executorsDir,
    Optional<ComfyUi> comfyUi,
    Optional<ComfyCloud> comfyCloud,
    Optional<Command> command,
    Aws aws) {

  /** How log lines look. */
  public enum LogFormat {
    AUTO,
    TEXT,
    JSON
  }

  /** Yes, no, or find out. */
  public enum Switch {
    AUTO,
    ON,
    OFF
  }

  /**
   * A ComfyUI of one's own.
   *
   * @param away how long it may be gone while a job runs
   * @param stall how long nothing may move in it
   */
  public record ComfyUi(URI url, Duration poll, Duration away, Duration stall) {}

  /**
   * An account at Comfy Cloud.
   *
   * @param stall how long a job's status there may stay the same
   */
  public record ComfyCloud(URI url, Secret apiKey, Duration poll, Duration stall) {}

  /**
   * A program that does the work.
   *
   * @param stall how long it may do nothing at all; zero for as long as it likes
   */
  public record Command(List<String> words, boolean inheritStderr, Duration kill, Duration stall) {}

  /** What the worker does on EC2. */
  public record Aws(
      Switch spot,
      Duration spotPoll,
      boolean requeueOnRebalance,
      boolean scaleInProtection,
      Optional<String> group,
      Optional<String> region,
      URI metadata) {}

  /** A text that never shows itself. */
  public record Secret(String text) {
    @Override
    public String toString() {
      return "***";
    }
  }

  /**
   * Reads the environment.
   *
   * @throws SettingsException with every mistake in it
   */
  public static WorkerSettings read(Map<String, String> environment) {
    return SettingsReader.read(environment);
  }

  /** The names of all variables that are the worker's own. */
  public static Set<String> names() {
    return Arrays.stream(Variable.values()).map(Variable::name).collect(Collectors.toSet());
  }

  /** A line or two per variable, for the help. */
  public static List<String> help() {
    return Arrays.stream(Variable.values())
        .map(variable ->
            "  %-24s%s%n  %24s(%s)"
                .formatted(variable.name() + " ", variable.meaning(), "", variable.otherwise()))
        .toList();
  }
}
