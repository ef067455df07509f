package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.FleetRig;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.server.rig.Sse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The worker of a follow-up gets what was approved, and nothing else. */
class FollowUpAssetsApiPgTest {

  private static final String DRAFT =
      """
      workflow: draft
      title: Draft
      executor: worker
      properties:
        prompt: {type: string}
      required: [prompt]
      effects:
        - {effect: draft/one, title: Draft, credits_cost: 1, review: required, follow_up: print/one}
      """;

  private static final String PRINT =
      """
      workflow: print
      title: Print
      executor: worker
      properties:
        items: {type: array, items: {type: string}, maxItems: 8, default: []}
      effects:
        - {effect: print/one, title: Print, credits_cost: 1}
      """;

  @TempDir Path folder;

  @Test
  void a_follow_ups_worker_reads_the_approved_items() throws Exception {
    String[] settings = FleetRig.settings(folder);
    Files.writeString(folder.resolve("catalogue/draft.yaml"), DRAFT);
    Files.writeString(folder.resolve("catalogue/print.yaml"), PRINT);
    try (ServerRig rig = ServerRig.start(folder, settings)) {
      Client admin = rig.admin();
      FleetRig.Worker worker = FleetRig.worker(admin, "w1", 2, "draft", "print");
      String id = admin.asked("draft/one", "\"prompt\":\"a fox\"");
      worker
          .lease()
          .tell("complete", "\"outputs\":[{\"text\":\"one\"},{\"text\":\"two\"}]")
          .expect(200);
      List<JsonNode> items =
          List.copyOf(
              admin.get("/api/jobs/" + id + "/items").expect(200).json().path("items").values());
      String second = items.get(1).path("id").asString();
      admin
          .post(
              "/api/jobs/" + id + "/approve",
              "{\"items\":[\"" + second + "\"],\"decline_rest\":true}")
          .expect(200);

      FleetRig.Work work = worker.lease();

      assertThat(work.job().at("/input/items/0").asString()).isEqualTo(second);
      assertThat(work.job().path("assets").values())
          .singleElement()
          .satisfies(asset -> {
            assertThat(asset.path("name").asString()).isEqualTo("items.1");
            assertThat(asset.path("file_id").asString()).isEqualTo(second);
            assertThat(admin.get(asset.path("url").asString()).expect(200).text()).isEqualTo("two");
          });
      work.complete("printed").expect(200);
      rig.examine();
    }
  }

  @Test
  void a_stream_that_comes_back_to_a_held_job_hears_of_its_end() throws Exception {
    try (ServerRig rig = ServerRig.start(folder, FleetRig.settings(folder))) {
      Client admin = rig.admin();
      FleetRig.Worker worker = FleetRig.worker(admin, "w1", 2, "upscale");
      String id = admin.asked("upscale/reviewed", "\"prompt\":\"a fox\"");
      worker.lease().complete("done").expect(200);
      String last = admin.awaitJob(id, "waiting_review").at("/last_event_id");
      try (Sse stream = admin.stream("/api/jobs/" + id + "/stream?after_id=" + last)) {
        admin.post("/api/jobs/" + id + "/approve", "").expect(200);
        assertThat(stream.nextEvent().orElseThrow().json().path("state").asString())
            .isEqualTo("completed");
      }
      String end = admin.job(id).at("/last_event_id");
      admin.get("/api/jobs/" + id + "/stream?after_id=" + end).expect(204);
    }
  }
}
