package dev.millrace.contract.text;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The one line of a program's last words that says what happened. */
final class ErrorWords {

  static final String NOTHING = "Processing failed.";

  private static final int LOOKED_AT = 20_000;

  /** In a JSON document, or in a text that quotes one. */
  private static final Pattern FIELD =
      Pattern.compile(
          "\\\\?[\"'](?:exception_message|error_message)\\\\?[\"']\\s{0,20}:\\s{0,20}\\\\?[\"']"
              + "((?:[^\"'\\\\]|\\\\.|(?<=\\w)'(?=\\w)){1,1000})",
          Pattern.DOTALL);

  private static final Pattern ESCAPE = Pattern.compile("\\\\{1,4}(u[0-9a-fA-F]{4}|.)");

  private ErrorWords() {}

  static String of(String printed) {
    String head = printed.length() > LOOKED_AT ? printed.substring(0, LOOKED_AT) : printed;
    return inField(head).or(() -> oneLine(head)).orElse(NOTHING);
  }

  private static Optional<String> inField(String text) {
    Matcher field = FIELD.matcher(text);
    while (field.find()) {
      Optional<String> line = oneLine(unescaped(field.group(1)));
      if (line.isPresent()) {
        return line;
      }
    }
    return Optional.empty();
  }

  private static String unescaped(String quoted) {
    return ESCAPE
        .matcher(quoted)
        .replaceAll(escape -> {
          String what = escape.group(1);
          String meant =
              switch (what.charAt(0)) {
                case 'n', 'r' -> "\n";
                case 't' -> " ";
                case 'u' ->
                    what.length() == 5
                        ? String.valueOf((char) Integer.parseInt(what.substring(1), 16))
                        : what;
                default -> what;
              };
          return Matcher.quoteReplacement(meant);
        });
  }

  /** Of a trace the last line says what happened; the first lines of a document say nothing. */
  private static Optional<String> oneLine(String text) {
    List<String> lines = text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    if (lines.isEmpty() || isDocument(lines.getFirst())) {
      return Optional.empty();
    }
    return Optional.of(
        lines.getFirst().startsWith("Traceback (") ? lines.getLast() : lines.getFirst());
  }

  /** A list has no letter after its bracket, other than {@code [Errno 2]}. */
  private static boolean isDocument(String line) {
    return line.startsWith("{")
        || (line.startsWith("[") && (line.length() < 2 || !Character.isLetter(line.charAt(1))));
  }
}
