package dev.millrace.cli.api;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.storage.MediaType;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Brings a file to the server: announces it, puts its bytes to a signed URL, or to one for each of
 * its parts, and confirms it.
 */
public final class Upload {

  private static final int ALREADY_THERE = 412;

  private final ServerApi api;
  private final Watcher watcher;

  /** Hears how far a large file is. */
  @FunctionalInterface
  public interface Watcher {
    void at(long bytes, long of);
  }

  public Upload(ServerApi api, Watcher watcher) {
    this.api = api;
    this.watcher = watcher;
  }

  /**
   * Brings a file.
   *
   * @param mediaType null to tell by the name's extension
   * @param user on whose behalf; null for the usual one
   * @return the File object of the API
   * @throws IOException if it cannot be read
   */
  public JsonNode bring(Path file, @Nullable String mediaType, @Nullable String user)
      throws IOException, InterruptedException {
    long size = Files.size(file);
    String sha256 = Sha256.hex(file);
    ObjectNode wish = ApiJson.object().put("name", String.valueOf(file.getFileName()));
    wish.put("media_type", mediaType == null ? typeOf(file) : mediaType);
    wish.put("size", size);
    wish.put("sha256", sha256);
    if (user != null) {
      wish.put("user", user);
    }
    JsonNode announced = api.post("/api/files", wish);
    String path = "/api/files/" + ServerApi.segment(ApiJson.text(announced, "id"));
    ObjectNode found = ApiJson.object().put("size", size).put("sha256", sha256);
    JsonNode upload = announced.path("upload");
    if (upload.has("parts")) {
      new PartsUpload(api, path, file, watcher).put(upload).forEach(found.putArray("parts")::add);
    } else {
      put(upload, file);
    }
    return api.postAgain(path + "/confirm", found);
  }

  static Map<String, String> headers(JsonNode place) {
    Map<String, String> headers = new LinkedHashMap<>();
    place
        .path("headers")
        .properties()
        .forEach(header -> headers.put(header.getKey(), header.getValue().asString()));
    return headers;
  }

  private void put(JsonNode upload, Path file) throws IOException, InterruptedException {
    try {
      api.putSigned(ApiJson.text(upload, "url"), headers(upload), BodyPublishers.ofFile(file));
    } catch (RefusedException refused) {
      // A first try whose answer was lost has put it there; the confirmation will tell.
      if (refused.problem().status() != ALREADY_THERE) {
        throw refused;
      }
    }
  }

  private static String typeOf(Path file) {
    return MediaType.ofFileName(String.valueOf(file.getFileName()))
        .orElse(MediaType.BINARY)
        .essence();
  }
}
