package dev.millrace.service.json;

import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** The mappers of this module that are not the usual one. */
public final class JsonMappers {

  /** Writes objects that say the same as the same text. */
  public static final JsonMapper CANONICAL =
      JsonMapper.builder()
          .enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
          .disable(SerializationFeature.INDENT_OUTPUT)
          .build();

  /** Reads one value, and refuses a key that comes twice. */
  public static final JsonMapper STRICT =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private JsonMappers() {}
}
