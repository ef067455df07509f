package dev.millrace.architecture.tidy;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Reads the text files that people write; not what tools make, nor what others wrote. */
public final class Repository {

  private static final Set<String> NOT_OURS =
      Set.of("target", "data", "vendor", "node_modules", ".git", ".idea", ".vscode", ".settings");
  private static final Set<String> ENDINGS =
      Set.of("java", "md", "xml", "yaml", "yml", "sql", "properties", "sh", "jte", "css", "js");
  private static final Set<String> NAMES = Set.of("millrace", "run", "jvm.config", ".gitignore");

  private Repository() {}

  public static List<SourceFile> files() throws IOException {
    Path root = root();
    List<SourceFile> files = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return NOT_OURS.contains(nameOf(folder))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (attributes.isRegularFile() && isText(nameOf(file))) {
              String path = root.relativize(file).toString().replace('\\', '/');
              files.add(new SourceFile(path, Files.readString(file)));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    files.sort(Comparator.comparing(SourceFile::path));
    return files;
  }

  private static boolean isText(String name) {
    return NAMES.contains(name)
        || (ENDINGS.contains(name.substring(name.lastIndexOf('.') + 1)) && !name.contains(".min."));
  }

  /** The tests run in the folder of a module; the repository is where Maven's own folder is. */
  public static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(folder.resolve(".mvn"))) {
      Path parent = folder.getParent();
      if (parent == null) {
        throw new IllegalStateException("not inside the repository");
      }
      folder = parent;
    }
    return folder;
  }

  private static String nameOf(Path path) {
    Path name = path.getFileName();
    return name == null ? "" : name.toString();
  }
}
