package dev.millrace.service.catalogue.reading;

import dev.millrace.service.catalogue.SourceFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The operator's directory of YAML files. Subdirectories and hidden files are left alone. */
final class CatalogueFolder {

  static final int MOST_FILES = 500;
  static final int MOST_BYTES = 256 * 1024;

  private final Path directory;

  CatalogueFolder(Path directory) {
    this.directory = directory;
  }

  /** What tells an edited file from an untouched one without reading it. */
  record Stamp(FileTime modified, long size) {}

  /** Every file's stamp, by name; empty if the directory can't be listed. */
  Map<String, Stamp> stamps() {
    Map<String, Stamp> stamps = new TreeMap<>();
    try {
      for (Path path : list()) {
        stamps.put(name(path), stamp(path));
      }
      return stamps;
    } catch (IOException unreadable) {
      return Map.of();
    }
  }

  List<FileDraft> read(DraftReader reader) {
    try {
      List<Path> paths = list();
      if (paths.size() > MOST_FILES) {
        return List.of(
            broken(
                directory.toString(),
                "the catalogue directory has more than " + MOST_FILES + " YAML files"));
      }
      return paths.stream().map(path -> read(path, reader)).toList();
    } catch (IOException unreadable) {
      return List.of(
          broken(directory.toString(), "the catalogue directory can't be read: does it exist?"));
    }
  }

  /** A text as if it were a file here. */
  FileDraft read(String name, String text, DraftReader reader) {
    return reader.read(new SourceFile(name, false, directory), text);
  }

  private FileDraft read(Path path, DraftReader reader) {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        return broken(name(path), "the file is larger than " + MOST_BYTES / 1024 + " KiB");
      }
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return reader.read(new SourceFile(name(path), false, directory), text);
    } catch (CharacterCodingException notUtf8) {
      return broken(name(path), "the file is not UTF-8 text");
    } catch (IOException unreadable) {
      return broken(name(path), "the file can't be read");
    }
  }

  private List<Path> list() throws IOException {
    try (Stream<Path> paths = Files.list(directory)) {
      return paths.filter(CatalogueFolder::counts).sorted().limit(MOST_FILES + 1L).toList();
    }
  }

  private static boolean counts(Path path) {
    String name = name(path);
    boolean yaml = name.endsWith(".yaml") || name.endsWith(".yml");
    return yaml && !name.startsWith(".") && !Files.isDirectory(path);
  }

  static Stamp stamp(Path path) {
    try {
      BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
      return new Stamp(found.lastModifiedTime(), found.size());
    } catch (IOException goneMeanwhile) {
      return new Stamp(FileTime.fromMillis(0), -1);
    }
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }

  private static FileDraft broken(String name, String sentence) {
    SourceFile file = new SourceFile(name, false);
    file.reportFile(sentence);
    return new FileDraft(file, Optional.empty(), List.of());
  }
}
