package dev.millrace.service.catalogue;

import dev.millrace.storage.MediaType;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a file must be to be taken by a property.
 *
 * @param mediaTypes one of these; empty for any
 * @param maxBytes null for any size
 */
public record FileRule(List<MediaType> mediaTypes, @Nullable Long maxBytes) {

  /** The keyword that tells a file property from any other text, in the schema that clients see. */
  public static final String KEYWORD = "x-file";

  public FileRule {
    mediaTypes = List.copyOf(mediaTypes);
  }

  /** The rule of a property's schema; empty if the property is no file. */
  static Optional<FileRule> of(JsonNode schema) {
    JsonNode rule = schema.path(KEYWORD);
    if (!rule.isObject()) {
      return Optional.empty();
    }
    return Optional.of(
        new FileRule(
            rule.path("media_types").values().stream()
                .map(type -> MediaType.of(type.asString("")).orElseThrow())
                .toList(),
            rule.has("max_bytes") ? rule.path("max_bytes").asLong() : null));
  }

  public void describe(ObjectNode schema) {
    ObjectNode rule = schema.putObject(KEYWORD);
    if (!mediaTypes.isEmpty()) {
      ArrayNode types = rule.putArray("media_types");
      mediaTypes.forEach(type -> types.add(type.essence()));
    }
    if (maxBytes != null) {
      rule.put("max_bytes", maxBytes);
    }
  }
}
