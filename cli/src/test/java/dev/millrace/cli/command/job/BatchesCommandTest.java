package dev.millrace.cli.command.job;

import static dev.millrace.cli.fake.BulkSamples.BATCH;
import static dev.millrace.cli.fake.BulkSamples.TASK;
import static dev.millrace.cli.fake.BulkSamples.batch;
import static dev.millrace.cli.fake.BulkSamples.event;
import static dev.millrace.cli.fake.BulkSamples.submitted;
import static dev.millrace.cli.fake.BulkSamples.task;
import static dev.millrace.cli.fake.FakeServer.brokenEvents;
import static dev.millrace.cli.fake.FakeServer.events;
import static dev.millrace.cli.fake.FakeServer.hangUp;
import static dev.millrace.cli.fake.FakeServer.json;
import static dev.millrace.cli.fake.FakeServer.problemText;
import static dev.millrace.cli.fake.FakeServer.problemWith;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.fake.Cli;
import dev.millrace.cli.fake.Cli.Result;
import dev.millrace.cli.fake.FakeServer;
import dev.millrace.cli.fake.FakeServer.Seen;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BatchesCommandTest {

  private static final String STREAM = "GET /api/batches/" + BATCH + "/stream";
  private static final String SHOW = "GET /api/batches/" + BATCH;
  private static final String FOX =
      "{\"effect\":\"sketch/draft\",\"input\":{\"prompt\":\"a fox\"}}";
  private static final String ACCEPTED = "{\"index\":0,\"job_id\":\"j0\",\"status\":\"accepted\"}";

  /** Paths as the server writes them: into the whole request. */
  private static final String REFUSED =
      "{\"index\":1,\"status\":\"refused\",\"problem\":"
          + problemText(
              422,
              "invalid_request",
              "The request is not valid.",
              ",\"errors\":[{\"path\":\"/jobs/1/input/prompt\",\"message\":\"must not be empty\"}]")
          + "}";

  private static final String BLOCKED =
      "{\"index\":2,\"job_id\":\"j2\",\"status\":\"blocked\",\"problem\":"
          + problemText(403, "blocked", "Not with this prompt.", "")
          + "}";

  @TempDir Path folder;
  private final FakeServer server = new FakeServer();
  private Cli cli = new Cli(Path.of("."));

  @BeforeEach
  void a_batch_is_taken() {
    cli = new Cli(folder.resolve("profiles"), server);
    server.on("POST /api/batches", json(201, submitted("\"queued\":3", ACCEPTED)));
  }

  @AfterEach
  void the_server_stops() {
    server.close();
  }

  private String file(String text) throws IOException {
    return Files.writeString(folder.resolve("jobs.json"), text).toString();
  }

  @Test
  void an_array_and_lines_mean_the_same() throws IOException {
    for (String text : new String[] {"[" + FOX + "," + FOX + "]", FOX + "\n\n" + FOX + "\n"}) {
      Result result = cli.run("batches", "submit", file(text));
      assertThat(result.exit()).isZero();
      assertThat(result.out()).isEqualTo(BATCH + "\n");
      assertThat(result.err()).contains("3 queued", "millrace batches watch " + BATCH);
    }
    assertThat(server.seen())
        .extracting(Seen::body)
        .containsOnly("{\"mode\":\"all_or_nothing\",\"jobs\":[" + FOX + "," + FOX + "]}");
  }

  @Test
  void standard_input_a_user_and_a_key_of_ones_own_are_sent() {
    cli.typing(FOX);
    cli.run("batches", "submit", "-", "--partial", "--user", "ann", "--idempotency-key", "k1");
    Seen sent = server.seen("POST /api/batches").getFirst();
    assertThat(ApiJson.text(ApiJson.parse(sent.body()), "mode")).isEqualTo("partial");
    assertThat(ApiJson.text(ApiJson.parse(sent.body()), "user")).isEqualTo("ann");
    assertThat(sent.header("Idempotency-key")).isEqualTo("k1");
  }

  @Test
  void a_batch_without_answer_is_sent_again_under_the_same_key() throws IOException {
    server.on("POST /api/batches", hangUp(), json(200, submitted("\"queued\":3", ACCEPTED)));
    assertThat(cli.run("batches", "submit", file(FOX)).exit()).isZero();
    List<Seen> sent = server.seen("POST /api/batches");
    assertThat(sent).hasSize(2);
    assertThat(sent)
        .extracting(s -> s.header("Idempotency-key"))
        .containsOnly(sent.getFirst().header("Idempotency-key"))
        .doesNotContain("");
  }

  @Test
  void a_file_that_makes_no_sense_is_told_by_its_line_and_not_sent() throws IOException {
    assertThat(cli.run("batches", "submit", file(FOX + "\n\n{\"effect\":")).err())
        .contains("jobs.json, line 3 is not JSON");
    assertThat(cli.run("batches", "submit", file("[" + FOX + ",7]")).err())
        .contains("jobs.json, job 2 is no job");
    assertThat(cli.run("batches", "submit", file("{\"input\":{}}")).err()).contains("line 1");
    assertThat(cli.run("batches", "submit", file("[]")).err()).contains("has no jobs.");
    assertThat(cli.run("batches", "submit", file((FOX + "\n").repeat(1_001))).err())
        .contains("1,001 jobs", "1,000 at most");
    assertThat(cli.run("batches", "submit", "nothing.json").exit()).isEqualTo(2);
    assertThat(server.seen()).isEmpty();
  }

  @Test
  void all_or_nothing_names_the_lines_that_are_to_blame_and_no_other() throws IOException {
    String withheld = "{\"index\":0,\"status\":\"withheld\"}";
    server.on(
        "POST /api/batches",
        problemWith(
            422,
            "batch_refused",
            "Nothing of this batch was accepted.",
            ",\"results\":[" + String.join(",", withheld, REFUSED, BLOCKED) + "]"));
    Result result = cli.run("batches", "submit", file(FOX + "\n\n" + FOX + "\n" + FOX));
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .contains("  line 3: prompt: must not be empty\n")
        .contains("  line 4: Not with this prompt.\n")
        .contains("--partial")
        .doesNotContain("line 1");
  }

  @Test
  void a_batch_above_the_limit_of_live_jobs_is_told_how_to_raise_it() throws IOException {
    String tooMany =
        "{\"index\":1,\"status\":\"refused\",\"problem\":"
            + problemText(429, "too_many_active_jobs", "This user has 5 live jobs.", "")
            + "}";
    server.on(
        "POST /api/batches",
        problemWith(
            422,
            "batch_refused",
            "Nothing of this batch was accepted.",
            ",\"results\":[{\"index\":0,\"status\":\"withheld\"}," + tooMany + "]"));
    Result result = cli.run("batches", "submit", "--user", "ada", file(FOX + "\n" + FOX));
    assertThat(result.exit()).isEqualTo(4);
    assertThat(result.err())
        .contains("line 2: This user has 5 live jobs.")
        .contains("millrace wallet limits --user ada --active none");
  }

  @Test
  void a_thousand_mistakes_are_not_all_told() throws IOException {
    String results = String.join(",", java.util.Collections.nCopies(30, REFUSED));
    server.on(
        "POST /api/batches",
        problemWith(422, "batch_refused", "One is wrong.", ",\"results\":[" + results + "]"));
    Result result = cli.run("batches", "submit", file(FOX));
    assertThat(result.err().lines()).hasSizeLessThan(25);
    assertThat(result.err()).contains("and 10 more");
  }

  @Test
  void a_partial_batch_that_left_some_out_exits_with_4_and_still_tells_its_id() throws IOException {
    server.on(
        "POST /api/batches",
        json(
            201,
            submitted("\"queued\":1,\"blocked\":1", String.join(",", ACCEPTED, REFUSED, BLOCKED))));
    Result result =
        cli.run("batches", "submit", "--partial", file("[" + FOX + "," + FOX + "," + FOX + "]"));
    assertThat(result.exit()).isEqualTo(4);
    assertThat(result.out()).isEqualTo(BATCH + "\n");
    assertThat(result.err())
        .contains("job 2: prompt: must not be empty", "job 3: Not with this prompt.");
  }

  @Test
  void watching_shows_counts_until_all_is_done() throws IOException {
    server.on(
        STREAM,
        events(
            event(batch("\"queued\":2,\"running\":1", false)),
            event(batch("\"running\":1,\"completed\":2", false)),
            event(batch("\"completed\":3", true))));
    Result result = cli.run("batches", "submit", file(FOX), "--watch");
    assertThat(result.exit()).isZero();
    assertThat(result.err())
        .contains("  0%  running  2 queued, 1 running\n")
        .contains(" 66%  running  1 running, 2 completed\n")
        .contains("100%  finished  3 completed\n");
    assertThat(result.out()).contains("held 1,500, captured 0", "finished  yes");
  }

  @Test
  void on_a_terminal_the_line_is_drawn_over_itself() throws IOException {
    server.on(
        STREAM, events(event(batch("\"queued\":3", false)), event(batch("\"completed\":3", true))));
    cli.onTerminal(StandardCharsets.US_ASCII).variable("NO_COLOR", "1");
    assertThat(cli.run("batches", "submit", file(FOX), "--watch").err())
        .contains("\r[------------------------]   0%")
        .contains("3 queued");
  }

  @Test
  void a_broken_stream_is_opened_again_and_the_end_is_believed_from_the_batch_itself() {
    server
        .on(
            SHOW,
            json(200, batch("\"running\":3", false)),
            json(200, batch("\"completed\":3", true)))
        .on(STREAM, brokenEvents(event(batch("\"running\":3", false))), events(""));
    assertThat(cli.run("batches", "watch", BATCH).exit()).isZero();
    assertThat(server.seen(STREAM)).hasSizeGreaterThanOrEqualTo(2);
  }

  @Test
  void the_worst_end_of_a_job_is_the_exit_code_of_who_watches_the_batch() {
    assertThat(watched("\"completed\":2,\"failed\":1,\"canceled\":1")).isEqualTo(3);
    assertThat(watched("\"completed\":2,\"rejected\":1,\"canceled\":1")).isEqualTo(4);
    assertThat(watched("\"completed\":2,\"canceled\":1")).isEqualTo(9);
    assertThat(watched("\"completed\":2,\"waiting_review\":1")).isEqualTo(11);
    assertThat(watched("\"completed\":3")).isZero();
  }

  private int watched(String counts) {
    boolean finished = !counts.contains("waiting_review");
    server
        .on(SHOW, json(200, batch(counts, finished)))
        .on(STREAM, events(event(batch(counts, finished))));
    return cli.run("batches", "watch", BATCH, "-q").exit();
  }

  @Test
  void watching_ends_with_124_when_the_time_is_over() {
    server
        .on(SHOW, json(200, batch("\"queued\":3", false)))
        .on(STREAM, server.endlessEvents(event(batch("\"queued\":3", false))));
    Result result = cli.run("batches", "watch", BATCH, "--timeout", "300ms");
    assertThat(result.exit()).isEqualTo(124);
    assertThat(result.err()).contains("millrace batches watch " + BATCH);
  }

  @Test
  void batches_are_listed_and_shown() {
    server
        .on(
            "GET /api/batches",
            json(200, "{\"items\":[" + batch("\"queued\":3", false) + "],\"next_cursor\":null}"))
        .on(SHOW, json(200, batch("\"queued\":3", false)));
    assertThat(cli.run("batches").out()).contains(BATCH, "1500", "3 queued", "1m ago");
    assertThat(cli.run("batches", "show", BATCH).out()).contains("all or nothing", "finished  no");
    assertThat(cli.run("batches", "show", "none").err())
        .contains("There is no batch none.", "millrace batches");
  }

  @Test
  void cancel_starts_a_task_and_says_where_to_look() {
    server.on("POST /api/batches/" + BATCH + "/cancel", json(202, task("running", 0, 0, "null")));
    Result result = cli.run("batches", "cancel", BATCH);
    assertThat(result.out()).isEqualTo(TASK + "\n");
    assertThat(result.err()).contains("millrace batches watch " + BATCH);
  }

  @Test
  void a_retry_is_a_task_for_admins_and_a_new_batch_for_others() {
    server.on(
        "POST /api/batches/" + BATCH + "/retry",
        json(202, task("running", 0, 0, "null")),
        json(201, submitted("\"queued\":1", ACCEPTED).replace(BATCH, "new-batch")));
    assertThat(cli.run("batches", "retry", BATCH).out()).isEqualTo(TASK + "\n");
    Result result = cli.run("batches", "retry", BATCH);
    assertThat(result.out()).isEqualTo("new-batch\n");
    assertThat(result.err()).contains("millrace batches watch new-batch");
  }
}
