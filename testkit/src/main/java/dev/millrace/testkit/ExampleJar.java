package dev.millrace.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Builds an example as its reader would: javac, then jar. */
public final class ExampleJar {

  private ExampleJar() {}

  /**
   * Builds one.
   *
   * @param sources the folder of the Java files and of what else is packed
   * @param place a folder for what it takes
   */
  public static void build(Path sources, Path place, Path jar) {
    try {
      Path classes = Files.createDirectories(place.resolve("classes"));
      List<String> args =
          new ArrayList<>(
              List.of("-cp", System.getProperty("java.class.path", ""), "-d", classes.toString()));
      args.addAll(files(sources.resolve("java")).stream().map(Path::toString).toList());
      int failed =
          ToolProvider.getSystemJavaCompiler().run(null, null, null, args.toArray(String[]::new));
      if (failed != 0) {
        throw new IllegalStateException("the example doesn't compile");
      }
      Files.createDirectories(jar.toAbsolutePath().getParent());
      try (OutputStream out = Files.newOutputStream(jar);
          JarOutputStream packed = new JarOutputStream(out)) {
        add(packed, classes);
        add(packed, sources.resolve("resources"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void add(JarOutputStream jar, Path folder) throws IOException {
    for (Path file : files(folder)) {
      jar.putNextEntry(new JarEntry(folder.relativize(file).toString()));
      Files.copy(file, jar);
      jar.closeEntry();
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }
}
