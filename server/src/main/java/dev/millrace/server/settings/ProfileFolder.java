package dev.millrace.server.settings;

import dev.millrace.server.settings.Setting.Default;
import java.util.Map;

/** Where the CLI's profile is kept unless somebody says otherwise: where the XDG rules put it. */
final class ProfileFolder {

  static final Default DEFAULT =
      new Default("`$XDG_CONFIG_HOME/millrace`, else `~/.config/millrace`", ProfileFolder::of);

  private ProfileFolder() {}

  private static String of(Map<String, String> environment) {
    // The XDG rules say that a relative path is to be ignored.
    String config = environment.getOrDefault("XDG_CONFIG_HOME", "");
    if (config.startsWith("/")) {
      return Sources.literal(config + "/millrace");
    }
    String home = environment.getOrDefault("HOME", "");
    if (!home.isBlank()) {
      return Sources.literal(home + "/.config/millrace");
    }
    // A service often has no home, and its data folder is the one place that is surely its own.
    return "${millrace.data-dir}/profile";
  }
}
