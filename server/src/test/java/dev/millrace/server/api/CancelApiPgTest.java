package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.server.rig.Sse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Canceling gives the credits back, and an ended job stays as it is. */
class CancelApiPgTest {

  @TempDir static Path folder;

  private static ServerRig idle;
  private static ServerRig busy;

  @BeforeAll
  static void start() {
    idle = ServerRig.start(folder.resolve("idle"), "EXECUTOR_SLOTS=0", "WELCOME_CREDITS=10");
    busy = ServerRig.start(folder.resolve("busy"), "WELCOME_CREDITS=10");
  }

  @AfterAll
  static void stop() {
    idle.close();
    busy.close();
  }

  @AfterEach
  void everyInvariantHolds() {
    idle.examine();
    busy.examine();
  }

  private static Answer cancel(Client client, String id) {
    return client.post("/api/jobs/" + id + "/cancel", "");
  }

  @Test
  void a_waiting_job_is_canceled_at_once_and_refunded() {
    Client client = idle.admin();
    String id = client.submitted();
    assertThat(client.get("/api/wallet").text()).contains("\"balance\":9,\"reserved\":1");

    Answer canceled = cancel(client, id).expect(200);

    assertThat(canceled.at("/state")).isEqualTo("canceled");
    assertThat(canceled.json().path("credits").toString())
        .isEqualTo("{\"held\":1,\"captured\":0,\"refunded\":1}");
    assertThat(client.get("/api/wallet").text()).contains("\"balance\":10,\"reserved\":0");
    assertThat(client.get("/api/jobs/" + id + "/receipt").json().path("lines").values())
        .extracting(line -> line.path("type").asString() + " " + line.path("amount").asLong())
        .containsExactly("job_reserve -1", "job_refund 1");
  }

  @Test
  void a_running_job_stops_and_is_refunded() throws Exception {
    Client client = busy.admin();
    String id = client.submitted("\"delay_seconds\":300");
    client.awaitJob(id, "running");

    // It may have stopped before it is shown.
    assertThat(cancel(client, id).expect(200).at("/state")).isIn("canceling", "canceled");

    Answer job = client.awaitJob(id, "canceled");
    assertThat(job.at("/credits/refunded")).isEqualTo("1");
    assertThat(job.json().path("outputs")).isEmpty();
    assertThat(client.balance()).isEqualTo(10);
    try (Sse stream = client.stream("/api/jobs/" + id + "/stream")) {
      assertThat(stream.toTheEnd())
          .filteredOn(frame -> frame.json().path("type").asString().equals("transition"))
          .extracting(frame -> frame.json().path("state").asString())
          .containsExactly("queued", "running", "canceling", "canceled");
    }
    assertThat(client.get("/api/jobs/" + id + "/receipt").at("/attempts/0/outcome"))
        .isEqualTo("canceled");
  }

  @Test
  void a_job_for_later_and_a_job_in_review_are_canceled_at_once_and_refunded() {
    Client client = busy.admin();
    long before = client.balance();
    String later =
        client
            .post(
                "/api/jobs",
                Client.draft()
                    .replace("{\"effect", "{\"run_at\":\"2099-01-01T00:00:00Z\",\"effect"))
            .expect(201)
            .at("/id");
    assertThat(client.job(later).at("/state")).isEqualTo("pending");
    String reviewed = client.asked("sketch/proof", "\"prompt\":\"a fox\"");
    client.awaitJob(reviewed, "waiting_review");

    for (String id : List.of(later, reviewed)) {
      Answer canceled = cancel(client, id).expect(200);
      assertThat(canceled.at("/state")).isEqualTo("canceled");
      assertThat(canceled.at("/credits/captured")).isEqualTo("0");
      assertThat(canceled.json().path("outputs")).isEmpty();
    }
    assertThat(client.balance()).isEqualTo(before);
  }

  @Test
  void a_job_that_is_stopping_may_be_canceled_again() {
    Client client = busy.admin();
    String id = client.submitted("\"delay_seconds\":300");
    client.awaitJob(id, "running");

    cancel(client, id).expect(200);
    Answer again = cancel(client, id);

    // It may have stopped in between.
    assertThat(again.status()).as(again::text).isIn(200, 409);
    client.awaitJob(id, "canceled");
  }

  @Test
  void an_ended_job_cannot_be_canceled() {
    Client client = idle.admin();
    String id = client.submitted();
    cancel(client, id).expect(200);
    int events = client.job(id).json().path("last_event_id").asInt();

    Answer refused = cancel(client, id).problem(409, "transition_denied");

    assertThat(refused.at("/state")).isEqualTo("canceled");
    assertThat(client.job(id).json().path("last_event_id").asInt()).isEqualTo(events);
  }

  @Test
  void many_cancels_at_once_refund_once() throws Exception {
    Client client = idle.admin();
    long before = client.balance();
    String id = client.submitted();

    List<Answer> answers = Together.times(20, _ -> cancel(client, id));

    assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
    assertThat(answers)
        .filteredOn(answer -> answer.status() != 200)
        .allSatisfy(answer -> answer.problem(409, "transition_denied"));
    assertThat(client.balance()).isEqualTo(before);
  }
}
