package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.OutsideRig;
import dev.millrace.testkit.outside.Webhooks;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Services that take longer than anybody waits, or that nobody hears from. */
class LateResultApiPgTest {

  @TempDir Path folder;

  @Test
  void a_result_after_the_deadline_is_kept_apart_and_can_be_adopted_by_paying() {
    try (OutsideRig rig = OutsideRig.start(folder, "CALLBACK_DEADLINE_SECONDS=1")) {
      long before = rig.client().balance();
      String id = rig.submitted();
      rig.client().awaitJob(id, "expired");
      assertThat(rig.client().balance()).isEqualTo(before);
      rig.client().post("/api/admin/jobs/" + id + "/adopt", "").problem(409, "no_late_result");

      rig.replicate().succeed(rig.reference(1), OutsideRig.picture());
      await().until(() -> rig.inbox().contains("late x1"));
      assertThat(rig.client().job(id).at("/state")).isEqualTo("expired");
      assertThat(rig.client().balance()).isEqualTo(before);

      Answer providers = rig.client().get("/api/admin/providers").expect(200);
      assertThat(providers.at("/late_results/0/job_id")).isEqualTo(id);
      assertThat(providers.at("/late_results/0/provider")).isEqualTo("replicate");
      rig.client().post("/api/admin/jobs/" + id + "/adopt", "").expect(200);
      assertThat(rig.client().get("/api/admin/providers").expect(200).json().path("late_results"))
          .isEmpty();
      Answer job = rig.client().awaitJob(id, "completed");
      assertThat(job.at("/outputs/0/media_type")).isEqualTo("text/plain");
      assertThat(rig.client().balance()).isEqualTo(before - 3);
      assertThat(rig.replicate().bill()).isEqualTo(1);
      rig.client().post("/api/admin/jobs/" + id + "/adopt", "").problem(409, "no_late_result");
      rig.rig().examine();
    }
  }

  @Test
  void polling_brings_the_result_where_no_webhook_can_come() {
    try (OutsideRig rig = OutsideRig.unreachable(folder)) {
      rig.replicate().sends(Webhooks.NEVER);
      String id = rig.submitted();
      rig.client().awaitJob(id, "submitted");
      rig.replicate().run(rig.reference(1), 40);
      await().until(() -> rig.client().job(id).at("/progress").equals("40"));
      rig.replicate().succeed(rig.reference(1), OutsideRig.picture());
      rig.client().awaitJob(id, "completed");
      assertThat(rig.inbox()).isEmpty();
      rig.rig().examine();
    }
  }
}
