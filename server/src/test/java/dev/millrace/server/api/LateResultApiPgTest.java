package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.testkit.outside.Webhooks;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Services that take longer than anybody waits, or that nobody hears from. */
class LateResultApiPgTest {

  @TempDir Path folder;

  @Test
  void a_result_after_the_deadline_is_kept_apart_and_can_be_adopted_by_paying() {
    try (OutsideMill mill = OutsideMill.start(folder, "CALLBACK_DEADLINE_SECONDS=1")) {
      long before = mill.client().balance();
      String id = mill.submitted();
      mill.client().awaitJob(id, "expired");
      assertThat(mill.client().balance()).isEqualTo(before);
      mill.client().post("/api/admin/jobs/" + id + "/adopt", "").problem(409, "no_late_result");

      mill.replicate().succeed(mill.reference(1), OutsideMill.picture());
      await().until(() -> mill.inbox().contains("late x1"));
      assertThat(mill.client().job(id).at("/state")).isEqualTo("expired");
      assertThat(mill.client().balance()).isEqualTo(before);

      Answer providers = mill.client().get("/api/admin/providers").expect(200);
      assertThat(providers.at("/late_results/0/job_id")).isEqualTo(id);
      assertThat(providers.at("/late_results/0/provider")).isEqualTo("replicate");
      mill.client().post("/api/admin/jobs/" + id + "/adopt", "").expect(200);
      assertThat(mill.client().get("/api/admin/providers").expect(200).json().path("late_results"))
          .isEmpty();
      Answer job = mill.client().awaitJob(id, "completed");
      assertThat(job.at("/outputs/0/media_type")).isEqualTo("text/plain");
      assertThat(mill.client().balance()).isEqualTo(before - 3);
      assertThat(mill.replicate().bill()).isEqualTo(1);
      mill.client().post("/api/admin/jobs/" + id + "/adopt", "").problem(409, "no_late_result");
      mill.mill().examine();
    }
  }

  @Test
  void polling_brings_the_result_where_no_webhook_can_come() {
    try (OutsideMill mill = OutsideMill.unreachable(folder)) {
      mill.replicate().sends(Webhooks.NEVER);
      String id = mill.submitted();
      mill.client().awaitJob(id, "submitted");
      mill.replicate().run(mill.reference(1), 40);
      await().until(() -> mill.client().job(id).at("/progress").equals("40"));
      mill.replicate().succeed(mill.reference(1), OutsideMill.picture());
      mill.client().awaitJob(id, "completed");
      assertThat(mill.inbox()).isEmpty();
      mill.mill().examine();
    }
  }
}
