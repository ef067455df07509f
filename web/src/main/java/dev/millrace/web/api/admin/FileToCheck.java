package dev.millrace.web.api.admin;

import dev.millrace.service.catalogue.reading.CatalogueFiles;
import dev.millrace.web.api.request.Body;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A file of the catalogue that somebody wants to know the mistakes of. */
public record FileToCheck(String name, String text) {

  /** What a file is called that has no name. */
  public static final String USUAL_NAME = "pasted.yaml";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,95}\\.ya?ml");

  /** As a request or a form says it. */
  public static FileToCheck read(ObjectNode fields) {
    Body body = Body.of(fields, "name", "text");
    @Nullable JsonNode name = body.raw("name");
    if (name != null && !(name.isString() && NAME.matcher(name.stringValue()).matches())) {
      body.wrong("name", "must be a file name that ends in .yaml or .yml");
    }
    @Nullable JsonNode text = body.raw("text");
    if (text == null) {
      body.wrong("text", "is required");
    } else if (!text.isString() || !isBearable(text.stringValue())) {
      body.wrong("text", "must be YAML text of at most 256 KiB");
    }
    body.requireGood();
    return new FileToCheck(
        name == null ? USUAL_NAME : name.asString(), text == null ? "" : text.asString());
  }

  private static boolean isBearable(String text) {
    return !text.isBlank()
        && text.getBytes(StandardCharsets.UTF_8).length <= CatalogueFiles.MOST_BYTES;
  }
}
