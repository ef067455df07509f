package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Asking again costs nothing, and nobody can spend what is not there. */
class IdempotencyApiPgTest {

  @TempDir static Path folder;

  private static ServerRig rig;

  @BeforeAll
  static void start() {
    rig = ServerRig.start(folder, "EXECUTOR_SLOTS=0", "WELCOME_CREDITS=0");
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  @AfterEach
  void everyInvariantHolds() {
    rig.examine();
  }

  private static Client rich(String user, long credits) {
    rig.credit(user, credits);
    return rig.boundTo(user);
  }

  @Test
  void a_hundred_equal_submits_at_once_make_one_job_and_one_debit() throws Exception {
    Client client = rich("hundred", 100);

    List<Answer> answers =
        Together.times(
            100, _ -> client.post("/api/jobs", Client.draft(), "Idempotency-Key", "order-1"));

    assertThat(answers).filteredOn(answer -> answer.status() == 201).hasSize(1);
    assertThat(answers)
        .filteredOn(answer -> answer.status() == 200)
        .hasSize(99)
        .allSatisfy(answer -> assertThat(answer.header("idempotency-replayed")).contains("true"));
    Set<String> ids = answers.stream().map(answer -> answer.at("/id")).collect(Collectors.toSet());
    assertThat(ids).hasSize(1);
    assertThat(client.get("/api/wallet").text())
        .isEqualTo("{\"user\":\"hundred\",\"balance\":99,\"reserved\":1}");
    assertThat(client.get("/api/jobs").json().path("items")).hasSize(1);
  }

  @Test
  void a_wallet_for_fifty_jobs_pays_for_fifty_of_two_hundred() throws Exception {
    Client client = rich("fifty", 50);

    List<Answer> answers = Together.times(200, _ -> client.submitDraft());

    assertThat(answers).filteredOn(answer -> answer.status() == 201).hasSize(50);
    assertThat(answers)
        .filteredOn(answer -> answer.status() != 201)
        .hasSize(150)
        .allSatisfy(answer -> {
          answer.problem(402, "insufficient_credits");
          assertThat(answer.at("/required_credits")).isEqualTo("1");
          assertThat(answer.at("/balance")).isEqualTo("0");
        });
    assertThat(client.balance()).isZero();
    assertThat(client.get("/api/wallet/ledger?limit=500").json().path("items")).hasSize(51);
  }

  @Test
  void the_same_key_for_another_request_is_refused_and_costs_nothing() {
    Client client = rich("other", 10);
    String first = client.post("/api/jobs", Client.draft(), "Idempotency-Key", "k").at("/id");

    for (String other :
        List.of(
            Client.draft("\"seed\":1"),
            Client.draft().replace("sketch/draft", "sketch/poster"),
            Client.draft().replace("\"effect\"", "\"priority\":-1,\"effect\""),
            Client.draft()
                .replace("\"effect\"", "\"run_at\":\"2100-01-01T00:00:00Z\",\"effect\""))) {
      client.post("/api/jobs", other, "Idempotency-Key", "k").problem(422, "idempotency_mismatch");
    }

    assertThat(client.balance()).isEqualTo(9);
    assertThat(
            client.post("/api/jobs", Client.draft(), "Idempotency-Key", "k").expect(200).at("/id"))
        .isEqualTo(first);
  }

  @Test
  void the_order_of_fields_does_not_make_another_request() {
    Client client = rich("order", 10);

    client
        .post(
            "/api/jobs",
            """
            {"effect":"sketch/draft","input":{"prompt":"fox","seed":7},"idempotency_key":"k"}
            """)
        .expect(201);
    client
        .post(
            "/api/jobs",
            """
            {"idempotency_key":"k","input":{"seed":7,"prompt":"fox"},"effect":"sketch/draft"}
            """)
        .expect(200);
  }

  @Test
  void the_header_and_the_body_name_the_same_key_or_are_refused() {
    Client client = rich("names", 10);
    String withKey = Client.draft().replace("\"effect\"", "\"idempotency_key\":\"k\",\"effect\"");

    String id = client.post("/api/jobs", withKey).expect(201).at("/id");

    assertThat(
            client.post("/api/jobs", Client.draft(), "Idempotency-Key", "k").expect(200).at("/id"))
        .isEqualTo(id);
    client.post("/api/jobs", withKey, "Idempotency-Key", "k").expect(200);
    assertThat(
            client
                .post("/api/jobs", withKey, "Idempotency-Key", "other")
                .problem(422, "invalid_request")
                .wrongPaths())
        .containsExactly("/idempotency_key");
    client
        .post("/api/jobs", Client.draft(), "Idempotency-Key", "a", "Idempotency-Key", "b")
        .problem(400, "bad_request");
    client
        .post("/api/jobs", Client.draft(), "Idempotency-Key", "x".repeat(201))
        .problem(422, "invalid_request");
    assertThat(client.balance()).isEqualTo(9);
  }

  @Test
  void users_do_not_share_keys() {
    Client one = rich("one", 10);
    Client two = rich("two", 10);

    String first =
        one.post("/api/jobs", Client.draft(), "Idempotency-Key", "k").expect(201).at("/id");
    String second =
        two.post("/api/jobs", Client.draft(), "Idempotency-Key", "k").expect(201).at("/id");

    assertThat(first).isNotEqualTo(second);
  }

  @Test
  void a_replay_after_the_money_is_gone_still_shows_the_job() {
    Client client = rich("last-credit", 1);
    String id =
        client.post("/api/jobs", Client.draft(), "Idempotency-Key", "k").expect(201).at("/id");

    client.submitDraft().problem(402, "insufficient_credits");
    assertThat(
            client.post("/api/jobs", Client.draft(), "Idempotency-Key", "k").expect(200).at("/id"))
        .isEqualTo(id);
  }

  @Test
  void a_payment_that_is_sent_twenty_times_at_once_counts_once() throws Exception {
    String payment =
        """
        {"user":"payer","amount":30,"idempotency_key":"payment-1","note":"Invoice 1"}
        """;

    List<Answer> answers =
        Together.times(20, _ -> rig.admin().post("/api/admin/wallets/credit", payment));

    assertThat(answers)
        .allSatisfy(answer -> assertThat(answer.expect(200).at("/balance")).isEqualTo("30"));
    assertThat(answers)
        .filteredOn(answer -> answer.header("idempotency-replayed").isPresent())
        .hasSize(19);
  }
}
