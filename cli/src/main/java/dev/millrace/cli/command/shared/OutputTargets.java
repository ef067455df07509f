package dev.millrace.cli.command.shared;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Decides where downloads go. A file gets one output under its own name and several as {@code
 * fox-1.png}, {@code fox-2.png}; a folder keeps the names that the server suggests.
 */
public final class OutputTargets {

  private final Path output;
  private final boolean force;

  public OutputTargets(Path output, boolean force) {
    this.output = output;
    this.force = force;
  }

  /** Refuses what is bound to fail later, before anything is paid for. */
  public void check() {
    if (output.toString().equals("-")) {
      throw new CommandFailure(ExitCode.USAGE, "-o needs a file or a folder; '-' is neither.");
    }
    if (Files.isDirectory(output)) {
      return;
    }
    Path folder = output.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new CommandFailure(ExitCode.USAGE, "There is no folder " + folder + ".");
    }
    if (!Files.isWritable(folder)) {
      throw new CommandFailure(ExitCode.USAGE, "No permission to write into " + folder + ".");
    }
    refuseExisting(output);
  }

  /** One path per output, none of which exists, unless overwriting is wanted. */
  public List<Path> plan(List<JsonNode> outputs) {
    List<Path> paths = new ArrayList<>();
    Set<Path> taken = new HashSet<>();
    for (int i = 0; i < outputs.size(); i++) {
      Path path;
      if (Files.isDirectory(output)) {
        Path wanted = output.resolve(safeName(outputs.get(i)));
        path = taken.contains(wanted) ? numbered(wanted, i + 1) : wanted;
      } else {
        path = outputs.size() == 1 ? output : numbered(output, i + 1);
      }
      refuseExisting(path);
      taken.add(path);
      paths.add(path);
    }
    return paths;
  }

  private void refuseExisting(Path path) {
    if (!force && Files.exists(path)) {
      throw new CommandFailure(
          ExitCode.USAGE, path + " exists already.", "another name, or --force to overwrite it");
    }
  }

  private static Path numbered(Path path, int number) {
    String name = path.getFileName().toString();
    int dot = name.lastIndexOf('.');
    String numbered =
        dot <= 0
            ? name + "-" + number
            : name.substring(0, dot) + "-" + number + name.substring(dot);
    return path.resolveSibling(numbered);
  }

  private static String safeName(JsonNode file) {
    String name = safe(ApiJson.text(file, "name"));
    String id = safe(ApiJson.text(file, "id"));
    return !name.isEmpty() ? name : !id.isEmpty() ? id : "output";
  }

  /** The server suggests a name, not a place: no folders, nothing hidden, nothing unprintable. */
  private static String safe(String name) {
    StringBuilder safe = new StringBuilder();
    name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
        .codePoints()
        .filter(c -> !Character.isISOControl(c) && c != ':')
        .dropWhile(c -> c == '.' || c == '-' || c == ' ')
        .limit(120)
        .forEach(safe::appendCodePoint);
    return safe.toString();
  }
}
