package dev.millrace.service.guard;

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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rules as a file.
 *
 * <p>Call {@link #reload} once at start and refuse to start if it is rejected. Later, {@link
 * #changed} is cheap enough to ask every few seconds, and says when another reload is worth it.
 */
public final class GuardRules {

  private static final int MOST_BYTES = 1024 * 1024;
  private static final Stamp NEVER = new Stamp(FileTime.fromMillis(0), -1);

  private final @Nullable Path path;
  private volatile RuleSet current = RuleSet.BUILT_IN;
  private volatile Stamp seen = NEVER;

  /** What tells an edited file from an untouched one without reading it. */
  private record Stamp(FileTime modified, long size) {}

  /**
   * Holds the built-in rules until the first reload.
   *
   * @param path null if no rules but the built-in limit on length are wanted
   */
  public GuardRules(@Nullable Path path) {
    this.path = path;
  }

  /** The newest good rules. Never blocks. */
  public RuleSet current() {
    return current;
  }

  /** Reads the file again. Its rules become the current ones only if it has no mistake. */
  public synchronized GuardReload reload() {
    if (path == null) {
      return new GuardReload.Reloaded(current);
    }
    // The stamp comes first: an edit while reading then shows as a change, and is not missed.
    Stamp stamp = stamp(path);
    SourceFile file = new SourceFile(String.valueOf(path.getFileName()), false);
    Optional<RuleSet> rules = read(path, file).map(text -> RulesReader.read(file, text));
    seen = stamp;
    if (rules.isEmpty() || file.hasProblems()) {
      return new GuardReload.Rejected(file.problems().stream().map(Object::toString).toList());
    }
    current = rules.get();
    return new GuardReload.Reloaded(current);
  }

  /**
   * Whether the file looks different from when it was last read, whatever came of that: a mistake
   * is reported once, and again only after the next edit.
   */
  public boolean changed() {
    return path != null && !stamp(path).equals(seen);
  }

  private static Optional<String> read(Path path, SourceFile file) {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length <= MOST_BYTES) {
        return Optional.of(
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
      }
      file.reportFile("the file is larger than " + MOST_BYTES / 1024 + " KiB");
    } catch (CharacterCodingException notUtf8) {
      file.reportFile("the file is not UTF-8 text");
    } catch (IOException unreadable) {
      file.reportFile("the file can't be read: does it exist?");
    }
    return Optional.empty();
  }

  private static Stamp stamp(Path path) {
    try {
      BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
      return new Stamp(found.lastModifiedTime(), found.size());
    } catch (IOException gone) {
      return NEVER;
    }
  }
}
