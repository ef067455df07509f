package dev.millrace.cli.shell;

import dev.millrace.server.settings.ProfileFolder;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
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
    return file(folder(environment), name);
  }

  /** The file of a profile in this folder. */
  public static Path file(Path folder, String name) {
    if (name.isEmpty() || !name.chars().allMatch(Profile::isNameCharacter)) {
      throw new CommandFailure(
          ExitCode.USAGE, "A profile's name has letters, digits, '-' and '_' only: " + name);
    }
    return folder.resolve(
        name.equals(DEFAULT) ? "profile.properties" : "profile-" + name + ".properties");
  }

  /** Reads the file; empty if there is none. */
  public static Optional<Profile> load(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, file + " cannot be read: " + e.getMessage());
    }
    String url = properties.getProperty("url", "");
    if (url.isBlank()) {
      throw new CommandFailure(ExitCode.USAGE, file + " has no url= line.");
    }
    return Optional.of(
        new Profile(Settings.serverUrl(url, file.toString()), properties.getProperty("key", "")));
  }

  /** Replaces the file in one step. */
  public void save(Path file) throws IOException {
    Properties properties = new Properties();
    properties.setProperty("url", url.toString());
    properties.setProperty("key", key);
    StringWriter text = new StringWriter();
    properties.store(text, "Written by millrace start. The key is a secret.");
    OwnerFile.replace(file, text.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Leaves the key out, so that a profile in a log or an error does not give it away. */
  @Override
  public String toString() {
    return "Profile[url=" + url + "]";
  }

  /** Where the commands look for profiles. */
  public static Path folder(Map<String, String> environment) {
    String own = environment.getOrDefault("MILLRACE_PROFILE_DIR", "");
    if (!own.isBlank()) {
      return Path.of(own);
    }
    return ProfileFolder.in(environment)
        .orElseGet(() -> Path.of(System.getProperty("user.home"), ".config", "millrace"));
  }

  private static boolean isNameCharacter(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '_';
  }
}
