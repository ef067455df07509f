package dev.millrace.worker.fake;

import dev.millrace.testkit.net.Reply;
import dev.millrace.testkit.net.Request;
import dev.millrace.worker.http.AnswerJson;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** The double's file store, behind addresses with signatures. Guarded by the double's lock. */
final class FakeObjects {

  private final Map<String, byte[]> objects = new HashMap<>();
  private final Map<String, JsonNode> slots = new HashMap<>();
  private int generation;
  private int uploadsToFail;
  private int partBytes = Integer.MAX_VALUE;
  private int putsUntilEnd = Integer.MAX_VALUE;

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

  void takeParts(int bytes, int endAfter) {
    partBytes = bytes;
    putsUntilEnd = endAfter;
  }

  /** A place for an output, or for each of its parts. */
  Map<String, Object> place(String url, String key, JsonNode announced) {
    int size = announced.path("size").asInt(0);
    if (size > partBytes) {
      int count = (size - 1) / partBytes + 1;
      return parts(url, key, size, IntStream.rangeClosed(1, count).boxed().toList());
    }
    slots.put(key, announced);
    return Map.of(
        "key",
        key,
        "url",
        url + "/objects/" + key + signature(),
        "headers",
        Map.of("Content-Type", announced.path("media_type").asString("")),
        "expires_at",
        Instant.now().toString());
  }

  Map<String, Object> renewed(String url, JsonNode asked) {
    List<Integer> numbers = new ArrayList<>();
    asked.path("numbers").forEach(number -> numbers.add(number.asInt(0)));
    return parts(url, asked.path("key").asString(""), asked.path("size").asInt(0), numbers);
  }

  private Map<String, Object> parts(String url, String key, int size, List<Integer> numbers) {
    List<Map<String, Object>> parts = new ArrayList<>();
    for (int number : numbers) {
      int bytes = Math.min(partBytes, size - (number - 1) * partBytes);
      String part = key + ".part-" + number;
      slots.put(
          part,
          AnswerJson.object().put("size", bytes).put("media_type", "application/octet-stream"));
      parts.add(
          Map.of(
              "number",
              number,
              "size",
              bytes,
              "url",
              url + "/objects/" + part + signature(),
              "headers",
              Map.of("Content-Type", "application/octet-stream")));
    }
    String end = Instant.now().plusSeconds(3600).toString();
    return Map.of(
        "key",
        key,
        "upload_id",
        "up-1",
        "part_bytes",
        partBytes,
        "parts",
        parts,
        "expires_at",
        end);
  }

  /** Puts the named parts together, if they are the named ones. */
  void join(JsonNode output) {
    String key = output.path("key").asString("");
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    int number = 1;
    for (JsonNode tag : output.path("parts")) {
      byte[] part = get(key + ".part-" + number++);
      if (!tag.asString("").equals("\"" + sha256(part) + "\"")) {
        return;
      }
      whole.writeBytes(part);
    }
    if (number > 1 && output.path("upload_id").asString("").equals("up-1")) {
      put(key, whole.toByteArray());
    }
  }

  void put(String key, byte[] content) {
    objects.put(key, content);
  }

  byte[] get(String key) {
    return Objects.requireNonNullElse(objects.get(key), new byte[0]);
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
    if (--putsUntilEnd == 0) {
      endUrls();
    }
    return Reply.empty(200).with("ETag", "\"" + sha256(content) + "\"");
  }

  static String sha256(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  Map<String, Object> asset(String name, byte[] content, String mediaType) {
    String key = "input-" + UUID.randomUUID();
    put(key, content);
    Map<String, Object> asset = new LinkedHashMap<>();
    asset.put("name", name);
    asset.put("file_id", key);
    asset.put("sha256", sha256(content));
    asset.put("size", content.length);
    asset.put("media_type", mediaType);
    asset.put("placeholder", "{{" + name + "}}");
    return asset;
  }

  /** The job's files, each with an address that works now. */
  List<Map<String, Object>> signed(URI server, FakeJob job) {
    List<Map<String, Object>> assets = new ArrayList<>();
    for (JsonNode asset : AnswerJson.tree(job.body).path("assets")) {
      Map<String, Object> copy = new LinkedHashMap<>(AnswerJson.map(asset));
      copy.put("expires_at", Instant.now().plusSeconds(3600).toString());
      copy.put("url", server + "/objects/" + copy.get("file_id") + signature());
      assets.add(copy);
    }
    return assets;
  }
}
