package dev.millrace.service.catalogue.reading;

import dev.millrace.service.catalogue.FileRule;
import dev.millrace.service.catalogue.QuotedText;
import dev.millrace.service.catalogue.SourceFile;
import dev.millrace.storage.MediaType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Properties of {@code type: file}. JSON Schema has no files, so such a property becomes a text
 * with the id of a file, and says in {@code x-file} which files it takes.
 */
final class FileProperties {

  private static final long MOST_BYTES = 1L << 40;
  private static final int MOST_TITLE_CHARACTERS = 120;
  private static final int MOST_DESCRIPTION_CHARACTERS = 2000;

  private FileProperties() {}

  /** The same properties, with every file property as JSON Schema. */
  static ObjectNode translate(SourceFile file, String at, ObjectNode properties) {
    ObjectNode translated = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> property : properties.properties()) {
      String here = SourceFile.within(at, property.getKey());
      JsonNode schema = property.getValue();
      if (schema.has(FileRule.KEYWORD)) {
        file.report(
            SourceFile.within(here, FileRule.KEYWORD), "can't be given; write type: file instead");
      }
      boolean isFile = schema.path("type").asString("").equals("file");
      translated.set(
          property.getKey(),
          isFile && schema instanceof ObjectNode object
              ? translated(new Section(file, here, object))
              : schema);
    }
    return translated;
  }

  private static ObjectNode translated(Section section) {
    section.has("type");
    ObjectNode schema = JsonNodeFactory.instance.objectNode();
    schema.put("type", "string");
    schema.put("format", "uuid");
    text(section, "title", MOST_TITLE_CHARACTERS).ifPresent(text -> schema.put("title", text));
    text(section, "description", MOST_DESCRIPTION_CHARACTERS)
        .ifPresent(text -> schema.put("description", text));
    Long most = section.has("max_bytes") ? section.whole("max_bytes", 1, MOST_BYTES) : null;
    new FileRule(mediaTypes(section), most).describe(schema);
    section.close();
    return schema;
  }

  private static Optional<String> text(Section section, String key, int most) {
    String text = section.optionalText(key, most);
    return text.isEmpty() ? Optional.empty() : Optional.of(text);
  }

  private static List<MediaType> mediaTypes(Section section) {
    List<MediaType> types = new ArrayList<>();
    List<JsonNode> items = section.list("media_types");
    for (int i = 0; i < items.size(); i++) {
      Optional<MediaType> type = MediaType.of(items.get(i).asString(""));
      if (type.isPresent()) {
        types.add(type.get());
      } else {
        section
            .file()
            .report(
                SourceFile.within(section.path("media_types"), i),
                "must be a media type that is stored here, such as image/png, not "
                    + QuotedText.of(items.get(i)));
      }
    }
    return types;
  }
}
