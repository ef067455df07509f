package dev.millrace.providers.openai;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A checked wish for a text.
 *
 * @param question what is sent
 * @param tokens the most that the answer can have, if that is known
 * @param preview whether watchers see the end of the text while it is written
 */
record ChatInput(
    ObjectNode question, int variants, Format format, Optional<Integer> tokens, boolean preview) {

  /** What the text is delivered as. */
  enum Format {
    TEXT("text/plain", "txt"),
    MARKDOWN("text/markdown", "md"),
    JSON("application/json", "json");

    private final String mediaType;
    private final String extension;

    Format(String mediaType, String extension) {
      this.mediaType = mediaType;
      this.extension = extension;
    }

    String mediaType() {
      return mediaType;
    }

    String extension() {
      return extension;
    }
  }

  private static final int LONGEST_TEXT = 200_000;
  private static final int LONGEST_MODEL = 200;
  private static final int MOST_MESSAGES = 200;
  private static final int MOST_VARIANTS = 8;
  private static final int MOST_TOKENS = 1_000_000;
  private static final List<String> ROLES = List.of("user", "assistant", "system", "developer");

  static ChatInput of(Map<String, Object> input, String usualModel) throws Unusable {
    Fields fields = new Fields(input);
    ObjectNode question = Answers.JSON.createObjectNode();
    question.put("model", fields.text("model", LONGEST_MODEL).orElse(usualModel));
    ArrayNode messages = question.putArray("messages");
    fields.text("system", LONGEST_TEXT).ifPresent(text -> message(messages, "system", text));
    addMessages(fields, messages);
    fields.text("prompt", LONGEST_TEXT).ifPresent(text -> message(messages, "user", text));
    if (messages.isEmpty()) {
      throw new Unusable("The input needs a prompt: what to write.");
    }
    Optional<Integer> tokens = Optional.empty();
    for (String limit : List.of("max_tokens", "max_completion_tokens")) {
      if (fields.has(limit)) {
        int most = fields.whole(limit, 1, 1, MOST_TOKENS);
        question.put(limit, most);
        tokens = Optional.of(most);
      }
    }
    fields.number("temperature", 0, 2).ifPresent(value -> question.put("temperature", value));
    fields.number("top_p", 0, 1).ifPresent(value -> question.put("top_p", value));
    if (fields.has("seed")) {
      question.put("seed", fields.whole("seed", 0, Integer.MIN_VALUE, Integer.MAX_VALUE));
    }
    int variants = fields.whole("variants", 1, 1, MOST_VARIANTS);
    if (variants > 1) {
      question.put("n", variants);
    }
    Format format =
        switch (fields.oneOf("format", List.of("text", "markdown", "json"))) {
          case "json" -> Format.JSON;
          case "markdown" -> Format.MARKDOWN;
          default -> Format.TEXT;
        };
    if (format == Format.JSON) {
      question.putObject("response_format").put("type", "json_object");
    }
    question.put("stream", true);
    question.putObject("stream_options").put("include_usage", true);
    return new ChatInput(question, variants, format, tokens, fields.truth("preview"));
  }

  /** Only text: a picture's URL would be fetched by the service, from wherever it stands. */
  private static void addMessages(Fields fields, ArrayNode messages) throws Unusable {
    Object given = fields.input().get("messages");
    if (given == null) {
      return;
    }
    if (!(given instanceof List<?> list) || list.size() > MOST_MESSAGES) {
      throw new Unusable("The messages must be a list of at most " + MOST_MESSAGES + ".");
    }
    for (Object each : list) {
      if (!(each instanceof Map<?, ?> one)
          || !(one.get("role") instanceof String role)
          || !ROLES.contains(role)
          || !(one.get("content") instanceof String content)
          || content.length() > LONGEST_TEXT) {
        throw new Unusable(
            "Each message needs a role (" + String.join(", ", ROLES) + ") and a text as content.");
      }
      message(messages, role, content);
    }
  }

  private static void message(ArrayNode messages, String role, String content) {
    messages.addObject().put("role", role).put("content", content);
  }
}
