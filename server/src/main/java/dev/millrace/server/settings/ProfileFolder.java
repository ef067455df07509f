package dev.millrace.server.settings;

import dev.millrace.server.settings.Setting.Default;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Where the CLI's profile is kept unless somebody says otherwise: where the XDG rules put it. The
 * server writes it and the CLI reads it, so both ask here.
 */
public final class ProfileFolder {

  static final Default DEFAULT =
      new Default("`$XDG_CONFIG_HOME/millrace`, else `~/.config/millrace`", ProfileFolder::of);

  private ProfileFolder() {}

  /** The folder of whoever has this environment; empty if it tells of no home. */
  public static Optional<Path> in(Map<String, String> environment) {
    // The XDG rules say that a relative path is to be ignored.
    String config = environment.getOrDefault("XDG_CONFIG_HOME", "");
    if (config.startsWith("/")) {
      return Optional.of(Path.of(config, "millrace"));
    }
    String home = environment.getOrDefault("HOME", "");
    return home.isBlank() ? Optional.empty() : Optional.of(Path.of(home, ".config", "millrace"));
  }

  private static String of(Map<String, String> environment) {
    // A service often has no home, and its data folder is the one place that is surely its own.
    return in(environment)
        .map(folder -> Sources.literal(folder.toString()))
        .orElse("${millrace.data-dir}/profile");
  }
}
