package dev.millrace.server.settings;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The properties file as it is written.
 *
 * @param path null if there is none, or none that could be read
 */
record SettingsFile(@Nullable Path path, Map<String, String> entries) {

  private static final String NAME = "millrace.properties";
  private static final SettingsFile NONE = new SettingsFile(null, Map.of());

  String name() {
    return path == null ? NAME : String.valueOf(path.getFileName());
  }

  /** A file that was named must be there; the one in the working directory need not be. */
  static SettingsFile read(
      Map<String, String> environment, Path workingDir, List<String> mistakes) {
    String named = environment.getOrDefault(Sources.CONFIG_FILE, "").strip();
    if (named.isEmpty()) {
      Path usual = workingDir.resolve(NAME);
      return Files.exists(usual) ? read(usual, NAME, mistakes) : NONE;
    }
    String label = Sources.CONFIG_FILE + " names " + Quoted.value(named);
    Path path;
    try {
      path = workingDir.resolve(named);
    } catch (IllegalArgumentException _) {
      mistakes.add(label + ", which is not a path");
      return NONE;
    }
    if (!Files.isRegularFile(path)) {
      mistakes.add(label + ", which is not a file");
      return NONE;
    }
    return read(path, label + ", which", mistakes);
  }

  private static SettingsFile read(Path path, String subject, List<String> mistakes) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(path)) {
      properties.load(reader);
    } catch (CharacterCodingException _) {
      mistakes.add(subject + " is not UTF-8 text");
      return NONE;
    } catch (IOException _) {
      mistakes.add(subject + " cannot be read");
      return NONE;
    } catch (IllegalArgumentException _) {
      mistakes.add(subject + " has a \\u that is not followed by four hexadecimal digits");
      return NONE;
    }
    Map<String, String> entries = new HashMap<>();
    properties.stringPropertyNames().forEach(key -> entries.put(key, properties.getProperty(key)));
    return new SettingsFile(path, entries);
  }
}
