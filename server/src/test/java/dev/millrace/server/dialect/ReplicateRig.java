package dev.millrace.server.dialect;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An effect that takes a file, and plain HTTP without the API's own description. */
final class ReplicateRig {

  private static final String CATALOGUE =
      """
      workflow: keep
      title: Keep
      executor: sketch
      properties:
        prompt: {type: string}
        width: {type: integer, default: 256}
        height: {type: integer, default: 256}
        image: {type: file, media_types: [image/png]}
      required: [prompt]
      effects:
        - effect: keep/picture
          title: Keep
          credits_cost: 1
      """;

  private ReplicateRig() {}

  static Path catalogue(Path folder) throws IOException {
    Path catalogue = Files.createDirectories(folder.resolve("catalogue"));
    Files.writeString(catalogue.resolve("keep.yaml"), CATALOGUE);
    return catalogue;
  }

  /** Somebody who speaks plain HTTP, with this key. */
  record Caller(HttpClient http, String root, String authorization) {

    Told post(String path, String json, String... headers) {
      return send("POST", path, json.getBytes(java.nio.charset.StandardCharsets.UTF_8), headers);
    }

    Told get(String path, String... headers) {
      return send("GET", path, new byte[0], headers);
    }

    Told send(String method, String path, byte[] body, String... headers) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(path.startsWith("http") ? path : root + path))
              .timeout(Duration.ofSeconds(90))
              .method(method, BodyPublishers.ofByteArray(body))
              .setHeader("Content-Type", "application/json");
      if (body.length > 1 << 20) {
        request.expectContinue(true);
      }
      if (!authorization.isEmpty()) {
        request.setHeader("Authorization", authorization);
      }
      for (int i = 0; i < headers.length; i += 2) {
        request.setHeader(headers[i], headers[i + 1]);
      }
      try {
        HttpResponse<byte[]> answer = http.send(request.build(), BodyHandlers.ofByteArray());
        return new Told(answer);
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** An answer. */
  record Told(HttpResponse<byte[]> response) {

    int status() {
      return response.statusCode();
    }

    String text() {
      return new String(response.body(), java.nio.charset.StandardCharsets.UTF_8);
    }

    JsonNode json() {
      return JsonMapper.shared().readTree(text());
    }

    String at(String pointer) {
      return json().at(pointer).asString("");
    }

    Told expect(int status) {
      if (status() != status) {
        throw new AssertionError(status() + " instead of " + status + ": " + text());
      }
      return this;
    }
  }
}
