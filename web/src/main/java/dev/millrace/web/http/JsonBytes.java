package dev.millrace.web.http;

import java.nio.charset.StandardCharsets;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * How the server writes JSON: snake_case names in declared order, ISO-8601 times, nulls kept. The
 * mappers that {@link StrictJson} reads with are beside the one that writes; threads may share
 * them.
 */
public final class JsonBytes {

  static final StreamReadConstraints BOUNDS =
      StreamReadConstraints.builder()
          .maxNestingDepth(64)
          .maxNumberLength(100)
          .maxStringLength(1 << 20)
          .maxNameLength(256)
          .maxTokenCount(200_000)
          .build();

  /** Reads what clients send. */
  static final JsonMapper READER = reader(BOUNDS).build();

  /** Takes the NaN and Infinity that some languages write, and numbers and names of any length. */
  static final JsonMapper LENIENT =
      reader(BOUNDS.rebuild().maxNumberLength(1 << 20).maxNameLength(1 << 20).build())
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .build();

  /** Writes what the server answers. */
  static final JsonMapper WRITER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
          .build();

  private JsonBytes() {}

  /** The mapper of the whole server; it is immutable and may be shared by threads. */
  public static ObjectMapper mapper() {
    return WRITER;
  }

  /** A value as one line of JSON, as in the data of an event. */
  public static String text(Object value) {
    return WRITER.writeValueAsString(value);
  }

  /**
   * A value as UTF-8. It goes through a string because a lone surrogate in somebody's text then
   * becomes a question mark instead of an exception.
   */
  public static byte[] bytes(Object value) {
    return text(value).getBytes(StandardCharsets.UTF_8);
  }

  private static JsonMapper.Builder reader(StreamReadConstraints bounds) {
    return JsonMapper.builder(JsonFactory.builder().streamReadConstraints(bounds).build())
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
  }
}
