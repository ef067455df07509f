package dev.millrace.cli.command.job;

import static dev.millrace.cli.fake.FakeServer.hangUp;
import static dev.millrace.cli.fake.FakeServer.json;
import static dev.millrace.cli.fake.FakeServer.problem;
import static dev.millrace.cli.fake.Samples.JOB;
import static dev.millrace.cli.fake.Samples.file;
import static dev.millrace.cli.fake.Samples.job;
import static dev.millrace.cli.fake.Samples.picture;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.fake.Cli;
import dev.millrace.cli.fake.Cli.Result;
import dev.millrace.cli.fake.FakeServer;
import dev.millrace.cli.fake.FakeServer.Seen;
import dev.millrace.cli.fake.Samples;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobActionsTest {

  private static final String PATH = "/api/jobs/" + JOB;
  private static final String ADMIN = "/api/admin/jobs/" + JOB;

  @TempDir Path folder;
  private final FakeServer server = new FakeServer();
  private Cli cli = new Cli(Path.of("."));

  @BeforeEach
  void a_command_line_exists() {
    cli = new Cli(folder.resolve("profiles"), server).variable("NO_COLOR", "1");
  }

  @AfterEach
  void the_server_stops() {
    server.close();
  }

  /** A job with some more fields than the smallest one has. */
  private static String with(String job, String fields) {
    return job.strip().replaceFirst("^\\{", "{" + fields + ",");
  }

  private static String deleted(int failed) {
    return """
    {"id":"%s","deleted_at":"2026-03-01T12:00:00Z","files":{"removed":2,"bytes":1500,"failed":%d}}
    """
        .formatted(JOB, failed);
  }

  private String sent(String methodAndPath) {
    return server.seen(methodAndPath).getFirst().body();
  }

  @Test
  void a_retry_names_the_new_job_and_the_old_one() {
    String again = with(job("queued", 1, ""), "\"retry_of\":\"old\"");
    server.on("POST /api/jobs/old/retry", json(201, again));
    Result result = cli.run("jobs", "retry", "old");
    assertThat(result.exit()).isZero();
    assertThat(result.out()).isEqualTo(JOB + "  queued  retry of old\n");
  }

  @Test
  void a_retry_without_answer_is_sent_again_under_the_same_key() {
    server.on("POST " + PATH + "/retry", hangUp(), json(201, job("queued", 1, "")));
    assertThat(cli.run("jobs", "retry", JOB).exit()).isZero();
    List<Seen> sent = server.seen("POST " + PATH + "/retry");
    assertThat(sent).hasSize(2);
    assertThat(sent.getFirst().header("Idempotency-key")).isNotBlank();
    assertThat(sent)
        .extracting(s -> s.header("Idempotency-key"))
        .containsOnly(sent.getFirst().header("Idempotency-key"));
  }

  @Test
  void one_refused_retry_does_not_keep_the_others_from_theirs() {
    server
        .on("POST /api/jobs/a/retry", problem(409, "transition_denied", "The job is running."))
        .on("POST /api/jobs/c/retry", json(201, job("queued", 1, "")));
    Result result = cli.run("jobs", "retry", "a", "b", "c", "--json");
    assertThat(result.exit()).as("that of the first refusal").isEqualTo(2);
    assertThat(result.err())
        .contains("a: The job is running.", "There is no job b.")
        .doesNotContain("b: There");
    assertThat(ApiJson.parse(result.out()).path("items")).hasSize(1);
  }

  @Test
  void a_retry_in_place_goes_to_the_admins_route_and_is_sent_once() {
    server.on("POST " + ADMIN + "/retry", json(200, job("queued", 9, "")));
    assertThat(cli.run("jobs", "retry", "--in-place", JOB).out()).isEqualTo(JOB + "  queued\n");
    server.on("POST " + ADMIN + "/retry", problem(503, "overloaded", "Busy."));
    assertThat(cli.run("jobs", "retry", "--in-place", JOB).exit()).isEqualTo(8);
    assertThat(server.seen()).hasSize(2);
  }

  @Test
  void missing_credits_for_a_retry_exit_with_5() {
    server.on(
        "POST " + PATH + "/retry",
        problem(402, "insufficient_credits", "This costs 5 credits, and the wallet has 2."));
    Result result = cli.run("jobs", "retry", JOB);
    assertThat(result.exit()).isEqualTo(5);
    assertThat(result.err()).contains("This costs 5 credits", "millrace wallet credit USER 100");
  }

  @Test
  void approving_the_whole_names_no_items_and_tells_the_follow_up() {
    server.on(
        "POST " + PATH + "/approve",
        json(200, with(job("completed", 5, ""), "\"follow_up_id\":\"next\"")));
    Result result = cli.run("jobs", "approve", JOB);
    assertThat(result.out()).isEqualTo(JOB + "  completed\n");
    assertThat(result.err()).contains("follow-up is next", "millrace jobs watch next");
    assertThat(sent("POST " + PATH + "/approve")).isEqualTo("{}");
  }

  @Test
  void an_approval_can_do_without_what_follows() {
    server.on("POST " + PATH + "/approve", json(200, job("completed", 5, "")));
    assertThat(cli.run("jobs", "approve", JOB, "--no-follow-up").exit()).isZero();
    assertThat(sent("POST " + PATH + "/approve")).isEqualTo("{\"follow_up\":false}");
  }

  @Test
  void a_receipt_is_printed_for_any_job_also_one_that_was_overturned() {
    String receipt =
        """
        {"held":5,"captured":5,"refunded":0,"given_back":5,"seconds":1.5,"attempts":[{}],
         "lines":[{"balance_after":95}]}
        """;
    server.on("GET " + PATH, json(200, job("rejected", 5, "")));
    server.on("GET " + PATH + "/receipt", json(200, receipt));
    assertThat(cli.run("jobs", "receipt", JOB).out())
        .startsWith("rejected")
        .contains("held 5", "captured 5", "refunded 0", "given back 5", "1.5 s");
  }

  @Test
  void items_are_approved_one_by_one() {
    server.on("POST " + PATH + "/approve", json(200, job("completed", 5, "")));
    assertThat(cli.run("jobs", "approve", JOB, "--item", "f1,f2", "--item", "f3").exit()).isZero();
    assertThat(sent("POST " + PATH + "/approve")).isEqualTo("{\"items\":[\"f1\",\"f2\",\"f3\"]}");
  }

  @Test
  void an_item_that_is_not_there_is_told_by_its_field() {
    server.on(
        "POST " + PATH + "/approve",
        json(
            422,
            """
            {"type":"urn:millrace:problem:invalid_request","title":"Invalid request","status":422,
             "code":"invalid_request","detail":"The request is not valid.",
             "errors":[{"path":"/items/0","message":"is no output of this job"}]}
            """));
    Result result = cli.run("jobs", "approve", JOB, "--item", "nothing");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("/items/0: is no output of this job");
  }

  @Test
  void what_is_in_review_can_be_listed_and_downloaded() {
    String withheld = with(file(server, "file_2", "b.png"), "\"withheld\":true");
    server
        .on(
            "GET " + PATH + "/items",
            json(200, "{\"items\":[" + file(server, "file_1", "a.png") + "," + withheld + "]}"))
        .on("GET /signed/file_1", picture())
        .on("GET /signed/file_2", picture());
    Result result = cli.run("jobs", "items", JOB, "-o", folder.toString());
    assertThat(result.out().lines()).hasSize(3).last().asString().contains("file_2", "withheld");
    assertThat(folder.resolve("a.png")).hasBinaryContent(Samples.PICTURE);
    assertThat(folder.resolve("b.png")).exists();
  }

  @Test
  void decline_reject_and_overturn_say_why() {
    server
        .on("POST " + PATH + "/decline", json(200, job("rejected", 5, "")))
        .on("POST " + ADMIN + "/reject", json(200, job("rejected", 2, "")))
        .on("POST " + ADMIN + "/overturn", json(200, job("rejected", 6, "")));
    assertThat(cli.run("jobs", "decline", JOB, "--reason", "Blurred.").out())
        .isEqualTo(JOB + "  rejected\n");
    assertThat(sent("POST " + PATH + "/decline")).isEqualTo("{\"reason\":\"Blurred.\"}");
    assertThat(cli.run("jobs", "reject", JOB, "--category", "violence", "--reason", "No.").exit())
        .isZero();
    assertThat(sent("POST " + ADMIN + "/reject"))
        .isEqualTo("{\"category\":\"violence\",\"reason\":\"No.\"}");
    assertThat(cli.run("jobs", "overturn", JOB, "--reason", "Harmless.").exit()).isZero();
    assertThat(sent("POST " + ADMIN + "/overturn")).isEqualTo("{\"reason\":\"Harmless.\"}");
  }

  @Test
  void a_verdict_without_a_reason_is_not_sent() {
    assertThat(cli.run("jobs", "decline", JOB).exit()).isEqualTo(2);
    assertThat(cli.run("jobs", "reject", JOB, "--reason", "No.").exit()).isEqualTo(2);
    assertThat(cli.run("jobs", "overturn", JOB).err()).contains("--reason");
    assertThat(server.seen()).isEmpty();
  }

  @Test
  void nothing_is_deleted_where_nobody_can_be_asked() {
    Result result = cli.run("jobs", "delete", JOB);
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("--yes");
    assertThat(server.seen()).isEmpty();
  }

  @Test
  void only_yes_means_yes() {
    server.on("DELETE " + PATH, json(200, deleted(0)));
    cli.onTerminal(StandardCharsets.UTF_8);
    for (String answer : new String[] {"", "\n", "n\n", "yesterday\n"}) {
      Result result = cli.typing(answer).run("jobs", "delete", JOB);
      assertThat(result.exit()).as(answer).isEqualTo(9);
      assertThat(result.err()).contains("no way back. [y/N]", "Nothing was changed.");
    }
    assertThat(server.seen()).isEmpty();
    assertThat(cli.typing("Y\n").run("jobs", "delete", JOB).exit()).isZero();
    assertThat(server.seen("DELETE " + PATH)).hasSize(1);
  }

  @Test
  void deleting_says_what_went_and_what_could_not() {
    server.on("DELETE " + PATH, json(200, deleted(1)));
    Result result = cli.run("jobs", "delete", "--yes", JOB);
    assertThat(result.out())
        .isEqualTo(JOB + "  deleted, 2 files (1.5 kB); 1 file could not be removed\n");
    assertThat(cli.run("jobs", "delete", "--yes", "gone").exit()).isEqualTo(7);
  }

  @Test
  void the_jobs_of_a_batch_are_listed() {
    server.on("GET /api/jobs", json(200, "{\"items\":[" + job("running", 2, "") + "]}"));
    assertThat(cli.run("jobs", "--batch", "b1").out()).contains(JOB);
    assertThat(cli.run("jobs", "list", "--batch", "b1").out()).contains(JOB);
    assertThat(server.seen()).extracting(Seen::query).containsOnly("batch=b1&limit=20");
  }

  @Test
  void a_job_shows_where_it_comes_from_and_what_it_led_to() {
    String fields =
        """
        "retry_of":"r1","follows":"f1","follow_up_id":"n1","batch_id":"b1","delivered":2,
        "price":{"per":"output","credits":3},"overturned_at":"2026-03-01T11:00:00Z"
        """;
    server.on("GET " + PATH, json(200, with(job("rejected", 3, ""), fields)));
    assertThat(cli.run("jobs", "show", JOB).out().lines())
        .contains(
            "price       3 credits per output",
            "delivered   2",
            "retry of    r1",
            "follows     f1",
            "follow-up   n1",
            "batch       b1",
            "overturned  1h ago");
  }
}
