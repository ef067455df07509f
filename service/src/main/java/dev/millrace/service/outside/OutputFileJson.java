package dev.millrace.service.outside;

import dev.millrace.engine.job.OutputFile;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/** Outputs as they are stored beside a job until somebody adopts them; its names never change. */
final class OutputFileJson {

  private static final JsonMapper JSON = JsonMapper.shared();

  private OutputFileJson() {}

  static String write(List<OutputFile> files) {
    ArrayNode array = JSON.createArrayNode();
    for (OutputFile file : files) {
      array
          .addObject()
          .put("id", file.id().toString())
          .put("key", file.key())
          .put("name", file.name())
          .put("mediaType", file.mediaType())
          .put("size", file.size())
          .put("sha256", file.sha256())
          .put("width", file.width())
          .put("height", file.height())
          .put("thumbnailKey", file.thumbnailKey())
          .put("text", file.text());
    }
    return array.toString();
  }

  static List<OutputFile> read(String json) {
    List<OutputFile> files = new ArrayList<>();
    for (JsonNode file : JSON.readTree(json)) {
      files.add(
          new OutputFile(
              UUID.fromString(file.path("id").asString()),
              file.path("key").asString(),
              file.path("name").asString(),
              new OutputFile.Content(
                  file.path("mediaType").asString(),
                  file.path("size").asLong(),
                  file.path("sha256").asString()),
              new OutputFile.Picture(
                  number(file.path("width")),
                  number(file.path("height")),
                  text(file.path("thumbnailKey"))),
              text(file.path("text"))));
    }
    return List.copyOf(files);
  }

  private static @Nullable Integer number(JsonNode value) {
    return value.isNumber() ? Integer.valueOf(value.intValue()) : null;
  }

  private static @Nullable String text(JsonNode value) {
    return value.isString() ? value.stringValue() : null;
  }
}
