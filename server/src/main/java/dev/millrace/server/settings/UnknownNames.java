package dev.millrace.server.settings;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the names that look like settings and are none, which otherwise would do nothing. */
final class UnknownNames {

  private static final Set<String> KEYS =
      SettingsTable.ALL.stream().map(Setting::key).collect(Collectors.toUnmodifiableSet());

  private static final Set<String> ENVIRONMENT =
      Stream.concat(
              SettingsTable.ALL.stream().map(Setting::environmentName),
              SettingsTable.OTHER_NAMES.stream().map(SettingsTable.OtherName::name))
          .collect(Collectors.toUnmodifiableSet());

  /**
   * Kubernetes puts such variables into every container for a service whose name starts with
   * "millrace". Nobody wrote them, so they are no mistakes.
   */
  private static final Pattern SERVICE_LINK =
      Pattern.compile(
          "MILLRACE_(\\w+_)?(SERVICE_HOST|SERVICE_PORT(_\\w+)?"
              + "|PORT_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)");

  private static final Pattern SERVICE_LINK_ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");

  private UnknownNames() {}

  /** Whether a variable could only have been meant for Millrace, in whatever case it is written. */
  static boolean isOurs(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    return upper.startsWith("MILLRACE_") || upper.startsWith("MILLRACE.");
  }

  static boolean isKnown(String name) {
    return ENVIRONMENT.contains(name);
  }

  static List<String> inEnvironment(Map<String, String> environment) {
    return new TreeSet<>(environment.keySet())
        .stream()
            .filter(name -> isOurs(name) && !isKnown(name))
            .filter(name -> !isServiceLink(name, environment.getOrDefault(name, "")))
            .map(name -> sentence(name, "", ENVIRONMENT))
            .toList();
  }

  /** The file is ours alone, so every key in it must be a setting. */
  static List<String> inFile(Collection<String> keys, String fileName) {
    return new TreeSet<>(keys)
        .stream()
            .filter(key -> !KEYS.contains(key))
            .map(key -> sentence(key, " (" + fileName + ")", KEYS))
            .toList();
  }

  private static boolean isServiceLink(String name, String value) {
    return SERVICE_LINK.matcher(name).matches()
        || (name.endsWith("_PORT") && SERVICE_LINK_ADDRESS.matcher(value).matches());
  }

  private static String sentence(String name, String place, Set<String> candidates) {
    return Quoted.name(name)
        + place
        + " is not a setting; "
        + NearestName.to(name, candidates)
            .map(nearest -> "did you mean " + nearest + "?")
            .orElse("docs/configuration.md lists them all");
  }
}
