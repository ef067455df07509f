package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A result that a person looks at first: what is let through is delivered and paid for. */
class ReviewApiPgTest {

  private static final String STRICT =
      """
      effects_of: sketch
      effects:
        - effect: sketch/strict
          title: Strict
          credits_cost: 2
          price: {per: output, most: variants}
          fixed: {variants: 2, width: 256, height: 256}
          review: required
          decline: {consume: true}
      """;

  private static final String ONE_ONLY =
      """
      workflow: one-only
      title: One only
      executor: sketch
      properties:
        items: {type: array, items: {type: string}, maxItems: 1, default: []}
      effects:
        - effect: one/only
          title: One only
          credits_cost: 1
      """;

  private static final String PAIR =
      """
      effects_of: sketch
      effects:
        - effect: sketch/pair
          title: Pair
          credits_cost: 2
          fixed: {variants: 2, width: 256, height: 256}
          review: required
          follow_up: one/only
      """;

  @TempDir static Path folder;

  private static ServerRig rig;
  private static Client reviewer;
  private Client owner;

  @BeforeAll
  static void start() throws IOException {
    Path catalogue = Files.createDirectories(folder.resolve("catalogue"));
    Files.writeString(catalogue.resolve("strict.yaml"), STRICT);
    Files.writeString(catalogue.resolve("one-only.yaml"), ONE_ONLY);
    Files.writeString(catalogue.resolve("pair.yaml"), PAIR);
    rig = ServerRig.start(folder, "CATALOGUE_DIR=" + catalogue);
    reviewer = rig.as("reviewer");
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  @BeforeEach
  void a_user_with_ten_credits() {
    String user = "u-" + UUID.randomUUID();
    owner = rig.boundTo(user);
    rig.credit(user, 10);
  }

  @AfterEach
  void everyInvariantHolds() {
    rig.examine();
  }

  private String waiting(String effect) {
    String id = owner.asked(effect, "\"prompt\":\"a red fox\"");
    owner.awaitJob(id, "waiting_review");
    return id;
  }

  private static List<JsonNode> items(String id) {
    return List.copyOf(
        reviewer.get("/api/jobs/" + id + "/items").expect(200).json().path("items").values());
  }

  private static String id(JsonNode item) {
    return item.path("id").asString();
  }

  private static Answer approve(String id, String body) {
    return reviewer.post("/api/jobs/" + id + "/approve", body);
  }

  @Test
  void what_is_approved_is_delivered_paid_and_followed_up_and_the_rest_stays_unseen() {
    String id = waiting("sketch/proof");
    assertThat(owner.balance()).isEqualTo(7);
    assertThat(owner.job(id).json().path("outputs")).isEmpty();
    List<JsonNode> made = items(id);
    assertThat(made).hasSize(3).noneMatch(item -> item.path("withheld").asBoolean());
    reviewer.get(made.getFirst().path("url").asString()).expect(200);
    String chosen = id(made.get(0)) + "\",\"" + id(made.get(2));

    Answer approved =
        approve(id, "{\"items\":[\"" + chosen + "\"],\"decline_rest\":true}").expect(200);

    assertThat(approved.at("/state")).isEqualTo("completed");
    assertThat(approved.json().path("credits").toString())
        .isEqualTo("{\"held\":3,\"captured\":2,\"refunded\":1}");
    assertThat(approved.at("/delivered")).isEqualTo("2");
    assertThat(approved.json().path("price").toString())
        .isEqualTo("{\"per\":\"output\",\"credits\":1}");
    assertThat(approved.at("/summary/approved") + approved.at("/summary/declined")).isEqualTo("21");
    assertThat(owner.job(id).json().path("outputs").values())
        .extracting(ReviewApiPgTest::id)
        .containsExactly(id(made.get(0)), id(made.get(2)));
    owner.get("/api/files/" + id(made.get(1))).problem(404, "not_found");
    assertThat(owner.get("/api/files").text()).doesNotContain(id(made.get(1)));
    assertThat(items(id))
        .extracting(item -> item.path("withheld").asBoolean())
        .containsExactly(false, true, false);

    String next = approved.at("/follow_up_id");
    Answer sheet = owner.awaitJob(next, "completed");
    assertThat(sheet.at("/effect")).isEqualTo("sketch/sheet");
    assertThat(sheet.at("/follows")).isEqualTo(id);
    assertThat(sheet.at("/summary/applied") + sheet.at("/summary/skipped")).isEqualTo("21");
    assertThat(sheet.json().at("/input/items").values())
        .extracting(JsonNode::asString)
        .containsExactly(id(made.get(0)), id(made.get(2)));
    assertThat(owner.balance()).isEqualTo(10 - 2 - 1);
    assertThat(owner.get("/api/jobs/" + id + "/receipt").at("/delivered")).isEqualTo("2");
  }

  @Test
  void items_are_decided_in_several_calls_and_the_last_one_ends_the_review() {
    String id = waiting("sketch/proof");
    List<JsonNode> made = items(id);
    Answer one = approve(id, "{\"items\":[\"" + id(made.get(0)) + "\"]}").expect(200);
    assertThat(one.at("/state")).isEqualTo("waiting_review");
    assertThat(one.at("/delivered")).as("nothing is delivered yet").isEqualTo("0");
    assertThat(one.at("/summary/remaining")).isEqualTo("2");
    assertThat(owner.job(id).json().path("outputs")).isEmpty();
    decline(id, "{\"reason\":\"Blue.\",\"items\":[\"" + id(made.get(1)) + "\"]}").expect(200);
    assertThat(items(id))
        .extracting(item -> item.path("decision").asString("open"))
        .containsExactly("approved", "declined", "open");
    approve(id, "{\"items\":[\"" + id(made.get(1)) + "\"]}").problem(409, "items_decided");
    approve(id, "{\"items\":[]}").problem(422, "invalid_request");

    Answer last = decline(id, "{\"reason\":\"Blue too.\"}").expect(200);

    assertThat(last.at("/state")).as("something was approved").isEqualTo("completed");
    assertThat(last.at("/delivered")).isEqualTo("1");
    assertThat(last.json().path("credits").toString())
        .isEqualTo("{\"held\":3,\"captured\":1,\"refunded\":2}");
    Answer sheet = owner.awaitJob(last.at("/follow_up_id"), "completed");
    assertThat(sheet.json().at("/input/items").values())
        .extracting(JsonNode::asString)
        .containsExactly(id(made.get(0)));
    assertThat(
            rig.ask(
                "select count(*) from audit where action = 'job.review' and target = '" + id + "'"))
        .isEqualTo("2");
  }

  private static Answer decline(String id, String body) {
    return reviewer.post("/api/jobs/" + id + "/decline", body);
  }

  @Test
  void many_approvals_at_once_count_once_and_make_one_follow_up() throws Exception {
    String id = waiting("sketch/proof");

    List<Answer> answers = Together.times(20, _ -> approve(id, ""));

    assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
    assertThat(answers)
        .filteredOn(answer -> answer.status() != 200)
        .allSatisfy(answer -> answer.problem(409, "transition_denied"));
    assertThat(rig.ask("select count(*) from job where follows = '" + id + "'")).isEqualTo("1");
    Answer sheet = owner.awaitJob(owner.job(id).at("/follow_up_id"), "completed");
    assertThat(sheet.at("/summary/applied") + sheet.at("/summary/skipped")).isEqualTo("30");
    assertThat(owner.balance()).isEqualTo(10 - 3 - 1);
  }

  @Test
  void nothing_is_approved_if_the_wallet_does_not_cover_what_follows() {
    String id = waiting("sketch/proof");
    owner.asked("sketch/poster", "\"prompt\":\"sea\"");
    owner.asked("sketch/draft", "\"prompt\":\"sea\"");
    owner.asked("sketch/draft", "\"prompt\":\"lake\"");
    assertThat(owner.balance()).isZero();

    Answer refused = approve(id, "{}").problem(402, "insufficient_credits");

    assertThat(refused.at("/required_credits") + refused.at("/balance")).isEqualTo("10");
    assertThat(owner.job(id).at("/state")).isEqualTo("waiting_review");
    assertThat(owner.job(id).json().path("follow_up_id").isNull()).isTrue();
    // With one item less, what the approval gives back pays for it.
    String items = "\"%s\",\"%s\"".formatted(id(items(id).get(0)), id(items(id).get(1)));
    approve(id, "{\"items\":[" + items + "],\"decline_rest\":true}").expect(200);
  }

  @Test
  void nothing_is_approved_if_what_follows_does_not_take_it() {
    String id = waiting("sketch/pair");

    approve(id, "").problem(409, "follow_up_impossible");

    assertThat(owner.job(id).at("/state")).isEqualTo("waiting_review");
    String one = id(items(id).getFirst());
    Answer approved =
        approve(id, "{\"items\":[\"" + one + "\"],\"decline_rest\":true}").expect(200);
    assertThat(owner.awaitJob(approved.at("/follow_up_id"), "completed").at("/input/items/0"))
        .isEqualTo(one);
  }

  @Test
  void an_effect_that_is_gone_is_said_and_its_result_can_be_approved_alone() throws IOException {
    String id = waiting("sketch/strict");
    Path file = folder.resolve("catalogue").resolve("strict.yaml");
    Files.delete(file);
    try {
      rig.admin().post("/api/admin/catalogue/reload", "").expect(200);

      Answer refused = approve(id, "{}").problem(409, "follow_up_impossible");

      assertThat(refused.at("/detail")).contains("sketch/strict is not on offer any more");
      approve(id, "{\"follow_up\":false}").expect(200);
      assertThat(owner.job(id).at("/state")).isEqualTo("completed");
    } finally {
      Files.writeString(file, STRICT);
      rig.admin().post("/api/admin/catalogue/reload", "").expect(200);
    }
  }

  @Test
  void items_that_are_none_or_not_the_jobs_are_refused() {
    String id = waiting("sketch/proof");
    String foreign = id(items(waiting("sketch/proof")).getFirst());
    String own = id(items(id).getFirst());
    for (String items :
        List.of(
            "[]",
            "[\"" + foreign + "\"]",
            "[\"" + own + "\",\"" + foreign + "\"]",
            "[\"nonsense\"]",
            "[7]",
            "\"" + own + "\"",
            "{}")) {
      assertThat(
              approve(id, "{\"items\":" + items + "}").problem(422, "invalid_request").wrongPaths())
          .containsExactly("/items");
    }
    assertThat(approve(id, "{\"all\":true}").problem(422, "invalid_request").wrongPaths())
        .containsExactly("/all");
    assertThat(owner.job(id).at("/state")).isEqualTo("waiting_review");
  }

  @Test
  void a_decline_tells_its_reason_and_gives_the_credits_back() {
    String id = waiting("sketch/proof");

    Answer declined =
        reviewer.post("/api/jobs/" + id + "/decline", "{\"reason\":\"Too red.\"}").expect(200);

    assertThat(declined.at("/state")).isEqualTo("rejected");
    assertThat(declined.at("/error/code") + ": " + declined.at("/error/message"))
        .isEqualTo("declined: Too red.");
    assertThat(declined.at("/credits/refunded")).isEqualTo("3");
    assertThat(owner.job(id).json().path("outputs")).isEmpty();
    assertThat(owner.balance()).isEqualTo(10);
    reviewer
        .post("/api/jobs/" + id + "/decline", "{\"reason\":\"Too red.\"}")
        .problem(409, "transition_denied");
    assertThat(approve(id, "").problem(409, "transition_denied").at("/state"))
        .isEqualTo("rejected");
    for (String body :
        List.of("{}", "{\"reason\":\" \"}", "{\"reason\":\"" + "x".repeat(501) + "\"}")) {
      assertThat(
              reviewer
                  .post("/api/jobs/" + id + "/decline", body)
                  .problem(422, "invalid_request")
                  .wrongPaths())
          .containsExactly("/reason");
    }
  }

  @Test
  void a_decline_keeps_the_credits_where_the_effect_says_so() {
    String id = waiting("sketch/strict");

    reviewer.post("/api/jobs/" + id + "/decline", "{\"reason\":\"No.\"}").expect(200);

    assertThat(owner.job(id).at("/credits/captured")).isEqualTo("4");
    assertThat(owner.balance()).isEqualTo(6);
  }

  @Test
  void an_approval_without_a_follow_up_makes_no_job() {
    String id = waiting("sketch/strict");

    Answer approved = approve(id, "{\"items\":null}").expect(200);

    assertThat(approved.json().path("follow_up_id").isNull()).isTrue();
    assertThat(approved.json().path("outputs")).hasSize(2);
    assertThat(owner.balance()).isEqualTo(6);
  }

  @Test
  void an_owner_cannot_review_and_a_stranger_finds_nothing() {
    String id = waiting("sketch/strict");
    Client admin = rig.admin();
    owner.get("/api/jobs/" + id + "/items").problem(403, "forbidden");
    owner.post("/api/jobs/" + id + "/approve", "").problem(403, "forbidden");
    owner.post("/api/jobs/" + id + "/decline", "{\"reason\":\"x\"}").problem(403, "forbidden");
    Client elsewhere =
        admin.with(rig.newKey("reviewer", "somebody-else").path("secret").asString());
    elsewhere.get("/api/jobs/" + id + "/items").problem(404, "not_found");
    elsewhere.post("/api/jobs/" + id + "/approve", "").problem(404, "not_found");

    admin.post("/api/jobs/" + id + "/approve", "").expect(200);

    JsonNode line = admin.get("/api/admin/audit?target=" + id).expect(200).json().at("/items/0");
    assertThat(line.path("action").asString()).isEqualTo("job.approve");
    assertThat(line.path("actor").asString()).startsWith("key:mr_");
    assertThat(line.path("detail").toString()).isEqualTo("{\"approved\":\"2\",\"declined\":\"0\"}");
  }

  @Test
  void why_some_items_were_declined_is_kept_for_the_owner_beside_what_was_approved() {
    String id = waiting("sketch/proof");
    List<JsonNode> made = items(id);
    String secret = "sk-" + "a1B2c3D4e5F6g7H8i9J0k1L2";
    String first = "{\"items\":[\"" + id(made.get(0)) + "\"],\"reason\":\"Blurry " + secret + "\"}";
    assertThat(reviewer.post("/api/jobs/" + id + "/decline", first).expect(200).at("/message"))
        .isEqualTo("Waiting for review: 2 to go. Declined: Blurry [secret]");
    // Once is enough: the same again says nothing new.
    Answer again = reviewer.post("/api/jobs/" + id + "/decline", first).expect(200);
    assertThat(again.json().at("/summary/declined_reasons").toString())
        .isEqualTo("[\"Blurry [secret]\"]");
    approve(id, "{\"items\":[\"" + id(made.get(1)) + "\"]}").expect(200);
    String rest = "{\"reason\":\"Two \\\"tails\\\"\"}";
    reviewer.post("/api/jobs/" + id + "/decline", rest).expect(200);

    Answer job = owner.job(id);
    assertThat(job.at("/state")).isEqualTo("completed");
    assertThat(job.json().at("/summary/declined_reasons").toString())
        .isEqualTo("[\"Blurry [secret]\",\"Two \\\"tails\\\"\"]");
    assertThat(job.at("/message")).isEqualTo("Approved 1 of 3. Declined: Two \"tails\"");
    assertThat(owner.get("/api/jobs/" + id + "/events").expect(200).text())
        .contains("Declined: Blurry [secret]", "Declined: Two")
        .doesNotContain(secret);
  }

  @Test
  void who_declines_the_rest_may_say_why() {
    String id = waiting("sketch/proof");
    String one = id(items(id).getFirst());
    approve(id, "{\"items\":[\"" + one + "\"],\"decline_rest\":true,\"reason\":\"Too dark\"}")
        .expect(200);
    assertThat(owner.job(id).json().at("/summary/declined_reasons").toString())
        .isEqualTo("[\"Too dark\"]");
  }
}
