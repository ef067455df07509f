package dev.millrace.server.dialect;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/** A backend with locations: a server, and the endpoint that takes what comes of processes. */
final class ProcessesRig implements AutoCloseable {

  /** Rows that become jobs, by an effect of the operator's own. */
  private static final String CATALOGUE =
      """
      effects_of: csv-import
      effects:
        - effect: processes/csv-drafts
          title: Drafts of a table
          credits_cost: 0
          fixed: {row_effect: sketch/draft}
      """;

  final ProductEndpoint product = new ProductEndpoint();
  final ServerRig rig;
  Client admin;
  final String secret;
  final String endpoint;

  ProcessesRig(Path folder) throws IOException {
    Path catalogue = Files.createDirectories(folder.resolve("catalogue"));
    Files.writeString(catalogue.resolve("drafts.yaml"), CATALOGUE);
    rig =
        ServerRig.start(
            folder,
            product.allowed(),
            "CATALOGUE_DIR=" + catalogue,
            "MAX_INTERRUPTIONS=100",
            "HEARTBEAT_SECONDS=1");
    admin = rig.as("admin");
    rig.credit("default", 1_000);
    Answer made =
        admin
            .post(
                "/api/admin/webhooks",
                "{\"url\":\"%s\",\"events\":[\"transfer.items\",\"transfer.rows\"]}"
                    .formatted(product.url()))
            .expect(201);
    secret = made.at("/secret");
    endpoint = made.at("/id");
  }

  /** A process of this type that was just asked for, with more fields of the request. */
  Answer asked(String type, String input, String more) {
    return admin
        .post(
            "/api/jobs",
            "{\"effect\":\"processes/%s\",\"input\":{%s}%s}".formatted(type, input, more))
        .expect(201);
  }

  Answer process(String id) {
    return admin.get("/api/processes/" + id).expect(200);
  }

  Answer await(String id, String status) {
    return Awaitility.await()
        .atMost(Duration.ofSeconds(90))
        .until(() -> process(id), process -> process.at("/status").equals(status));
  }

  /** Brings a file; its id. */
  String brought(String name, String mediaType, byte[] bytes) {
    JsonNode file =
        admin
            .post(
                "/api/files",
                "{\"name\":\"%s\",\"media_type\":\"%s\",\"size\":%d}"
                    .formatted(name, mediaType, bytes.length))
            .expect(201)
            .json();
    admin.putTo(file.path("upload"), bytes).expect(200);
    String id = file.path("id").asString();
    admin
        .post(
            "/api/files/" + id + "/confirm",
            "{\"size\":%d,\"sha256\":\"%s\"}".formatted(bytes.length, Sha256.hex(bytes)))
        .expect(200);
    return id;
  }

  /** A process that imports this table. */
  String imported(String table, String moreInput) {
    return imported(table.getBytes(StandardCharsets.UTF_8), moreInput);
  }

  String imported(byte[] table, String moreInput) {
    String file = brought("places.csv", "text/csv", table);
    return asked("csv-location-import", "\"file\":\"%s\"%s".formatted(file, moreInput), "")
        .at("/id");
  }

  /** The server was started again, perhaps on another port. */
  void moveTo(Client client) {
    admin = client;
  }

  /** What a finished process made under this name. */
  String output(String id, String name) {
    for (JsonNode output : admin.job(id).json().path("outputs").values()) {
      if (output.path("name").asString().equals(name)) {
        return admin.get(output.path("url").asString()).expect(200).text();
      }
    }
    return "";
  }

  /** Lets whoever runs it lose it, as a node that dies does. */
  void loseLease(String id) {
    rig.database()
        .execute(
            "update job set lease_expires_at = clock_timestamp() where id = '"
                + id
                + "' and state = 'running'");
  }

  @Override
  public void close() {
    rig.examine();
    rig.close();
    product.close();
  }
}
