package dev.millrace.cli.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.Millrace;
import dev.millrace.cli.api.ApiJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The program with its main class, as the script would start it. */
final class Program {

  private static final long LIMIT_SECONDS = 90;

  /** The options of the script for short-lived commands; they suit a short-lived server, too. */
  private static final List<String> JAVA_OPTIONS =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Xmx512m",
          "--enable-native-access=ALL-UNNAMED",
          "-Djava.awt.headless=true",
          "-Dstdout.encoding=UTF-8",
          "-Dstderr.encoding=UTF-8");

  /** How a command ended. */
  record Result(int exit, String out, String err) {

    /** Insists on the exit code, and shows what was said if it is another. */
    Result exits(int code) {
      assertThat(exit).as("exit code; it says:%n%s%n%s", out, err).isEqualTo(code);
      return this;
    }

    /** The output, which must be one JSON value. */
    JsonNode json() {
      return ApiJson.parse(out);
    }

    /** The output, of which each line must be a JSON value. */
    List<JsonNode> jsonLines() {
      return out.lines().map(ApiJson::parse).toList();
    }
  }

  private Program() {}

  /** Starts a process; its input is empty and its output goes to the files. */
  static Process launch(
      Path folder, Map<String, String> variables, Path out, Path err, String... args)
      throws IOException {
    List<String> words = command();
    words.addAll(List.of(args));
    return start(folder, variables, out, err, words);
  }

  /** Writes the script that a reader has at hand as {@code ./millrace}. */
  static void script(Path folder) throws IOException {
    String words = command().stream().map(Program::quoted).collect(Collectors.joining(" "));
    Path script = folder.resolve("millrace");
    Files.writeString(script, "#!/usr/bin/env bash\nexec " + words + " \"$@\"\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
  }

  /** Runs lines of a shell, of which each must succeed, to their end. */
  static Result shell(Path folder, Map<String, String> variables, String lines)
      throws IOException, InterruptedException {
    return toItsEnd(
        folder,
        variables,
        List.of("bash", "-o", "errexit", "-o", "nounset", "-o", "pipefail", "-c", lines));
  }

  private static List<String> command() {
    List<String> words = new ArrayList<>();
    words.add(ProcessHandle.current().info().command().orElseThrow());
    words.addAll(JAVA_OPTIONS);
    words.add("-cp");
    words.add(System.getProperty("java.class.path"));
    words.add(Millrace.class.getName());
    return words;
  }

  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  private static Process start(
      Path folder, Map<String, String> variables, Path out, Path err, List<String> words)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .directory(folder.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    Map<String, String> environment = builder.environment();
    // What the person who runs the tests has set up for themselves must not decide the outcome.
    environment
        .keySet()
        .removeIf(name ->
            name.startsWith("MILLRACE_")
                || name.startsWith("LC_")
                || name.equals("COLUMNS")
                || name.equals("JAVA_TOOL_OPTIONS")
                || name.equals("JDK_JAVA_OPTIONS"));
    environment.put("LC_ALL", "C.UTF-8");
    environment.putAll(variables);
    return builder.start();
  }

  /** Runs a command to its end. */
  static Result run(Path folder, Map<String, String> variables, String... args)
      throws IOException, InterruptedException {
    List<String> words = command();
    words.addAll(List.of(args));
    return toItsEnd(folder, variables, words);
  }

  private static Result toItsEnd(Path folder, Map<String, String> variables, List<String> words)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, ".cli", ".out");
    Path err = Files.createTempFile(folder, ".cli", ".err");
    Process process = start(folder, variables, out, err, words);
    try {
      assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
          .as("%s ends", words.getLast())
          .isTrue();
      return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    } finally {
      process.destroyForcibly();
      Files.delete(out);
      Files.delete(err);
    }
  }
}
