package dev.millrace.worker.fake;

import dev.millrace.testkit.net.Reply;
import dev.millrace.testkit.net.Request;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The double's file store, behind addresses with signatures. Guarded by the double's lock. */
final class FakeObjects {

  private final Map<String, byte[]> objects = new HashMap<>();
  private final Map<String, JsonNode> slots = new HashMap<>();
  private int generation;
  private int uploadsToFail;

  /** What an address ends with to be good now; it must never be logged. */
  String signature() {
    return "?signature=canary-" + generation;
  }

  void endUrls() {
    generation++;
  }

  void failUploads(int count) {
    uploadsToFail = count;
  }

  void put(String key, byte[] content) {
    objects.put(key, content);
  }

  byte[] get(String key) {
    return Objects.requireNonNullElse(objects.get(key), new byte[0]);
  }

  /** Only this size and type may be put there. */
  void bind(String key, JsonNode announced) {
    slots.put(key, announced);
  }

  Reply answer(Request request) {
    String key = request.path().substring("/objects/".length());
    boolean signed = request.param("signature").equals("canary-" + generation);
    if (!signed || request.header("Authorization").isPresent()) {
      return Reply.text(403, "The signature has ended.");
    }
    if (request.method().equals("PUT")) {
      return upload(key, request);
    }
    byte[] content = objects.get(key);
    return content == null
        ? Reply.text(404, "nothing")
        : Reply.bytes(200, "application/octet-stream", content);
  }

  private Reply upload(String key, Request request) {
    if (uploadsToFail > 0) {
      uploadsToFail--;
      return Reply.text(500, "not now");
    }
    JsonNode bound = slots.get(key);
    byte[] content = request.body().bytes();
    boolean fits =
        bound != null
            && bound.path("size").asLong(-1) == content.length
            && request
                .header("Content-Type")
                .equals(Optional.of(bound.path("media_type").asString("")));
    if (!fits) {
      return Reply.text(403, "That isn't what was signed.");
    }
    objects.put(key, content);
    return Reply.empty(200);
  }

  static String sha256(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
