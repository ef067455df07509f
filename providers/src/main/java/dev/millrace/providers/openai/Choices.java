package dev.millrace.providers.openai;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** The texts of an answer as they come, one for each choice. */
final class Choices {

  private static final int MOST_CHOICES = 64;

  /** One of them. */
  static final class Choice {
    private final StringBuilder text = new StringBuilder();
    private String finish = "";
    private boolean refused;

    String text() {
      return text.toString();
    }

    String finish() {
      return finish;
    }

    boolean isFinished() {
      return !finish.isEmpty();
    }

    /** Why it may not be delivered; empty if it may. */
    String objection() {
      return finish.equals("content_filter") ? "content_filter" : refused ? "refusal" : "";
    }
  }

  private final Map<Integer, Choice> choices = new TreeMap<>();
  private final Map<String, Object> usage = new LinkedHashMap<>();
  private long length;

  /**
   * Takes an answer, or a piece of one.
   *
   * @param part what a choice's text is in: {@code delta} or {@code message}
   * @return false if it makes no sense
   */
  boolean take(JsonNode answer, String part) {
    JsonNode all = answer.path("choices");
    for (JsonNode each : all.values()) {
      JsonNode index = each.path("index");
      int number = index.isMissingNode() ? 0 : index.asInt(-1);
      if (number < 0 || number >= MOST_CHOICES) {
        return false;
      }
      Choice choice = choices.computeIfAbsent(number, _ -> new Choice());
      String text = Answers.text(each.path(part).path("content"));
      choice.text.append(text);
      length += text.length();
      choice.refused |= !Answers.text(each.path(part).path("refusal")).isEmpty();
      String finish = Answers.text(each.path("finish_reason"));
      choice.finish = finish.isEmpty() ? choice.finish : finish;
    }
    usage.putAll(Usage.of(answer.path("usage")));
    return all.isArray() || answer.path("usage").isObject();
  }

  /** The characters of all of them together. */
  long length() {
    return length;
  }

  /** The last characters that came, of the first choice. */
  String tail(int most) {
    Choice first = choices.get(0);
    if (first == null) {
      return "";
    }
    int start = Math.max(0, first.text.length() - most);
    return first.text.substring(start);
  }

  boolean areFinished() {
    return !choices.isEmpty() && choices.values().stream().allMatch(Choice::isFinished);
  }

  Map<Integer, Choice> all() {
    return choices;
  }

  Map<String, Object> usage() {
    return usage;
  }
}
