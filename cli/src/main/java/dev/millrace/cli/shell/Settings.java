package dev.millrace.cli.shell;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which server to ask and which key to show: options first, then the environment, then the profile.
 *
 * @param key null if none is known
 */
record Settings(URI url, @Nullable String key) {

  static Settings resolve(Options options, Map<String, String> environment) throws IOException {
    String name = options.profile() == null ? Profile.DEFAULT : options.profile();
    Path file = Profile.file(environment, name);
    Optional<Profile> profile = Profile.load(file);
    if (options.profile() != null && profile.isEmpty()) {
      throw new CommandFailure(
          ExitCode.NOT_FOUND, "There is no profile " + name + ".", "millrace profiles");
    }
    URI url = url(options, environment, profile);
    // Who names a profile means its key as well, not one that is meant for another server.
    String variable = options.profile() == null ? environment.get("MILLRACE_API_KEY") : null;
    String key = first(options.key(), variable);
    if (key == null && profile.isPresent() && !profile.get().key().isEmpty()) {
      // A key belongs to its server: pointing --url elsewhere must not hand it over.
      key = sameServer(profile.get().url(), url) ? profile.get().key() : null;
    }
    return new Settings(url, key);
  }

  /** Checks and trims the address of a server. */
  static URI serverUrl(String text, String where) {
    String trimmed = text.strip();
    while (trimmed.endsWith("/")) {
      trimmed = trimmed.substring(0, trimmed.length() - 1);
    }
    try {
      URI url = URI.create(trimmed);
      String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
      if ((scheme.equals("http") || scheme.equals("https")) && url.getHost() != null) {
        return url;
      }
    } catch (IllegalArgumentException _) {
      // Told below, like any other text that is no address.
    }
    throw new CommandFailure(
        ExitCode.USAGE,
        "'" + text + "' (from " + where + ") is no address of a server.",
        "write it like http://127.0.0.1:8080");
  }

  private static URI url(
      Options options, Map<String, String> environment, Optional<Profile> profile) {
    if (options.url() != null) {
      return serverUrl(options.url(), "--url");
    }
    String variable = first(null, environment.get("MILLRACE_URL"));
    if (variable != null && options.profile() == null) {
      return serverUrl(variable, "MILLRACE_URL");
    }
    return profile
        .map(Profile::url)
        .orElseThrow(() ->
            new CommandFailure(
                ExitCode.UNREACHABLE,
                "No server is known yet.",
                "start one with ./millrace start, or name one with --url or MILLRACE_URL"));
  }

  private static boolean sameServer(URI a, URI b) {
    return a.toString().equalsIgnoreCase(b.toString());
  }

  private static @Nullable String first(@Nullable String option, @Nullable String variable) {
    if (option != null) {
      return option;
    }
    return variable == null || variable.isBlank() ? null : variable.strip();
  }
}
