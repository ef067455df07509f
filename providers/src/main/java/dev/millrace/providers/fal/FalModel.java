package dev.millrace.providers.fal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What a workflow wants to be run.
 *
 * @param path of the submit, such as {@code fal-ai/flux/dev}
 * @param app the first two segments of it: questions about work leave the rest out
 */
record FalModel(String path, String app) {

  private static final String SEGMENT = "[A-Za-z0-9][A-Za-z0-9._-]{0,99}";
  private static final Pattern MODEL =
      Pattern.compile(SEGMENT + "/" + SEGMENT + "(/" + SEGMENT + "){0,4}");
  private static final Set<String> KNOWN = Set.of("model", "priority");

  /** What the settings say; meaningful only if {@link #mistakes} finds nothing. */
  static FalModel of(Map<String, Object> settings) {
    String path = String.valueOf(settings.get("model"));
    String[] segments = path.split("/", -1);
    return new FalModel(path, segments[0] + "/" + segments[1]);
  }

  static List<String> mistakes(Map<String, Object> settings) {
    List<String> mistakes = new ArrayList<>();
    for (String key : new TreeSet<>(settings.keySet())) {
      if (!KNOWN.contains(key)) {
        mistakes.add(key + " is not a setting of fal; it has " + new TreeSet<>(KNOWN));
      }
    }
    if (!(settings.get("model") instanceof String model && MODEL.matcher(model).matches())) {
      mistakes.add("model must be the id of a model, such as fal-ai/flux/dev");
    }
    Object priority = settings.getOrDefault("priority", "normal");
    if (!"normal".equals(priority) && !"low".equals(priority)) {
      mistakes.add("priority must be normal or low");
    }
    return List.copyOf(mistakes);
  }
}
