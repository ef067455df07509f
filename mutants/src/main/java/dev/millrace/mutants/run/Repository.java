package dev.millrace.mutants.run;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Where things are in the repository.
 *
 * @param home its folder; all modules that are needed are compiled, with their tests
 */
public record Repository(Path home) {

  /** For everything that a run leaves behind. */
  public Path out() {
    try {
      return Files.createDirectories(home.resolve("target/mutants"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public Path module(String name) {
    return home.resolve(name);
  }

  public Path classes(String module) {
    return module(module).resolve("target/classes");
  }

  public Path testClasses(String module) {
    return module(module).resolve("target/test-classes");
  }

  /** The libraries, with this module's own jar. */
  public List<Path> libraries() throws IOException {
    try (Stream<Path> jars = Files.list(module("mutants").resolve("target/mutants/lib"))) {
      return jars.filter(jar -> jar.toString().endsWith(".jar")).sorted().toList();
    }
  }

  public static String classPath(List<Path> entries) {
    return String.join(File.pathSeparator, entries.stream().map(Path::toString).toList());
  }

  /** Of the class files in these folders. */
  static String checksum(List<Path> folders) throws IOException {
    CRC32 sum = new CRC32();
    for (Path folder : folders) {
      List<Path> files = new ArrayList<>();
      try (Stream<Path> found = Files.walk(folder)) {
        found.filter(Files::isRegularFile).sorted().forEach(files::add);
      }
      for (Path file : files) {
        sum.update(Files.readAllBytes(file));
      }
    }
    return "%08x".formatted(sum.getValue());
  }
}
