package dev.millrace.service.requests;

import dev.millrace.contract.digest.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What a line of a list must be. */
final class LineReader {

  private static final int LONGEST_NAME = 200;

  private final String endpoint;

  /** Hashes instead of names, so that many long ones take little room. */
  private final Set<String> seen = new HashSet<>();

  LineReader(String endpoint) {
    this.endpoint = endpoint;
  }

  /** A request and the client's own name for it. */
  record Named(String customId, ObjectNode body) {}

  /** What is wrong with a line. */
  record Mistake(String code, String message, @Nullable String param) {}

  /** The request of a line that was found good before. */
  Named read(LineFile.Line line) {
    ObjectNode json = (ObjectNode) JsonMapper.shared().readTree(line.bytes());
    return new Named(json.path("custom_id").stringValue(), (ObjectNode) json.path("body"));
  }

  /** What is wrong with it; each line may be asked about once. */
  Optional<Mistake> mistake(LineFile.Line line) {
    if (line.tooLong()) {
      return Optional.of(
          new Mistake(
              "line_too_long",
              "The line has more than %d bytes.".formatted(LineFile.LONGEST),
              null));
    }
    JsonNode json;
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line.bytes()));
      json = JsonMapper.shared().readTree(line.bytes());
    } catch (CharacterCodingException _) {
      return Optional.of(new Mistake("invalid_json_line", "The line is not UTF-8.", null));
    } catch (JacksonException _) {
      return Optional.of(new Mistake("invalid_json_line", "The line is not JSON.", null));
    }
    String name = json.path("custom_id").asString("");
    if (!json.path("custom_id").isString()
        || name.isBlank()
        || name.length() > LONGEST_NAME
        || name.indexOf('\0') >= 0) {
      return wrong("invalid_custom_id", "custom_id", "must be a text of 1 to 200 characters");
    }
    if (!seen.add(Sha256.hex(name).substring(0, 32))) {
      return wrong("duplicate_custom_id", "custom_id", "is that of a line before");
    }
    if (!json.path("method").asString("").equals("POST")) {
      return wrong("invalid_method", "method", "must be POST");
    }
    if (!json.path("url").asString("").equals(endpoint)) {
      return wrong("mismatched_url", "url", "must be the endpoint of the batch");
    }
    return json.path("body").isObject()
        ? Optional.empty()
        : wrong("invalid_body", "body", "must be an object");
  }

  private static Optional<Mistake> wrong(String code, String param, String message) {
    return Optional.of(new Mistake(code, "%s %s.".formatted(param, message), param));
  }
}
