package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.OutputSite;
import dev.millrace.server.rig.OutsideRig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Results that come so slowly that somebody else could be kept waiting. */
@Timeout(180)
class SlowOutputsApiPgTest {

  private static final Duration PROMPTLY = Duration.ofSeconds(20);

  @TempDir Path folder;
  private OutputSite site;
  private OutsideRig rig;

  @BeforeEach
  void start() {
    site = new OutputSite();
    rig = OutsideRig.start(folder, site.setting(), "CALLBACK_DEADLINE_SECONDS=15");
    for (String user : List.of("slow", "other")) {
      rig.client()
          .post(
              "/api/admin/wallets/credit",
              "{\"user\":\"%1$s\",\"amount\":100,\"idempotency_key\":\"%1$s\"}".formatted(user))
          .expect(200);
    }
  }

  @AfterEach
  void stop() {
    rig.rig().examine();
    rig.close();
    site.close();
  }

  private List<String> made(String user, int jobs, JsonNode output) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < jobs; i++) {
      int before = rig.replicate().bill();
      ids.add(rig.client().askedAs(user, "poster", "\"prompt\":\"a cat\""));
      String reference = rig.reference(before + 1);
      rig.client().awaitJob(ids.getLast(), "submitted");
      rig.replicate().succeed(reference, output);
    }
    return ids;
  }

  private String why(String id, String field) {
    return rig.client().get("/api/jobs/" + id + "/why").expect(200).at("/" + field);
  }

  private JsonNode fetching() {
    for (JsonNode each :
        rig.client().get("/api/admin/providers").expect(200).json().path("items")) {
      if (each.path("name").asString().equals("replicate")) {
        return each.path("fetching");
      }
    }
    throw new AssertionError("no replicate");
  }

  private boolean callbackDeadlineHasPassed() {
    return rig.rig()
        .ask("select clock_timestamp() > max(accepted_at) + interval '16 s' from attempt")
        .equals("t");
  }

  @Test
  void slow_results_of_one_user_keep_nobody_else_waiting_and_a_cancel_frees_their_places() {
    List<String> slow = made("slow", 8, site.dripping());
    await().atMost(PROMPTLY).until(() -> site.drips() > 0);
    List<String> good = made("other", 3, site.good());
    for (String id : good) {
      await().atMost(PROMPTLY).until(() -> rig.client().state(id).equals("completed"));
    }
    assertThat(why(slow.getFirst(), "cause")).isEqualTo("fetching_result");
    assertThat(fetching().path("slots").asInt()).isEqualTo(8);
    assertThat(fetching().path("busy").asInt()).as("half at most").isBetween(1, 4);
    assertThat(fetching().path("waiting").asInt()).isBetween(1, 7);
    for (String id : slow) {
      rig.client().post("/api/jobs/" + id + "/cancel", "").expect(200);
    }
    await().atMost(PROMPTLY).until(() -> site.drips() == 0);
    for (String id : slow) {
      rig.client().awaitJob(id, "canceled");
    }
    assertThat(fetching().path("busy").asInt() + fetching().path("waiting").asInt()).isZero();
    assertThat(rig.replicate().bill()).isEqualTo(11);
  }

  @Test
  void a_result_that_comes_too_slowly_is_fetched_again_later_and_never_ordered_again() {
    String id = made("slow", 1, site.dripping()).getFirst();
    await().atMost(PROMPTLY).until(() -> why(id, "cause").equals("fetching_result"));
    await().atMost(Duration.ofSeconds(60)).until(() -> !why(id, "until").isEmpty());
    await().atMost(PROMPTLY).until(() -> site.drips() == 0);
    await().atMost(PROMPTLY).until(this::callbackDeadlineHasPassed);
    assertThat(rig.client().state(id)).as("its provider was heard in time").isEqualTo("submitted");
    site.hurry();
    rig.askNow();
    rig.client().awaitJob(id, "completed");
    assertThat(rig.replicate().bill()).isEqualTo(1);
  }

  @Test
  void a_result_that_can_not_be_fetched_for_too_long_ends_as_bad_output() {
    String id = made("slow", 1, site.cut()).getFirst();
    await().atMost(PROMPTLY).until(() -> !why(id, "until").isEmpty());
    rig.meddle(
        """
        update job set deadline_at = clock_timestamp() + interval '25 s' where id = '%1$s';
        update dispatch d set deadline_at = j.deadline_at
        from job j
        where j.tenant_id = d.tenant_id and j.id = d.job_id and j.id = '%1$s'
        """
            .formatted(id));
    rig.askNow();
    Answer failed = rig.client().awaitJob(id, "failed");
    assertThat(failed.at("/error/code")).isEqualTo("bad_output");
    assertThat(failed.at("/error/message")).contains("can't be fetched");
    assertThat(rig.replicate().bill()).isEqualTo(1);
  }
}
