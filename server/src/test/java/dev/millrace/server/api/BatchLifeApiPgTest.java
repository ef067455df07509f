package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.server.rig.Sse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What happens to a batch after it was accepted. */
class BatchLifeApiPgTest {

  @TempDir Path folder;

  private ServerRig rig;

  @BeforeEach
  void start() throws Exception {
    Path rules = folder.resolve("rules.yaml");
    Files.writeString(rules, "words:\n  - category: beasts\n    any: [dragon]\n");
    rig = ServerRig.start(folder, "EXECUTOR_SLOTS=4", "GUARD_RULES=" + rules);
  }

  @AfterEach
  void stop() {
    rig.examine();
    rig.close();
  }

  private Client rich(String user, long credits) {
    rig.credit(user, credits);
    return rig.boundTo(user);
  }

  private static String failing(int number) {
    return number % 2 == 0
        ? Many.draft(number)
        : Many.draft(number).replace("\"input\":{", "\"input\":{\"fail\":\"permanent\",");
  }

  @Test
  void its_stream_tells_the_counts_and_ends_when_it_has_finished() throws Exception {
    Client client = rich("viewer", 10);
    String id = client.post("/api/batches", Many.drafts("partial", 6)).expect(201).at("/id");

    List<Sse.Frame> frames;
    try (Sse stream = client.stream("/api/batches/" + id + "/stream")) {
      frames = stream.toTheEnd();
    }

    assertThat(frames).allSatisfy(frame -> assertThat(frame.event()).isEqualTo("batch"));
    JsonNode last = frames.getLast().json();
    assertThat(last.path("finished").asBoolean()).isTrue();
    assertThat(last.at("/counts/completed").asInt()).isEqualTo(6);
    assertThat(last.at("/credits/captured").asInt()).isEqualTo(6);
    assertThat(frames).extracting(Sse.Frame::data).doesNotHaveDuplicates();
    try (Sse again = client.stream("/api/batches/" + id + "/stream", "Last-Event-ID", "6")) {
      assertThat(again.status()).isEqualTo(204);
    }
    try (Sse again = client.stream("/api/batches/" + id + "/stream")) {
      assertThat(again.toTheEnd()).hasSize(1);
    }
  }

  @Test
  void who_comes_back_to_a_batch_in_review_hears_of_the_decision() throws Exception {
    Client client = rich("reader", 50);
    String proof = "{\"effect\":\"sketch/proof\",\"input\":{\"prompt\":\"a fox\"}}";
    String id =
        client.post("/api/batches", Many.batch("partial", 1, _ -> proof)).expect(201).at("/id");
    try (Sse stream = client.stream("/api/batches/" + id + "/stream")) {
      assertThat(stream.toTheEnd().getLast().json().at("/counts/waiting_review").asInt())
          .isEqualTo(1);
    }
    String job = client.get("/api/jobs?batch=" + id).expect(200).at("/items/0/id");

    try (Sse again = client.stream("/api/batches/" + id + "/stream", "Last-Event-ID", "1")) {
      assertThat(again.status()).isEqualTo(200);
      rig.admin().post("/api/jobs/" + job + "/approve", "{\"follow_up\": false}").expect(200);
      assertThat(again.toTheEnd().getLast().json().at("/counts/completed").asInt()).isEqualTo(1);
    }
  }

  @Test
  void a_gate_blocks_one_and_the_rest_goes_on() {
    Client client = rich("keeper", 10);
    String body =
        Many.batch(
            "partial", 3, i -> i == 1 ? Many.draft(i).replace("fox", "dragon") : Many.draft(i));

    Answer strict =
        client
            .post("/api/batches", body.replace("partial", "all_or_nothing"))
            .problem(422, "batch_refused");
    Answer made = client.post("/api/batches", body, "Idempotency-Key", "d").expect(201);
    Answer again = client.post("/api/batches", body, "Idempotency-Key", "d").expect(200);

    assertThat(Many.statuses(strict)).containsExactly("withheld", "blocked", "withheld");
    assertThat(strict.json().at("/results/1").has("job_id")).isFalse();
    assertThat(Many.statuses(made)).containsExactly("accepted", "blocked", "accepted");
    assertThat(Many.statuses(again)).containsExactly("accepted", "blocked", "accepted");
    assertThat(made.at("/results/1/problem/category")).isEqualTo("beasts");
    assertThat(client.job(made.at("/results/1/job_id")).at("/state")).isEqualTo("blocked");
    assertThat(again.at("/results/1/job_id")).isEqualTo(made.at("/results/1/job_id"));
    assertThat(client.balance()).isEqualTo(8);
  }

  @Test
  void canceling_it_cancels_what_waits_and_refunds() {
    Client client = rich("canceler", 10);
    String later = "\"run_at\":\"2100-01-01T00:00:00Z\",\"effect\"";
    Answer made =
        client
            .post(
                "/api/batches",
                Many.batch("all_or_nothing", 5, i -> Many.draft(i).replace("\"effect\"", later)))
            .expect(201);
    assertThat(client.balance()).isEqualTo(5);

    Answer task = client.post("/api/batches/" + made.at("/id") + "/cancel", "").expect(202);
    Answer done = Many.awaitTask(rig.admin(), task.at("/id"));

    assertThat(done.at("/state")).isEqualTo("done");
    assertThat(done.at("/done")).isEqualTo("5");
    assertThat(done.at("/credits")).isEqualTo("5");
    assertThat(client.balance()).isEqualTo(10);
    Answer batch = client.get("/api/batches/" + made.at("/id")).expect(200);
    assertThat(batch.at("/counts/canceled")).isEqualTo("5");
    assertThat(batch.at("/finished")).isEqualTo("true");
    assertThat(
            rig.ask(
                "select string_agg(action, ',' order by id) from audit where action like 'task.%'"))
        .isEqualTo("task.create,task.finish");
  }

  @Test
  void a_user_retries_what_failed_as_a_new_batch() throws Exception {
    Client client = rich("again", 20);
    Answer made =
        client
            .post("/api/batches", Many.batch("partial", 6, BatchLifeApiPgTest::failing))
            .expect(201);
    String retry = "/api/batches/" + made.at("/id") + "/retry";
    awaitEnd(client, made.at("/id"));
    assertThat(client.balance()).isEqualTo(17);

    Answer again = client.post(retry, "", "Idempotency-Key", "r").expect(201);
    Answer replay = client.post(retry, "", "Idempotency-Key", "r").expect(200);

    assertThat(again.at("/size")).isEqualTo("3");
    assertThat(again.at("/id")).isNotEqualTo(made.at("/id"));
    assertThat(replay.at("/id")).isEqualTo(again.at("/id"));
    assertThat(client.job(again.at("/results/0/job_id")).at("/retry_of"))
        .isEqualTo(made.at("/results/1/job_id"));
    awaitEnd(client, again.at("/id"));
    assertThat(client.balance()).isEqualTo(17);
    Answer clean = client.post("/api/batches", Many.drafts("partial", 1)).expect(201);
    awaitEnd(client, clean.at("/id"));
    client.post("/api/batches/" + clean.at("/id") + "/retry", "").problem(409, "nothing_to_retry");
  }

  @Test
  void an_admin_retries_the_same_jobs_in_place() throws Exception {
    Client client = rich("inplace", 3);
    Answer made =
        client
            .post("/api/batches", Many.batch("partial", 3, BatchLifeApiPgTest::failing))
            .expect(201);
    awaitEnd(client, made.at("/id"));
    assertThat(client.balance()).isEqualTo(1);

    Answer task = rig.admin().post("/api/batches/" + made.at("/id") + "/retry", "").expect(202);
    Answer done = Many.awaitTask(rig.admin(), task.at("/id"));

    assertThat(done.at("/done")).isEqualTo("1");
    assertThat(done.at("/credits")).isEqualTo("1");
    awaitEnd(client, made.at("/id"));
    String job = made.at("/results/1/job_id");
    assertThat(client.job(job).at("/attempt")).isEqualTo("2");
    assertThat(rig.ask("select count(*) from ledger where job_id = '" + job + "'")).isEqualTo("4");
  }

  private static void awaitEnd(Client client, String id) throws Exception {
    try (Sse stream = client.stream("/api/batches/" + id + "/stream")) {
      assertThat(stream.toTheEnd().getLast().json().path("finished").asBoolean()).isTrue();
    }
  }
}
