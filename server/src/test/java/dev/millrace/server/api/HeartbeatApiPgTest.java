package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.Database;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.server.rig.Sse;
import dev.millrace.service.access.KeyBearers;
import dev.millrace.service.access.LastUses;
import dev.millrace.service.live.Hub;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.job.HistoryRoutes;
import dev.millrace.web.api.job.JobStream;
import dev.millrace.web.http.HttpSettings;
import dev.millrace.web.http.server.HttpServer;
import dev.millrace.web.limits.RequestRates;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A quiet stream says that it is alive. */
@Timeout(120)
class HeartbeatApiPgTest {

  @TempDir Path folder;

  @Test
  void a_quiet_stream_sends_comments_and_hears_of_news_without_being_told() throws Exception {
    try (ServerRig rig = ServerRig.start(folder, "EXECUTOR_SLOTS=0");
        Database database =
            Database.open(
                new Database.Access(
                    rig.database().jdbcUrl(),
                    rig.database().user(),
                    rig.database().password(),
                    2));
        HttpClient http = HttpClient.newHttpClient();
        // Nobody tells this hub anything, as if every notification got lost.
        HttpServer other =
            new HttpServer(
                    HttpSettings.on("127.0.0.1", 0),
                    new HistoryRoutes(
                            new Authentication(
                                List.of(
                                    new KeyBearers(
                                        database.keys(),
                                        database.tenants(),
                                        LastUses.of(database, new SimpleMeterRegistry()))),
                                new RequestRates(RequestRates.Limits.NONE)),
                            database.jobs(),
                            database.events(),
                            new JobStream(database.events(), new Hub(), Duration.ofMillis(100)))
                        .routes())
                .start()) {
      String id = rig.admin().submitted();
      Client deaf =
          new Client(http, URI.create("http://127.0.0.1:" + other.port()), rig.admin().key());

      try (Sse stream = deaf.stream("/api/jobs/" + id + "/stream")) {
        assertThat(stream.nextEvent().orElseThrow().json().path("state").asString())
            .isEqualTo("queued");
        for (int i = 0; i < 3; i++) {
          assertThat(stream.next().orElseThrow().comment()).isEqualTo("still here");
        }
        rig.admin().post("/api/jobs/" + id + "/cancel", "").expect(200);
        assertThat(stream.nextEvent().orElseThrow().json().path("state").asString())
            .isEqualTo("canceled");
        assertThat(stream.next()).isEmpty();
      }
    }
  }
}
