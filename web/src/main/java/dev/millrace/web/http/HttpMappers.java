package dev.millrace.web.http;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

/** The mappers of this module that are not the usual one. They may be shared by threads. */
final class HttpMappers {

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

  private HttpMappers() {}

  private static JsonMapper.Builder reader(StreamReadConstraints bounds) {
    return JsonMapper.builder(JsonFactory.builder().streamReadConstraints(bounds).build())
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
  }
}
