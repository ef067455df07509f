package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.server.rig.Sse;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs for later, and what runs first. */
class SchedulingApiPgTest {

  @TempDir static Path folder;

  private static ServerRig rig;
  private static Client client;

  @BeforeAll
  static void start() {
    rig = ServerRig.start(folder);
    client = rig.admin();
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  private static Answer submitAt(String runAt) {
    return client
        .post(
            "/api/jobs",
            Client.draft().replace("{\"effect", "{\"run_at\":\"" + runAt + "\",\"effect"))
        .expect(201);
  }

  @Test
  void a_job_for_later_waits_is_promoted_and_runs() throws Exception {
    Instant runAt = Instant.now().plusSeconds(12).truncatedTo(ChronoUnit.MILLIS);
    Answer submitted = submitAt(runAt.toString());
    assertThat(submitted.at("/state")).isEqualTo("pending");
    assertThat(Instant.parse(submitted.at("/run_at"))).isEqualTo(runAt);

    String id = submitted.at("/id");
    Answer done = client.awaitJob(id, "completed");

    assertThat(Instant.parse(done.at("/started_at"))).isAfterOrEqualTo(runAt);
    try (Sse stream = client.stream("/api/jobs/" + id + "/stream")) {
      assertThat(stream.toTheEnd())
          .filteredOn(frame -> frame.json().path("type").asString().equals("transition"))
          .extracting(frame -> frame.json().path("state").asString())
          .startsWith("pending")
          .endsWith("running", "completed");
    }
    rig.examine();
  }

  @Test
  void a_job_for_next_year_is_not_overdue_before() {
    OffsetDateTime runAt = OffsetDateTime.now(ZoneOffset.ofHours(5)).plusYears(1);
    Answer submitted = submitAt(runAt.toString());

    assertThat(submitted.at("/state")).isEqualTo("pending");
    assertThat(Instant.parse(submitted.at("/deadline_at"))).isAfter(runAt.toInstant());
    assertThat(client.post("/api/jobs/" + submitted.at("/id") + "/cancel", "").at("/state"))
        .isEqualTo("canceled");
  }

  @Test
  void a_time_that_has_passed_means_now() {
    Answer submitted = submitAt("2020-01-01T00:00:00Z");

    assertThat(submitted.at("/state")).isNotEqualTo("pending");
    client.awaitJob(submitted.at("/id"), "completed");
  }

  @Test
  void a_time_needs_its_offset() {
    for (String time :
        List.of("2030-01-31T12:00:00", "2030-01-31", "9999999-01-01T00:00:00Z", "now")) {
      assertThat(
              client
                  .post(
                      "/api/jobs",
                      Client.draft().replace("{\"effect", "{\"run_at\":\"" + time + "\",\"effect"))
                  .problem(422, "invalid_request")
                  .wrongPaths())
          .containsExactly("/run_at");
    }
  }
}
