package dev.millrace.server.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics are for those whom the setting names, and for everybody only where nobody is far. */
class MetricsPgTest {

  private static final String TOKEN = "a-token-for-prometheus-of-32-chars";

  @TempDir Path folder;

  private ServerRig start(String... more) {
    String[] all = new String[more.length + 1];
    all[0] = "EXECUTOR_SLOTS=0";
    System.arraycopy(more, 0, all, 1, more.length);
    return ServerRig.start(folder, all);
  }

  private static void requireMetrics(Answer answer) {
    assertThat(answer.expect(200).text()).contains("millrace_queue_depth");
  }

  private static Answer withToken(ServerRig rig, String token) {
    return rig.withoutKey().get("/metrics", "Authorization", "Bearer " + token);
  }

  @Test
  void a_server_that_listens_to_this_machine_alone_shows_them_to_everybody_on_it() {
    try (ServerRig rig = start()) {
      requireMetrics(rig.withoutKey().get("/metrics"));
    }
  }

  @Test
  void a_server_that_others_reach_shows_them_to_operators() {
    try (ServerRig rig = start("HTTP_HOST=0.0.0.0")) {
      rig.withoutKey().get("/metrics").problem(401, "unauthenticated");
      rig.admin().with("mr_nonsense").get("/metrics").problem(401, "unauthenticated");
      rig.as("user").get("/metrics").problem(403, "forbidden");
      rig.as("admin").get("/metrics").problem(403, "forbidden");
      requireMetrics(rig.admin().get("/metrics"));
      requireMetrics(rig.admin().with(narrow(rig, "metrics:read")).get("/metrics"));
      rig.admin().with(narrow(rig, "doctor:read")).get("/metrics").problem(403, "forbidden");
      withToken(rig, TOKEN).problem(401, "unauthenticated");
    }
  }

  @Test
  void behind_a_public_url_they_are_for_operators_and_for_who_has_the_token() {
    try (ServerRig rig = start("HTTP_PUBLIC_URL=https://a.example", "METRICS_TOKEN=" + TOKEN)) {
      rig.withoutKey().get("/metrics").problem(401, "unauthenticated");
      withToken(rig, TOKEN + "x").problem(401, "unauthenticated");
      withToken(rig, TOKEN.substring(1)).problem(401, "unauthenticated");
      requireMetrics(withToken(rig, TOKEN));
      requireMetrics(rig.admin().get("/metrics"));
      withTokenElsewhere(rig);
    }
  }

  /** It opens this door only. */
  private static void withTokenElsewhere(ServerRig rig) {
    Client stranger = rig.withoutKey();
    stranger.get("/api/whoami", "Authorization", "Bearer " + TOKEN).problem(401, "unauthenticated");
  }

  @Test
  void the_setting_decides_and_off_is_as_if_there_were_none() {
    try (ServerRig rig = start("METRICS_ACCESS=key")) {
      rig.withoutKey().get("/metrics").problem(401, "unauthenticated");
      rig.restart("EXECUTOR_SLOTS=0", "HTTP_HOST=0.0.0.0", "METRICS_ACCESS=open");
      requireMetrics(rig.withoutKey().get("/metrics"));
      rig.restart("EXECUTOR_SLOTS=0", "METRICS_ACCESS=off", "METRICS_TOKEN=" + TOKEN);
      rig.withoutKey().get("/metrics").problem(404, "not_found");
      rig.admin().get("/metrics").problem(404, "not_found");
      withToken(rig, TOKEN).problem(404, "not_found");
    }
  }

  @Test
  void health_and_readiness_give_nothing_away() {
    try (ServerRig rig = start("METRICS_ACCESS=off")) {
      assertThat(rig.withoutKey().get("/healthz").expect(200).text()).isEqualTo("ok\n");
      assertThat(rig.withoutKey().get("/readyz").expect(200).text()).isEqualTo("ready\n");
    }
  }

  private static String narrow(ServerRig rig, String scope) {
    return rig.admin()
        .post(
            "/api/admin/keys",
            "{\"name\":\"n\",\"role\":\"operator\",\"scopes\":[\"%s\"]}".formatted(scope))
        .expect(201)
        .at("/secret");
  }
}
