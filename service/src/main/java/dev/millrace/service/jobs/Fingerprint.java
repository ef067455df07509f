package dev.millrace.service.jobs;

import dev.millrace.engine.port.Changes.Links;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells whether two requests with one idempotency key ask for the same. It is taken of what the
 * user sent, not of what the effect makes of it, so that a retry after a change of the catalogue is
 * still the same request. The order of keys in an object does not matter.
 */
public final class Fingerprint {

  private static final JsonMapper CANONICAL =
      JsonMapper.builder()
          .enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
          .disable(SerializationFeature.INDENT_OUTPUT)
          .build();

  private Fingerprint() {}

  /** To do a job again is one request, whatever the catalogue makes of its input today. */
  static String of(JobRequest request, Links links) {
    if (links.retryOf() != null) {
      return sha256("retry of " + links.retryOf());
    }
    ObjectNode whole = CANONICAL.createObjectNode();
    whole.put("effect", request.effect());
    whole.set("input", request.input());
    whole.put("priority", request.priority());
    whole.put("run_at", request.runAt() == null ? "" : request.runAt().toString());
    return sha256(CANONICAL.writeValueAsString((JsonNode) whole));
  }

  /** Of any other request, as it was sent. */
  public static String of(JsonNode request) {
    return sha256(CANONICAL.writeValueAsString(request));
  }

  private static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
