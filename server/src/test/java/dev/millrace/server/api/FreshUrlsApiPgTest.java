package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client that asks for news only is never left with URLs that have ended. */
class FreshUrlsApiPgTest {

  @TempDir Path folder;

  @Test
  void an_unchanged_job_is_sent_again_before_its_urls_end() {
    try (ServerRig rig =
        ServerRig.start(folder, "HEARTBEAT_SECONDS=4", "LEASE_SECONDS=12", "URL_TTL_SECONDS=12")) {
      Client client = rig.admin();
      String id = client.submitted();
      Answer job = client.awaitJob(id, "completed");
      String tag = job.header("etag").orElseThrow();
      String url = job.at("/outputs/0/url");

      Answer renewed =
          await()
              .until(
                  () -> {
                    // In this order, for a file that comes late may rightly be refused.
                    Answer file = client.get(url);
                    Answer answer = client.get("/api/jobs/" + id, "If-None-Match", tag);
                    if (answer.status() == 304) {
                      file.expect(200);
                    }
                    return answer;
                  },
                  answer -> answer.status() == 200);

      client.get(renewed.at("/outputs/0/url")).expect(200);
      assertThat(renewed.header("etag").orElseThrow()).isNotEqualTo(tag);
      await().until(() -> client.get(url).status() == 403);
      client.get(url).problem(403, "url_expired");
    }
  }
}
