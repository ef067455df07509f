package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.FleetRig;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.server.rig.Sse;
import dev.millrace.service.access.ApiKey;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys that ask too fast are told to wait, and keys can't be guessed at speed. */
class RateApiPgTest {

  @TempDir Path folder;

  @Test
  void a_key_that_asks_too_fast_is_told_how_long_to_wait_and_others_are_not() {
    try (ServerRig rig =
        ServerRig.start(
            folder, "RATE_REQUESTS_PER_MINUTE=12", "RATE_BURST=3", "EXECUTOR_SLOTS=0")) {
      Client other = rig.boundTo("ada");
      rig.admin().get("/api/whoami").expect(200);
      rig.admin().get("/api/whoami").expect(200);

      // Each five seconds there is one more to spend, and a busy machine may need as long.
      Answer refused =
          await()
              .until(() -> rig.admin().get("/api/whoami"), answer -> answer.status() == 429)
              .problem(429, "rate_limited");

      assertThat(refused.header("Retry-After").map(Integer::parseInt).orElse(0)).isBetween(1, 5);
      assertThat(refused.header("RateLimit-Policy")).contains("\"default\";q=12;w=60");
      assertThat(refused.header("RateLimit"))
          .contains("\"default\";r=0;t=" + refused.header("Retry-After").orElse(""));
      other.get("/api/whoami").expect(200);
      for (String free : List.of("/healthz", "/readyz", "/metrics", "/openapi.json")) {
        assertThat(rig.admin().get(free).expect(200).header("RateLimit")).isEmpty();
      }
      await().until(() -> rig.admin().get("/api/whoami").status() == 200);
    }
  }

  @Test
  void every_answer_to_a_good_key_tells_what_is_left() throws Exception {
    try (ServerRig rig = ServerRig.start(folder, "RATE_REQUESTS_PER_MINUTE=1", "RATE_BURST=100")) {
      Client admin = rig.admin();
      assertThat(left(admin.get("/api/whoami").expect(200))).isEqualTo(99);
      assertThat(left(admin.get("/api/jobs/nonsense").problem(404, "not_found"))).isEqualTo(98);
      assertThat(left(admin.post("/api/jobs", "{}").problem(422, "invalid_request"))).isEqualTo(97);
      assertThat(left(rig.boundTo("ada").get("/api/admin/keys").problem(403, "forbidden")))
          .isEqualTo(99);
      String id = admin.submitted();
      try (Sse stream = admin.stream("/api/jobs/" + id + "/stream")) {
        assertThat(stream.header("RateLimit").orElse("")).startsWith("\"default\";r=94;");
        stream.toTheEnd();
      }
      String url = admin.job(id).at("/outputs/0/url");
      admin.get(url).expect(200);
      admin.get(url).expect(200);

      // A stream is one request however long it lasts, and a signed URL is none.
      assertThat(left(admin.get("/api/whoami"))).isEqualTo(92);
    }
  }

  @Test
  void bad_keys_are_refused_ever_more_slowly_and_a_good_key_from_the_same_address_is_not() {
    try (ServerRig rig = ServerRig.start(folder, "RATE_UNAUTHENTICATED_PER_MINUTE=3")) {
      String fresh = rig.newKey("user", "ada").path("secret").asString();
      Client stranger = rig.withoutKey();
      stranger.get("/api/whoami").problem(401, "unauthenticated");
      stranger.with("mr_nonsense").get("/api/whoami").problem(401, "unauthenticated");
      stranger.with(ApiKey.random().text()).get("/api/whoami").problem(401, "unauthenticated");

      // Each twenty seconds there is one more to spend.
      Answer refused =
          await()
              .until(() -> stranger.get("/api/whoami"), answer -> answer.status() == 429)
              .problem(429, "rate_limited");

      assertThat(refused.header("Retry-After").map(Integer::parseInt).orElse(0)).isBetween(1, 20);
      assertThat(refused.header("RateLimit")).isEmpty();
      stranger.with(fresh).get("/api/whoami").expect(200);
      rig.admin().get("/api/whoami").expect(200);
      stranger.get("/healthz").expect(200);
    }
  }

  @Test
  void who_knows_neither_the_secret_nor_a_token_of_the_fleet_is_refused_ever_more_slowly() {
    try (ServerRig rig = FleetRig.start(folder, "RATE_UNAUTHENTICATED_PER_MINUTE=3")) {
      FleetRig.Worker known = FleetRig.worker(rig.admin(), "known", 1, "upscale");
      Client stranger = rig.withoutKey();
      FleetRig.register(stranger, "wrong", "{}").problem(401, "fleet_secret_wrong");
      stranger.post("/api/worker/register", "{}").problem(401, "fleet_secret_wrong");
      Answer refused = stranger.post("/api/worker/poll", "{}").problem(401, "worker_unknown");
      assertThat(refused.header("WWW-Authenticate")).contains("Bearer");

      await().until(() -> stranger.post("/api/worker/poll", "{}").status() == 429);
      await().until(() -> FleetRig.register(stranger, "wrong", "{}").status() == 429);
      known.poll(1, 0).expect(200);
    }
  }

  @Test
  void without_a_limit_no_answer_speaks_of_one() {
    try (ServerRig rig = ServerRig.start(folder)) {
      assertThat(rig.admin().get("/api/whoami").expect(200).headerNames())
          .doesNotContain("ratelimit", "ratelimit-policy");
    }
  }

  private static int left(Answer answer) {
    assertThat(answer.header("RateLimit-Policy")).contains("\"default\";q=1;w=60");
    return Integer.parseInt(
        answer.header("RateLimit").orElse("").replaceFirst(".*;r=(\\d+);t=\\d+", "$1"));
  }
}
