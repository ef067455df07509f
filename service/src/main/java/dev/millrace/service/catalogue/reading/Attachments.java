package dev.millrace.service.catalogue.reading;

import dev.millrace.service.catalogue.AssetFile;
import dev.millrace.service.catalogue.SourceFile;
import dev.millrace.storage.MediaType;
import dev.millrace.storage.ObjectStat;
import dev.millrace.storage.output.Magic;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Files that lie beside a YAML file, or below it, and belong to it. None is taken from elsewhere,
 * whatever its path says or its links lead to.
 */
final class Attachments {

  static final long MOST_ASSET_BYTES = 256L << 20;
  static final int MOST_TEXT_BYTES = 4 << 20;

  private Attachments() {}

  static Optional<AssetFile> asset(SourceFile file, String at, String name, String text) {
    Optional<Path> found = find(file, at, text, MOST_ASSET_BYTES);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Path path = found.get();
    Optional<MediaType> type = MediaType.ofFileName(text);
    if (type.isEmpty()) {
      file.report(at, "must end in an extension that is known here, such as .png");
      return Optional.empty();
    }
    try (InputStream head = Files.newInputStream(path);
        InputStream whole = Files.newInputStream(path)) {
      if (!Magic.fits(type.get(), head.readNBytes(Magic.HEAD_BYTES))) {
        file.report(at, "names \"" + text + "\", which is not " + type.get().essence());
        return Optional.empty();
      }
      ObjectStat stat = ObjectStat.of(whole);
      return Optional.of(new AssetFile(name, path, type.get(), stat.size(), stat.sha256()));
    } catch (IOException unreadable) {
      file.report(at, "names \"" + text + "\", which can't be read");
      return Optional.empty();
    }
  }

  static Optional<String> text(SourceFile file, String at, String text) {
    Optional<Path> found = find(file, at, text, MOST_TEXT_BYTES);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    try {
      byte[] bytes = Files.readAllBytes(found.get());
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (IOException unreadable) {
      file.report(at, "names \"" + text + "\", which can't be read as UTF-8 text");
      return Optional.empty();
    }
  }

  private static Optional<Path> find(SourceFile file, String at, String text, long mostBytes) {
    Optional<Path> folder = file.folder();
    if (folder.isEmpty()) {
      file.report(at, "can't be given: nothing lies beside this file");
      return Optional.empty();
    }
    try {
      Path root = folder.get().toRealPath();
      Path wanted = root.resolve(text).normalize();
      if (text.isBlank() || Path.of(text).isAbsolute() || !wanted.startsWith(root)) {
        file.report(at, "must be the path of a file beside this one, or below it");
        return Optional.empty();
      }
      file.attach(wanted);
      if (!Files.isRegularFile(wanted)) {
        file.report(at, "names \"" + text + "\", and there is no such file");
        return Optional.empty();
      }
      Path real = wanted.toRealPath();
      if (!real.startsWith(root)) {
        file.report(at, "names \"" + text + "\", a link that leads elsewhere");
        return Optional.empty();
      }
      if (Files.size(real) > mostBytes) {
        file.report(at, "names \"" + text + "\", which is larger than " + mostBytes + " bytes");
        return Optional.empty();
      }
      return Optional.of(real);
    } catch (InvalidPathException | IOException unreadable) {
      file.report(at, "names \"" + text + "\", which can't be read");
      return Optional.empty();
    }
  }
}
