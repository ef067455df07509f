package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server may stop at any time; the next one goes on. */
@Timeout(180)
class DrainApiPgTest {

  @TempDir Path folder;

  @Test
  void a_job_in_the_middle_goes_back_to_the_queue_and_the_next_server_finishes_it() {
    try (ServerRig rig = ServerRig.start(folder, "WELCOME_CREDITS=10")) {
      String id = rig.admin().submitted("\"delay_seconds\":300");
      rig.admin().awaitJob(id, "running");

      rig.stop();

      assertThat(rig.ask("select state from job")).isEqualTo("queued");
      assertThat(rig.ask("select interruptions from job")).isEqualTo("1");
      assertThat(rig.ask("select failures from job")).isEqualTo("0");
      assertThat(rig.ask("select hold_open from job")).isEqualTo("t");
      assertThat(rig.ask("select count(*) from dispatch where lease_token is null")).isEqualTo("1");
      assertThat(rig.ask("select outcome from attempt")).isEqualTo("requeued");
      // Only the first server had to be in the middle of it for as long as it takes to stop it.
      rig.database().execute("update job_input set input = input || '{\"delay_seconds\": 0}'");

      rig.restart("WELCOME_CREDITS=10");
      Answer job = rig.admin().awaitJob(id, "completed");
      assertThat(job.at("/attempt")).isEqualTo("2");
      assertThat(job.at("/interruptions")).isEqualTo("1");
      rig.admin().get(job.at("/outputs/0/url")).expect(200);
      // The welcome was not booked a second time either.
      assertThat(rig.admin().balance()).isEqualTo(9);
      rig.examine();
    }
  }

  @Test
  void a_signed_url_outlives_a_restart_and_its_secret_may_have_any_length() {
    String secret = "SIGNING_SECRET=" + "a secret that a person chose ".repeat(3);
    try (ServerRig rig = ServerRig.start(folder, secret)) {
      String url = rig.admin().awaitJob(rig.admin().submitted(), "completed").at("/outputs/0/url");
      String path = url.replaceFirst("^https?://[^/]+", "");

      rig.restart(secret);

      rig.withoutKey().get(path).expect(200);
      rig.restart("SIGNING_SECRET=" + "another secret of the same server");
      rig.withoutKey().get(path).problem(403, "bad_signature");
    }
  }

  @Test
  void an_input_that_nobody_can_read_ends_its_own_job_and_no_other() {
    try (ServerRig rig = ServerRig.start(folder, "EXECUTOR_SLOTS=0")) {
      String unreadable = rig.admin().submitted();
      String good = rig.admin().submitted();
      // Written out, the number has more digits than any reader accepts.
      rig.database()
          .execute(
              "update job_input set input = '{\"prompt\": \"x\", \"seed\": 1e2000}' where job_id = '"
                  + unreadable
                  + "'");

      rig.restart("EXECUTOR_SLOTS=2");

      rig.admin().awaitJob(good, "completed");
      await().until(() -> rig.ask(stateOf(unreadable)).equals("failed"));
      rig.admin().awaitJob(rig.admin().submitted(), "completed");
      assertThat(rig.ask("select hold_open from job where id = '" + unreadable + "'"))
          .isEqualTo("f");
      assertThat(rig.ask("select error_message from job where id = '" + unreadable + "'"))
          .isEqualTo("The input can't be read.");
    }
  }

  private static String stateOf(String id) {
    return "select state from job where id = '" + id + "'";
  }

  @Test
  void waiting_jobs_survive_a_restart() {
    try (ServerRig rig = ServerRig.start(folder, "EXECUTOR_SLOTS=0")) {
      String id = rig.admin().submitted();
      rig.restart("EXECUTOR_SLOTS=1");
      rig.admin().awaitJob(id, "completed");
      rig.examine();
    }
  }
}
