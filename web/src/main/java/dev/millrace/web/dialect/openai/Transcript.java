package dev.millrace.web.dialect.openai;

import dev.millrace.web.http.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * What was said, for effects that take one prompt.
 *
 * @param system what the model is told to be
 * @param prompt what is asked, with what was said before
 */
record Transcript(String system, String prompt) {

  private static final int MOST_MESSAGES = 1_000;
  private static final Set<String> OF_THE_SYSTEM = Set.of("system", "developer");
  private static final Set<String> OF_OTHERS = Set.of("user", "assistant");

  static Transcript of(JsonNode messages) {
    if (!messages.isArray() || messages.isEmpty() || messages.size() > MOST_MESSAGES) {
      throw ProblemException.invalid("/messages", "must be a list of 1 to 1000 messages");
    }
    List<String> system = new ArrayList<>();
    List<String> said = new ArrayList<>();
    List<String> roles = new ArrayList<>();
    for (int i = 0; i < messages.size(); i++) {
      String at = "/messages/" + i;
      String role = messages.path(i).path("role").asString("");
      String text = text(messages.path(i).path("content"), at + "/content");
      if (OF_THE_SYSTEM.contains(role)) {
        system.add(text);
      } else if (OF_OTHERS.contains(role)) {
        roles.add(role);
        said.add(text);
      } else {
        throw ProblemException.invalid(
            at + "/role", "must be system, developer, user or assistant");
      }
    }
    if (said.isEmpty()) {
      throw ProblemException.invalid("/messages", "must have a message of the user");
    }
    if (said.size() == 1) {
      return new Transcript(String.join("\n\n", system), said.getFirst());
    }
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < said.size(); i++) {
      lines.add(roles.get(i) + ": " + said.get(i));
    }
    return new Transcript(String.join("\n\n", system), String.join("\n\n", lines));
  }

  private static String text(JsonNode content, String at) {
    if (content.isString()) {
      return content.stringValue();
    }
    if (content.isArray()
        && content.valueStream().allMatch(part -> part.path("type").asString("").equals("text"))) {
      return content
          .valueStream()
          .map(part -> part.path("text").asString(""))
          .collect(Collectors.joining("\n"));
    }
    throw ProblemException.invalid(at, "must be text");
  }

  /** Both, for effects that take no more. */
  String whole() {
    return system.isEmpty() ? prompt : system + "\n\n" + prompt;
  }
}
