package dev.millrace.cli.shell;

import dev.millrace.server.settings.ProfileFolder;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;

/**
 * Where the server is and which key to show it, so that nobody has to type either. {@code millrace
 * start} writes it.
 */
public record Profile(URI url, String key) {

  /** The name of the profile that is used when none is asked for. */
  public static final String DEFAULT = "default";

  /** The file of a profile: in MILLRACE_PROFILE_DIR, or where the user's settings live. */
  public static Path file(Map<String, String> environment, String name) {
    if (name.isEmpty() || !name.chars().allMatch(Profile::isNameCharacter)) {
      throw new Failure(
          ExitCode.USAGE, "A profile's name has letters, digits, '-' and '_' only: " + name);
    }
    return folder(environment)
        .resolve(name.equals(DEFAULT) ? "profile.properties" : "profile-" + name + ".properties");
  }

  /** Reads the file; empty if there is none. */
  public static Optional<Profile> load(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      throw new Failure(ExitCode.USAGE, file + " cannot be read: " + e.getMessage());
    }
    String url = properties.getProperty("url", "");
    if (url.isBlank()) {
      throw new Failure(ExitCode.USAGE, file + " has no url= line.");
    }
    return Optional.of(
        new Profile(Settings.serverUrl(url, file.toString()), properties.getProperty("key", "")));
  }

  /**
   * Replaces the file in one step. It holds a secret, so it is born readable by its owner alone
   * rather than restricted afterwards.
   */
  public void save(Path file) throws IOException {
    Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file in a folder");
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder, ownerOnly("rwx------"));
    }
    Path draft = Files.createTempFile(folder, ".profile", ".tmp", ownerOnly("rw-------"));
    try {
      Properties properties = new Properties();
      properties.setProperty("url", url.toString());
      properties.setProperty("key", key);
      try (Writer writer = Files.newBufferedWriter(draft)) {
        properties.store(writer, "Written by millrace start. The key is a secret.");
      }
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /** Leaves the key out, so that a profile in a log or an error does not give it away. */
  @Override
  public String toString() {
    return "Profile[url=" + url + "]";
  }

  private static Path folder(Map<String, String> environment) {
    String own = environment.getOrDefault("MILLRACE_PROFILE_DIR", "");
    if (!own.isBlank()) {
      return Path.of(own);
    }
    return ProfileFolder.in(environment)
        .orElseGet(() -> Path.of(System.getProperty("user.home"), ".config", "millrace"));
  }

  private static FileAttribute<?>[] ownerOnly(String permissions) {
    boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  private static boolean isNameCharacter(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '_';
  }
}
