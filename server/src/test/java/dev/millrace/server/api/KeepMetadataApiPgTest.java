package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.FleetRig;
import dev.millrace.server.rig.FleetRig.Worker;
import dev.millrace.server.rig.ServerRig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker learns with each job whether its outputs keep what tells how they were made. */
class KeepMetadataApiPgTest {

  @TempDir Path folder;

  @Test
  void only_a_workflow_that_asks_for_it_keeps_the_metadata_of_its_outputs() throws IOException {
    Path catalogue = Files.createDirectories(folder.resolve("catalogue"));
    Files.writeString(
        catalogue.resolve("kept.yaml"),
        """
        {workflow: kept, title: Kept, executor: worker, settings: {keep_metadata: true},
         properties: {prompt: {type: string}}, required: [prompt],
         effects: [{effect: kept/one, title: One, credits_cost: 1}]}
        """);
    try (ServerRig rig = FleetRig.start(folder)) {
      Client client = rig.admin();
      Worker worker = FleetRig.worker(client, "w", 2, "upscale", "kept");
      assertThat(handed(client, worker, "kept/one")).isTrue();
      assertThat(handed(client, worker, "upscale/one")).isFalse();
      rig.examine();
    }
  }

  private static boolean handed(Client client, Worker worker, String effect) {
    client
        .post("/api/jobs", "{\"effect\":\"%s\",\"input\":{\"prompt\":\"x\"}}".formatted(effect))
        .expect(201);
    return worker.lease().job().path("keep_metadata").booleanValue();
  }
}
