package dev.millrace.server.fleet;

import dev.millrace.server.executor.PublicText;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a job's owner may read of a worker's error. Workers send whatever their program printed: a
 * JSON document, a stack trace, a page of text. One line of it is kept, without addresses and
 * secrets.
 */
final class WorkerError {

  private static final String FALLBACK = "Processing failed.";
  private static final List<String> FIELDS = List.of("exception_message", "error_message");
  private static final int LOOKED_AT = 20_000;

  /** The same fields in a text that is no whole JSON document, or quoted inside another. */
  private static final Pattern FIELD =
      Pattern.compile(
          "\\\\?[\"'](?:exception_message|error_message)\\\\?[\"']\\s*:\\s*\\\\?[\"']"
              + "((?:[^\"'\\\\]|\\\\.){1,1000})");

  private static final Pattern ADDRESS = Pattern.compile("\\b[a-z][a-z0-9+.-]{1,20}://\\S+");
  private static final Pattern SECRET =
      Pattern.compile("\\b(?:mrw?_[0-9A-Za-z]+|[Bb]earer\\s+\\S+|X-Amz-[A-Za-z-]+=\\S+)");

  private WorkerError() {}

  static String sanitised(String raw) {
    String text = raw.length() > LOOKED_AT ? raw.substring(0, LOOKED_AT) : raw;
    String line = inJson(text).or(() -> inText(text)).or(() -> firstLine(text)).orElse(FALLBACK);
    String bare = ADDRESS.matcher(line).replaceAll("[url]");
    String shown = PublicText.of(SECRET.matcher(bare).replaceAll("[secret]"));
    return shown.isBlank() ? FALLBACK : shown;
  }

  private static Optional<String> inJson(String text) {
    if (!text.stripLeading().startsWith("{")) {
      return Optional.empty();
    }
    try {
      JsonNode document = JsonMapper.shared().readTree(text);
      return FIELDS.stream()
          .map(document::findValue)
          .filter(value -> value != null && value.isString() && !value.stringValue().isBlank())
          .map(JsonNode::stringValue)
          .findFirst()
          .flatMap(WorkerError::firstLine);
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> inText(String text) {
    Matcher field = FIELD.matcher(text);
    return field.find()
        ? firstLine(field.group(1).replaceAll("\\\\+n", "\n").replaceAll("\\\\+(.)", "$1"))
        : Optional.empty();
  }

  /** Of a trace the last line says what happened; the first lines of a document say nothing. */
  private static Optional<String> firstLine(String text) {
    List<String> lines = text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    if (lines.isEmpty() || lines.getFirst().startsWith("{") || lines.getFirst().startsWith("[")) {
      return Optional.empty();
    }
    return Optional.of(
        lines.getFirst().startsWith("Traceback (") ? lines.getLast() : lines.getFirst());
  }
}
