package dev.millrace.cli.api;

import dev.millrace.worker.http.FileSlice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Puts a large file in parts, each to its own signed URL. A part that fails is sent again alone,
 * and URLs that ended meanwhile are asked for anew.
 */
final class PartsUpload {

  private static final int TRIES = 5;
  private static final int FORBIDDEN = 403;

  private final ServerApi api;
  private final String path;
  private final Path file;
  private final Upload.Watcher watcher;

  /**
   * @param path of the announced file in the API
   */
  PartsUpload(ServerApi api, String path, Path file, Upload.Watcher watcher) {
    this.api = api;
    this.path = path;
    this.file = file;
    this.watcher = watcher;
  }

  /** Puts all parts; answers with their tags in order. */
  List<String> put(JsonNode upload) throws IOException, InterruptedException {
    long size = Files.size(file);
    long partBytes = ApiJson.number(upload, "part_bytes");
    JsonNode places = upload.path("parts");
    int count = places.size();
    List<String> tags = new ArrayList<>();
    long sent = 0;
    for (int number = 1; number <= count; number++) {
      watcher.at(sent, size);
      JsonNode place = find(places, number);
      for (int tried = 1; ; tried++) {
        try {
          tags.add(putOne(place, (number - 1) * partBytes));
          break;
        } catch (RefusedException refused) {
          if (refused.problem().status() != FORBIDDEN || tried == TRIES) {
            throw refused;
          }
          // The URL ended while the parts before took their time.
          places = fresh(number, count);
          place = find(places, number);
        }
      }
      sent += ApiJson.number(place, "size");
    }
    watcher.at(sent, size);
    return tags;
  }

  private String putOne(JsonNode place, long offset) throws InterruptedException {
    return api.putSigned(
        ApiJson.text(place, "url"),
        Upload.headers(place),
        FileSlice.of(file, offset, ApiJson.number(place, "size")));
  }

  private JsonNode fresh(int from, int to) throws InterruptedException {
    ObjectNode body = ApiJson.object();
    ArrayNode numbers = body.putArray("numbers");
    for (int number = from; number <= to; number++) {
      numbers.add(number);
    }
    return api.postAgain(path + "/parts", body).path("upload").path("parts");
  }

  private static JsonNode find(JsonNode places, int number) throws IOException {
    for (JsonNode place : places) {
      if (ApiJson.number(place, "number") == number) {
        return place;
      }
    }
    throw new IOException("the server gave no URL for part " + number);
  }
}
