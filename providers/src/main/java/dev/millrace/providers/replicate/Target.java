package dev.millrace.providers.replicate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a workflow wants to be run, and how.
 *
 * @param path of the create call
 * @param version to be named in its body, for models that have versions
 * @param waitSeconds how long the create call is left open for a quick result; 0 for not at all
 */
record Target(String path, Optional<String> version, int waitSeconds) {

  private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,99}";
  private static final Pattern OWNED =
      Pattern.compile("(?<owner>" + NAME + ")/(?<name>" + NAME + ")(:(?<version>[0-9a-f]{64}))?");
  private static final Pattern VERSION = Pattern.compile("[0-9a-f]{64}");
  private static final Set<String> KNOWN =
      Set.of("model", "version", "deployment", "wait_seconds", "webhook_events");
  private static final int MOST_WAIT = 60;

  /** What the settings say; meaningful only if {@link #mistakes} finds nothing. */
  static Target of(Map<String, Object> settings) {
    int wait = settings.get("wait_seconds") instanceof Number seconds ? seconds.intValue() : 0;
    if (settings.get("version") instanceof String version) {
      return new Target("/predictions", Optional.of(version), wait);
    }
    boolean deployed = settings.containsKey("deployment");
    Matcher owned = OWNED.matcher(String.valueOf(settings.get(deployed ? "deployment" : "model")));
    if (!owned.matches()) {
      throw new IllegalStateException("settings must be checked before they are used");
    }
    if (owned.group("version") != null) {
      return new Target("/predictions", Optional.of(owned.group("version")), wait);
    }
    String path =
        (deployed ? "/deployments/" : "/models/")
            + owned.group("owner")
            + "/"
            + owned.group("name")
            + "/predictions";
    return new Target(path, Optional.empty(), wait);
  }

  static List<String> mistakes(Map<String, Object> settings) {
    List<String> mistakes = new ArrayList<>();
    for (String key : new TreeSet<>(settings.keySet())) {
      if (!KNOWN.contains(key)) {
        mistakes.add(key + " is not a setting of replicate; it has " + new TreeSet<>(KNOWN));
      }
    }
    long targets =
        List.of("model", "version", "deployment").stream().filter(settings::containsKey).count();
    if (targets != 1) {
      mistakes.add("exactly one of model, version and deployment must be given");
    }
    check(settings, "model", OWNED, "must be owner/name or owner/name:version", mistakes);
    check(settings, "version", VERSION, "must be the 64 hex digits of a version", mistakes);
    check(settings, "deployment", OWNED, "must be owner/name", mistakes);
    if (settings.get("deployment") instanceof String name && name.contains(":")) {
      mistakes.add("deployment must be owner/name");
    }
    Object wait = settings.get("wait_seconds");
    if (wait != null
        && !(wait instanceof Integer seconds && seconds >= 0 && seconds <= MOST_WAIT)) {
      mistakes.add("wait_seconds must be a whole number from 0 to " + MOST_WAIT);
    }
    PredictionEvents.mistake(settings).ifPresent(mistakes::add);
    return List.copyOf(mistakes);
  }

  private static void check(
      Map<String, Object> settings,
      String key,
      Pattern pattern,
      String law,
      List<String> mistakes) {
    Object value = settings.get(key);
    if (settings.containsKey(key)
        && !(value instanceof String text && pattern.matcher(text).matches())) {
      mistakes.add(key + " " + law);
    }
  }
}
