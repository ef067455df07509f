package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.server.rig.Sse;
import dev.millrace.testkit.Background;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Watching jobs live: from any point, by any number, without gap or repeat. */
@Timeout(120)
class StreamApiPgTest {

  @TempDir static Path folder;

  private static ServerRig rig;
  private static Client client;

  @BeforeAll
  static void start() {
    rig = ServerRig.start(folder, "EXECUTOR_SLOTS=3");
    client = rig.admin();
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  private static String path(String id) {
    return "/api/jobs/" + id + "/stream";
  }

  private static List<String> ids(List<Sse.Frame> frames) {
    return frames.stream().map(Sse.Frame::id).toList();
  }

  private static List<String> upTo(int last) {
    return java.util.stream.IntStream.rangeClosed(1, last).mapToObj(Integer::toString).toList();
  }

  private static int lastEvent(String id) {
    return client.job(id).json().path("last_event_id").asInt();
  }

  @Test
  void a_broken_stream_goes_on_where_it_broke() throws Exception {
    String id = client.submitted("\"delay_seconds\":1");
    List<Sse.Frame> seen = new ArrayList<>();
    boolean byHeader = true;
    while (true) {
      String last = seen.isEmpty() ? "0" : seen.getLast().id();
      try (Sse stream =
          byHeader
              ? client.stream(path(id), "Last-Event-ID", last)
              : client.stream(path(id) + "?after_id=" + last)) {
        byHeader = !byHeader;
        if (stream.status() == 204) {
          break;
        }
        // One event, and then the connection is cut.
        stream.nextEvent().ifPresent(seen::add);
      }
    }

    assertThat(ids(seen)).isEqualTo(upTo(lastEvent(id)));
    // At least, so that it went on by the parameter and by the header; how much progress there is
    // to tell depends on the machine.
    assertThat(seen).hasSizeGreaterThan(2);
    assertThat(seen.getLast().json().path("state").asString()).isEqualTo("completed");
  }

  @Test
  void the_header_wins_over_the_parameter() throws Exception {
    String id = client.submitted();
    client.awaitJob(id, "completed");

    try (Sse stream = client.stream(path(id) + "?after_id=0", "Last-Event-ID", "2")) {
      assertThat(stream.nextEvent().orElseThrow().id()).isEqualTo("3");
    }
  }

  @Test
  void many_can_watch_one_job_and_all_see_the_same() throws Exception {
    String id = client.submitted("\"delay_seconds\":1");

    List<List<Sse.Frame>> seen =
        Together.times(
            30,
            _ -> {
              try (Sse stream = client.stream(path(id))) {
                return stream.toTheEnd();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });

    assertThat(seen).allSatisfy(frames -> assertThat(frames).isEqualTo(seen.getFirst()));
    assertThat(ids(seen.getFirst())).isEqualTo(upTo(lastEvent(id)));
  }

  @Test
  void after_the_end_there_is_nothing_to_come_back_for() {
    String id = client.submitted();
    client.awaitJob(id, "completed");
    int last = lastEvent(id);

    client.get(path(id) + "?after_id=" + last).expect(204);
    client.get(path(id), "Last-Event-ID", Integer.toString(last)).expect(204);
    client.get(path(id), "Last-Event-ID", "999999999").expect(204);
    client.get(path(id) + "?after_id=-1").problem(422, "invalid_request");
    client.get(path(UUID.randomUUID().toString())).problem(404, "not_found");
  }

  @Test
  void a_stream_that_claims_to_have_seen_the_future_still_ends() throws Exception {
    // Nothing runs before the stream is open, for to a job that has ended there is none.
    client.post("/api/admin/effects/sketch/draft/pause", "").expect(200);
    String id = client.submitted("\"delay_seconds\":1");

    try (Sse stream = client.stream(path(id), "Last-Event-ID", "900000")) {
      client.post("/api/admin/effects/sketch/draft/resume", "").expect(200);
      assertThat(stream.status()).isEqualTo(200);
      List<Sse.Frame> rest = stream.toTheEnd();
      assertThat(rest.getLast().json().path("state").asString()).isEqualTo("completed");
    }
  }

  @Test
  void a_history_that_just_fills_a_page_ends_too() throws Exception {
    String id = client.submitted();
    client.awaitJob(id, "completed");
    int last = lastEvent(id);
    // As if the executor had reported exactly that often.
    rig.database()
        .execute(
            """
            update job_event set seq = 500 where job_id = '%1$s' and seq = %2$d;
            insert into job_event (tenant_id, job_id, seq, state, progress, attempt, at)
            select tenant_id, job_id, n, 'running', 50, 1, at
            from job_event, generate_series(%2$d, 499) n
            where job_id = '%1$s' and seq = 1;
            update job set events = 500 where id = '%1$s'
            """
                .formatted(id, last));

    try (Sse stream = client.stream(path(id))) {
      assertThat(ids(stream.toTheEnd())).isEqualTo(upTo(500));
    }
    rig.database()
        .execute(
            """
            delete from job_event where job_id = '%1$s' and seq between %2$d and 499;
            update job_event set seq = %2$d where job_id = '%1$s' and seq = 500;
            update job set events = %2$d where id = '%1$s'
            """
                .formatted(id, last));
    rig.examine();
  }

  @Test
  void a_server_that_stops_ends_its_streams_at_once_and_in_good_order() throws Exception {
    try (ServerRig other =
        ServerRig.start(
            folder.resolve("other"), "EXECUTOR_SLOTS=0", "HTTP_SHUTDOWN_GRACE_SECONDS=10")) {
      String id = other.admin().submitted();
      try (Sse stream = other.admin().stream(path(id))) {
        assertThat(stream.nextEvent().orElseThrow().id()).isEqualTo("1");
        CompletableFuture<List<Sse.Frame>> rest = Background.call(stream::toTheEnd);

        other.stop();

        // A stream that waited for its heartbeat would outlast the grace and be cut: an error.
        assertThat(rest.get()).isEmpty();
      }
    }
  }
}
