package dev.millrace.server.dialect;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/** A video platform: a workflow for its workers, and what its front end does. */
final class VideosRig {

  static final String SECRET = "the-secret-of-the-fleet-is-32-long";

  /** As much of a film as its first bytes tell. */
  static final byte[] FILM = "\0\0\0\030ftypisom a cat, filmed".getBytes(StandardCharsets.UTF_8);

  private static final String WORKFLOW =
      """
      workflow: face-swap
      title: Face swap
      executor: worker
      provider: comfyui
      properties:
        video: {type: file, media_types: [video/mp4], max_bytes: 1000000}
        prompt: {type: string, minLength: 1, maxLength: 100, default: a mask}
        seconds: {type: integer, minimum: 0, maximum: 600, default: 0}
      required: [video]
      template: face-swap.json
      output_node: "9"
      assets: {mask: mask.png}
      effects:
        - {effect: face-swap/one, title: Face swap, credits_cost: 3, retry: {max_interruptions: 2}}
      """;

  /** The same at Comfy Cloud. */
  private static final String CLOUD_WORKFLOW =
      WORKFLOW
          .replace("face-swap", "face-cloud")
          .replace("template: face-cloud", "template: face-swap")
          .replace("provider: comfyui", "provider: comfy-cloud");

  private static final String GRAPH =
      """
      {
        "1": {"class_type": "LoadImage", "inputs": {"image": "{{video}}"}},
        "2": {"class_type": "LoadImage", "inputs": {"image": "{{mask}}"}},
        "3": {"class_type": "TestSleep", "inputs": {"value": ["1", 0], "seconds": "{{seconds}}"}},
        "4": {"class_type": "ImageBlur", "inputs": {"image": ["3", 0], "by": ["2", 0], "text": "{{prompt}}"}},
        "5": {"class_type": "CreateVideo", "inputs": {"images": ["4", 0], "fps": 24}},
        "8": {"class_type": "SaveImage", "inputs": {"images": ["4", 0], "filename_prefix": "first"}},
        "9": {"class_type": "SaveVideo", "inputs": {"video": ["5", 0], "filename_prefix": "film"}}
      }
      """;

  private VideosRig() {}

  static ServerRig start(Path folder, String... settings) throws IOException {
    Path catalogue = Files.createDirectories(folder.resolve("catalogue"));
    Files.writeString(catalogue.resolve("face-swap.yaml"), WORKFLOW);
    Files.writeString(catalogue.resolve("face-cloud.yaml"), CLOUD_WORKFLOW);
    Files.writeString(catalogue.resolve("face-swap.json"), GRAPH);
    Files.write(
        catalogue.resolve("mask.png"),
        new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 1, 2});
    List<String> all = new ArrayList<>(List.of(settings));
    all.add("CATALOGUE_DIR=" + catalogue);
    all.add("FLEET_SECRET=" + SECRET);
    return ServerRig.start(folder, all.toArray(String[]::new));
  }

  /** What the effect's page does until the job is asked for: announce, PUT, make the video. */
  static String video(Client client) {
    Answer opened =
        client
            .post(
                "/api/videos/uploads",
                "{\"effect_id\":\"face-swap/one\",\"mime_type\":\"video/mp4\",\"size\":%d,\"original_filename\":\"cat.mp4\"}"
                    .formatted(FILM.length))
            .expect(201);
    put(client, opened.at("/upload_url"), opened.json().path("upload_headers"), FILM).expect(200);
    return client
        .post(
            "/api/videos",
            "{\"original_file_id\":\"%s\",\"effect_id\":\"face-swap/one\"}"
                .formatted(opened.at("/file/id")))
        .expect(201)
        .at("/id");
  }

  static Answer put(Client client, String url, JsonNode headers, byte[] bytes) {
    List<String> all = new ArrayList<>();
    for (var header : headers.properties()) {
      all.add(header.getKey());
      all.add(header.getValue().asString());
    }
    return client.send("PUT", url, BodyPublishers.ofByteArray(bytes), all.toArray(String[]::new));
  }

  static Answer apply(Client client, String video, String key, String payload) {
    return apply(client, "face-swap/one", video, key, payload);
  }

  static Answer apply(Client client, String effect, String video, String key, String payload) {
    return client.post(
        "/api/ai-jobs",
        "{\"effect_id\":\"%s\",\"video_id\":\"%s\",\"idempotency_key\":\"%s\",\"input_payload\":{%s}}"
            .formatted(effect, video, key, payload));
  }

  /** The front end asks every two seconds; we are less patient. */
  static Answer await(Client client, String video, String status) {
    return Awaitility.await()
        .until(
            () -> client.get("/api/videos/" + video).expect(200),
            answer -> answer.at("/status").equals(status));
  }
}
