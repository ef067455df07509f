package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Many jobs in one request: what is accepted, what is charged, and what is told. */
class BatchApiPgTest {

  @TempDir static Path folder;

  private static ServerRig rig;

  @BeforeAll
  static void start() {
    rig = ServerRig.start(folder, "EXECUTOR_SLOTS=0");
  }

  @AfterAll
  static void stop() {
    rig.examine();
    rig.close();
  }

  private static Client rich(String user, long credits) {
    rig.credit(user, credits);
    return rig.boundTo(user);
  }

  @Test
  void a_thousand_jobs_go_in_one_request() {
    Client client = rich("thousand", 1000);

    Answer made = client.post("/api/batches", Many.drafts("all_or_nothing", 1000)).expect(201);

    assertThat(made.at("/counts/queued")).isEqualTo("1000");
    assertThat(made.at("/size")).isEqualTo("1000");
    assertThat(made.at("/credits/held")).isEqualTo("1000");
    assertThat(made.at("/finished")).isEqualTo("false");
    assertThat(made.header("location")).contains("/api/batches/" + made.at("/id"));
    assertThat(new HashSet<>(Many.statuses(made))).isEqualTo(Set.of("accepted"));
    assertThat(client.balance()).isZero();
    // In their order: the hundredth result is the hundredth job.
    String hundredth = made.at("/results/99/job_id");
    assertThat(client.job(hundredth).at("/input/prompt")).isEqualTo("fox 99");

    Answer page = client.get("/api/jobs?limit=500&batch=" + made.at("/id")).expect(200);
    assertThat(page.json().path("items").size()).isEqualTo(500);
    assertThat(page.at("/items/0/id")).isEqualTo(made.at("/results/999/job_id"));
    assertThat(client.get("/api/batches/" + made.at("/id")).expect(200).at("/counts/queued"))
        .isEqualTo("1000");
  }

  @Test
  void a_batch_may_be_larger_than_other_requests() {
    Client client = rich("large", 1000);
    String big = "x".repeat(1900);

    String body =
        Many.batch(
            "all_or_nothing", 1000, i -> Many.draft(i).replace("fox", big.substring(5) + " fox"));

    assertThat(body.length()).isGreaterThan(1 << 20);
    client.post("/api/batches", body).expect(201);
  }

  @Test
  void one_bad_job_of_a_hundred_refuses_all_and_leaves_no_trace() {
    Client client = rich("strict", 100);
    List<String> before = rig.traces();

    Answer refused =
        client
            .post(
                "/api/batches",
                Many.batch(
                    "all_or_nothing",
                    100,
                    i ->
                        i == 41 ? Many.draft(i).replace("\"prompt\"", "\"promt\"") : Many.draft(i)))
            .problem(422, "batch_refused");

    assertThat(rig.traces()).isEqualTo(before);
    assertThat(rig.ask("select count(*) from batch where size = 100")).isEqualTo("0");
    assertThat(Collections.frequency(Many.statuses(refused), "withheld")).isEqualTo(99);
    assertThat(refused.at("/results/41/status")).isEqualTo("refused");
    assertThat(refused.at("/results/41/problem/code")).isEqualTo("invalid_request");
    assertThat(paths(refused, 41))
        .containsExactlyInAnyOrder("/jobs/41/input/prompt", "/jobs/41/input/promt");
    assertThat(client.balance()).isEqualTo(100);
  }

  private static List<String> paths(Answer answer, int index) {
    return answer.json().at("/results/" + index + "/problem/errors").values().stream()
        .map(error -> error.path("path").asString())
        .toList();
  }

  @Test
  void all_mistakes_of_all_jobs_are_told_at_once_with_their_paths() {
    Client client = rich("mistaken", 10);

    Answer refused =
        client
            .post(
                "/api/batches",
                """
                {"jobs":[
                  {"effect":"sketch/draft","input":{"prompt":"fox"}},
                  {"effect":"sketch/nothing","input":{"prompt":"fox"}},
                  {"effect":"sketch/draft","input":{"prompt":7},"priority":5,"idempotency_key":"k"},
                  {"effect":"sketch/draft","input":{"prompt":"fox"},"user":"somebody"},
                  "fox",
                  {"input":[]}]}
                """)
            .problem(422, "batch_refused");

    assertThat(Many.statuses(refused))
        .containsExactly("withheld", "refused", "refused", "refused", "refused", "refused");
    assertThat(paths(refused, 1)).containsExactly("/jobs/1/effect");
    assertThat(paths(refused, 2))
        .containsExactlyInAnyOrder(
            "/jobs/2/priority", "/jobs/2/idempotency_key", "/jobs/2/input/prompt");
    assertThat(paths(refused, 3)).containsExactly("/jobs/3/user");
    assertThat(paths(refused, 4)).containsExactly("/jobs/4");
    assertThat(paths(refused, 5)).containsExactlyInAnyOrder("/jobs/5/effect", "/jobs/5/input");
  }

  @Test
  void without_credits_for_all_nothing_is_accepted_unless_some_will_do() {
    Client client = rich("poor", 6);
    List<String> before = rig.traces();

    Answer refused =
        client
            .post("/api/batches", Many.drafts("all_or_nothing", 10))
            .problem(422, "batch_refused");

    assertThat(rig.traces()).isEqualTo(before);
    assertThat(Many.statuses(refused).subList(0, 6)).containsOnly("withheld");
    assertThat(Many.statuses(refused).subList(6, 10)).containsOnly("refused");
    assertThat(refused.at("/results/6/problem/code")).isEqualTo("insufficient_credits");

    Answer some = client.post("/api/batches", Many.drafts("partial", 10)).expect(201);

    assertThat(Many.statuses(some))
        .isEqualTo(
            List.of(
                "accepted",
                "accepted",
                "accepted",
                "accepted",
                "accepted",
                "accepted",
                "refused",
                "refused",
                "refused",
                "refused"));
    assertThat(some.at("/counts/queued")).isEqualTo("6");
    assertThat(client.balance()).isZero();
    client.post("/api/batches", Many.drafts("partial", 2)).problem(422, "batch_refused");
  }

  @Test
  void a_partial_batch_takes_the_good_ones_and_its_replay_tells_them_apart() {
    Client client = rich("partial", 10);
    String body =
        """
        {"mode":"partial","jobs":[%s,{"effect":"none"},%s,{"effect":"sketch/draft"},%s]}
        """
            .formatted(Many.draft(1), Many.draft(2), Many.draft(2));

    Answer made = client.post("/api/batches", body, "Idempotency-Key", "p").expect(201);
    Answer again = client.post("/api/batches", body, "Idempotency-Key", "p").expect(200);

    assertThat(Many.statuses(made))
        .containsExactly("accepted", "refused", "accepted", "refused", "accepted");
    assertThat(made.at("/size")).isEqualTo("3");
    assertThat(paths(made, 1)).containsExactly("/jobs/1/effect");
    assertThat(again.header("idempotency-replayed")).contains("true");
    assertThat(Many.statuses(again)).isEqualTo(Many.statuses(made));
    for (int i : List.of(0, 2, 4)) {
      String path = "/results/" + i + "/job_id";
      assertThat(again.at(path)).isEqualTo(made.at(path)).isNotEmpty();
    }
    assertThat(client.balance()).isEqualTo(7);
  }

  @Test
  void a_batch_that_is_sent_twenty_times_at_once_counts_once() throws Exception {
    Client client = rich("eager", 1000);
    String body = Many.drafts("all_or_nothing", 50);

    List<Answer> answers =
        Together.times(20, _ -> client.post("/api/batches", body, "Idempotency-Key", "once"));

    assertThat(answers).filteredOn(answer -> answer.status() == 201).hasSize(1);
    assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(19);
    assertThat(answers)
        .extracting(answer -> answer.at("/id"))
        .containsOnly(answers.getFirst().at("/id"));
    assertThat(answers)
        .extracting(answer -> answer.json().path("results"))
        .containsOnly(answers.getFirst().json().path("results"));
    assertThat(client.balance()).isEqualTo(950);
    client
        .post("/api/batches", Many.drafts("all_or_nothing", 49), "Idempotency-Key", "once")
        .problem(422, "idempotency_mismatch");
    client
        .post("/api/batches", Many.drafts("partial", 50), "Idempotency-Key", "once")
        .problem(422, "idempotency_mismatch");
    assertThat(client.balance()).isEqualTo(950);
  }

  @Test
  void what_is_wrong_with_the_batch_itself_is_refused_with_its_path() {
    Client client = rich("formal", 1);
    String jobs = "[" + Many.draft(1) + "]";

    assertThat(wrong(client, "{}")).containsExactly("/jobs");
    assertThat(wrong(client, "{\"jobs\":[]}")).containsExactly("/jobs");
    assertThat(wrong(client, "{\"jobs\":{}}")).containsExactly("/jobs");
    assertThat(wrong(client, Many.drafts("partial", 1001))).containsExactly("/jobs");
    assertThat(wrong(client, "{\"mode\":\"some\",\"more\":1,\"jobs\":" + jobs + "}"))
        .containsExactlyInAnyOrder("/mode", "/more");
    client
        .post("/api/batches", "{\"user\":\"poor\",\"jobs\":" + jobs + "}")
        .problem(403, "forbidden");
    client.get("/api/jobs?batch=1").problem(422, "invalid_request");
  }

  private static List<String> wrong(Client client, String body) {
    return client.post("/api/batches", body).problem(422, "invalid_request").wrongPaths();
  }

  @Test
  void batches_are_listed_newest_first_and_others_do_not_see_them() {
    Client client = rich("lister", 10);
    String first = client.post("/api/batches", Many.drafts("partial", 1)).expect(201).at("/id");
    String second = client.post("/api/batches", Many.drafts("partial", 2)).expect(201).at("/id");

    Answer page = client.get("/api/batches?limit=1").expect(200);
    assertThat(page.at("/items/0/id")).isEqualTo(second);
    assertThat(page.at("/items/0/counts/queued")).isEqualTo("2");
    JsonNode rest =
        client.get("/api/batches?limit=5&cursor=" + page.at("/next_cursor")).expect(200).json();
    assertThat(rest.path("items").size()).isEqualTo(1);
    assertThat(rest.at("/items/0/id").asString()).isEqualTo(first);
    assertThat(rig.admin().get("/api/batches?user=lister").at("/items/1/id")).isEqualTo(first);
    Client stranger = rig.boundTo("stranger");
    stranger.get("/api/batches/" + first).problem(404, "not_found");
    stranger.get("/api/batches/" + first + "/stream").problem(404, "not_found");
    stranger.post("/api/batches/" + first + "/cancel", "").problem(404, "not_found");
    stranger.post("/api/batches/" + first + "/retry", "").problem(404, "not_found");
    assertThat(stranger.get("/api/jobs?batch=" + first).json().path("items").size()).isZero();
  }
}
