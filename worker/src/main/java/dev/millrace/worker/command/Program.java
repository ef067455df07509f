package dev.millrace.worker.command;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;

/** Finds a program as the system would. */
final class Program {

  private Program() {}

  /** Whether a word names something that can be started. */
  static boolean isThere(String word) {
    try {
      if (word.indexOf('/') >= 0 || word.indexOf(File.separatorChar) >= 0) {
        return executable(Path.of(word));
      }
      String folders = System.getenv().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
      return Arrays.stream(folders.split(File.pathSeparator, -1))
          .filter(folder -> !folder.isEmpty())
          .map(Path::of)
          .anyMatch(folder ->
              executable(folder.resolve(word)) || executable(folder.resolve(word + ".exe")));
    } catch (InvalidPathException _) {
      return false;
    }
  }

  private static boolean executable(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }
}
