package dev.millrace.web.http;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The text of one frame of an event stream, with its blank line. */
public final class SseFrame {
  private static final Pattern LINE_END = Pattern.compile("\r\n|\r|\n");

  private SseFrame() {}

  public static String event(@Nullable String id, @Nullable String name, String data) {
    StringBuilder frame = new StringBuilder(data.length() + 48);
    if (id != null) {
      frame.append("id: ").append(printableAscii(id)).append('\n');
    }
    if (name != null) {
      frame.append("event: ").append(printableAscii(name)).append('\n');
    }
    return lines(frame, "data: ", data).append('\n').toString();
  }

  public static String comment(String text) {
    return lines(new StringBuilder(), ": ", text).append('\n').toString();
  }

  public static String retry(long milliseconds) {
    if (milliseconds < 0) {
      throw new IllegalArgumentException("A delay is not negative: " + milliseconds);
    }
    return "retry: " + milliseconds + "\n\n";
  }

  /** CR, LF and CRLF all end a line in the format, so each must become a line of its own. */
  private static StringBuilder lines(StringBuilder frame, String field, String text) {
    if (text.indexOf('\n') < 0 && text.indexOf('\r') < 0) {
      return frame.append(field).append(text).append('\n');
    }
    for (String line : LINE_END.split(text, -1)) {
      frame.append(field).append(line).append('\n');
    }
    return frame;
  }

  private static String printableAscii(String word) {
    if (word.isEmpty() || !word.chars().allMatch(c -> c >= ' ' && c < 0x7F)) {
      throw new IllegalArgumentException("An event's id and name are printable ASCII");
    }
    return word;
  }
}
