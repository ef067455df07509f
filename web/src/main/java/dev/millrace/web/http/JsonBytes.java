package dev.millrace.web.http;

import java.nio.charset.StandardCharsets;
import tools.jackson.databind.ObjectMapper;

/** How the server writes JSON: snake_case names in declared order, ISO-8601 times, nulls kept. */
public final class JsonBytes {
  private JsonBytes() {}

  /** The mapper of the whole server; it is immutable and may be shared by threads. */
  public static ObjectMapper mapper() {
    return HttpMappers.WRITER;
  }

  /** A value as one line of JSON, as in the data of an event. */
  public static String text(Object value) {
    return HttpMappers.WRITER.writeValueAsString(value);
  }

  /**
   * A value as UTF-8. It goes through a string because a lone surrogate in somebody's text then
   * becomes a question mark instead of an exception.
   */
  public static byte[] bytes(Object value) {
    return text(value).getBytes(StandardCharsets.UTF_8);
  }
}
