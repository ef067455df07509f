package dev.millrace.server.settings;

import dev.millrace.service.names.NearestName;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the names that look like settings and are none, which otherwise would do nothing. */
final class UnknownNames {

  /**
   * Kubernetes puts such variables into every container for a service whose name starts with
   * "millrace". Nobody wrote them, so they are no mistakes.
   */
  private static final Pattern SERVICE_LINK =
      Pattern.compile(
          "MILLRACE_(\\w+_)?(SERVICE_HOST|SERVICE_PORT(_\\w+)?"
              + "|PORT_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)");

  private static final Pattern SERVICE_LINK_ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");

  private static final String PREFIX = Setting.environmentName(Setting.PREFIX);

  private final Set<String> keys;
  private final Set<String> variables;

  /** Compares with these settings, and with what other parts of Millrace read. */
  UnknownNames(List<Setting<?>> settings) {
    keys = settings.stream().map(Setting::key).collect(Collectors.toUnmodifiableSet());
    variables =
        Stream.concat(
                settings.stream().map(Setting::environmentName),
                SettingsTable.OTHER_NAMES.stream().map(SettingsTable.OtherName::name))
            .collect(Collectors.toUnmodifiableSet());
  }

  /** Whether a variable could only have been meant for Millrace, in whatever case it is written. */
  static boolean isOurs(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    return upper.startsWith("MILLRACE_") || upper.startsWith("MILLRACE.");
  }

  boolean isKnown(String name) {
    return variables.contains(name);
  }

  List<String> inEnvironment(Map<String, String> environment) {
    return new TreeSet<>(environment.keySet())
        .stream()
            .filter(name -> isOurs(name) && !isKnown(name))
            .filter(name -> !isServiceLink(name, environment.getOrDefault(name, "")))
            .map(name -> sentence(name, "", variables))
            .toList();
  }

  /** The file is ours alone, so every key in it must be a setting. */
  List<String> inFile(Collection<String> written, String fileName) {
    return new TreeSet<>(written)
        .stream()
            .filter(key -> !keys.contains(key))
            .map(key -> sentence(key, " (" + fileName + ")", keys))
            .toList();
  }

  private static boolean isServiceLink(String name, String value) {
    return SERVICE_LINK.matcher(name).matches()
        || (name.endsWith("_PORT") && SERVICE_LINK_ADDRESS.matcher(value).matches());
  }

  private static String sentence(String name, String place, Set<String> candidates) {
    Map<String, String> byEssence =
        candidates.stream().collect(Collectors.toMap(UnknownNames::essence, Function.identity()));
    return Quoted.name(name)
        + place
        + " is not a setting; "
        + NearestName.ofAbbreviated(essence(name), byEssence.keySet())
            .map(byEssence::get)
            .map(nearest -> "did you mean " + nearest + "?")
            .orElse("docs/configuration.md lists them all");
  }

  /** What is left when spelling conventions and the common prefix are out of the way. */
  private static String essence(String name) {
    String upper = Setting.environmentName(name);
    return upper.startsWith(PREFIX) ? upper.substring(PREFIX.length()) : upper;
  }
}
