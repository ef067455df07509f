package dev.millrace.cli.command.job;

import static dev.millrace.cli.fake.FakeServer.brokenEvents;
import static dev.millrace.cli.fake.FakeServer.events;
import static dev.millrace.cli.fake.FakeServer.hangUp;
import static dev.millrace.cli.fake.FakeServer.json;
import static dev.millrace.cli.fake.FakeServer.problem;
import static dev.millrace.cli.fake.FakeServer.problemWith;
import static dev.millrace.cli.fake.Samples.JOB;
import static dev.millrace.cli.fake.Samples.event;
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
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class RunCommandTest {

  private static final String STREAM = "GET /api/jobs/" + JOB + "/stream";
  private static final String QUEUED = event(1, "queued", 0, "In line.");
  private static final String RUNNING = event(2, "running", 40, "Drawing.");

  @TempDir Path folder;
  private FakeServer server = new FakeServer();
  private Cli cli = new Cli(Path.of("."));

  @BeforeEach
  void a_poster_is_drawn() {
    cli = new Cli(folder.resolve("profiles"), server);
    Samples.scripted(server, "completed", file(server, "file_1", "poster-1.png"))
        .on("GET /signed/file_1", picture())
        .on(STREAM, events(QUEUED, RUNNING, event(3, "completed", 100, "")));
  }

  @AfterEach
  void the_server_stops() {
    server.close();
  }

  private Result run(String... more) {
    return cli.run(
        Stream.concat(Stream.of("run", "sketch/poster", "-i", "prompt=a red fox"), Stream.of(more))
            .toArray(String[]::new));
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void the_picture_is_downloaded_and_the_receipt_printed() throws IOException {
    Result result = run("-i", "count=2", "--wait", "-o", folder.resolve("fox.png").toString());
    assertThat(result.err()).contains(" 40%  running  Drawing.");
    assertThat(result.out())
        .contains("completed  sketch/poster  " + JOB)
        .contains("held 5 \u00b7 captured 4 \u00b7 refunded 1 \u00b7 balance 96")
        .contains("2.5 s \u00b7 1 attempt")
        .contains("fox.png \u00b7 64x32 \u00b7 image/png \u00b7 20 B");
    assertThat(result.exit()).isZero();
    assertThat(folder.resolve("fox.png")).hasBinaryContent(Samples.PICTURE);
    assertThat(names()).containsExactly("fox.png");
    Seen sent = server.seen("POST /api/jobs").getFirst();
    assertThat(ApiJson.parse(sent.body()))
        .isEqualTo(
            ApiJson.parse(
                """
                {"effect":"sketch/poster","input":{"prompt":"a red fox","count":2}}
                """));
    assertThat(sent.header("Authorization")).isEqualTo("Bearer mr_test");
    assertThat(sent.header("Idempotency-key")).isNotBlank();
  }

  @Test
  void a_signed_url_is_asked_without_the_key() {
    run("-o", folder.toString());
    assertThat(server.seen("GET /signed/file_1").getFirst().header("Authorization")).isEmpty();
  }

  @Test
  void without_wait_only_the_id_is_printed() {
    Result result = run();
    assertThat(result.out()).isEqualTo(JOB + "\n");
    assertThat(result.err()).contains("millrace jobs watch " + JOB);
    assertThat(server.seen(STREAM)).isEmpty();
  }

  @Test
  void a_post_without_answer_is_sent_again_under_the_same_key() {
    server.on(
        "POST /api/jobs",
        hangUp(),
        problem(503, "overloaded", "Too much is going on.", "Retry-After", "0"),
        json(200, job("queued", 1, "")));
    assertThat(run().exit()).isZero();
    List<Seen> sent = server.seen("POST /api/jobs");
    assertThat(sent).hasSize(3);
    assertThat(sent)
        .extracting(s -> s.header("Idempotency-key"))
        .containsOnly(sent.getFirst().header("Idempotency-key"));
  }

  @Test
  void a_broken_stream_is_resumed_where_it_stopped() {
    server.on(
        STREAM,
        brokenEvents(QUEUED, "id: 2\nevent: job-event\ndata: {\"id\":2,\"sta"),
        problem(503, "overloaded", "Restarting."),
        events(QUEUED, RUNNING),
        events(RUNNING, event(3, "completed", 100, "")));
    Result result = run("--wait");
    assertThat(result.exit()).isZero();
    assertThat(server.seen(STREAM))
        .extracting(s -> s.header("Last-event-id"))
        .startsWith("", "1", "1", "2");
    assertThat(result.err()).containsOnlyOnce("In line.").containsOnlyOnce("Drawing.");
  }

  @Test
  void a_server_that_restarts_is_waited_for() {
    server.on(STREAM, events(QUEUED), events(RUNNING, event(3, "completed", 100, "")));
    server.on(
        "GET /api/jobs/" + JOB,
        // It goes before it has answered, so that nobody asks again in between.
        _ -> server.goAway(),
        json(200, job("completed", 3, "")));
    // It comes back after the client found nobody there a few times. Who else pauses meanwhile
    // waits for that, because the client's patience is not of time here but of tries.
    AtomicInteger refusals = new AtomicInteger();
    cli.pausing(_ -> {
      synchronized (refusals) {
        if (!server.isListening() && refusals.incrementAndGet() == 3) {
          server.comeBack();
        }
      }
    });
    assertThat(run("--wait").exit()).isZero();
    assertThat(refusals.get()).isGreaterThanOrEqualTo(3);
  }

  @Test
  void a_final_event_of_an_earlier_life_does_not_end_the_wait() {
    server.on(
        STREAM,
        events(QUEUED, event(2, "failed", 0, "First."), event(3, "completed", 100, "Second.")));
    Result result = run("--wait");
    assertThat(result.exit()).isZero();
    assertThat(result.err()).contains("Second.");
  }

  @Test
  void a_failed_job_says_why_and_exits_with_3() {
    server.on("GET /api/jobs/" + JOB, json(200, job("failed", 3, "")));
    server.on(STREAM, events(QUEUED, RUNNING, event(3, "failed", 40, "")));
    Result result = run("-o", folder.resolve("fox.png").toString());
    assertThat(result.exit()).isEqualTo(3);
    assertThat(result.err()).contains("The job is failed: The pen broke.");
    assertThat(result.out()).contains("refunded 1");
    assertThat(folder.resolve("fox.png")).doesNotExist();
  }

  @Test
  void a_damaged_download_leaves_no_file() throws IOException {
    String damaged = file(server, "file_1", "poster-1.png", "0".repeat(64));
    server.on("GET /api/jobs/" + JOB, json(200, job("completed", 3, damaged)));
    server.on("GET /api/files/file_1", json(200, damaged));
    Result result = run("-o", folder.resolve("fox.png").toString());
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.err()).contains("SHA-256");
    assertThat(names()).isEmpty();
  }

  @Test
  void an_expired_url_is_replaced_by_a_fresh_one() {
    server.on("GET /signed/file_1", problem(403, "forbidden", "Expired."), picture());
    server.on("GET /api/files/file_1", json(200, file(server, "file_1", "poster-1.png")));
    assertThat(run("-o", folder.toString()).exit()).isZero();
    assertThat(folder.resolve("poster-1.png")).hasBinaryContent(Samples.PICTURE);
  }

  @Test
  void an_existing_file_is_refused_before_anything_is_submitted() throws IOException {
    Path fox = Files.writeString(folder.resolve("fox.png"), "precious");
    assertThat(run("-o", fox.toString()).exit()).isEqualTo(2);
    assertThat(server.seen()).isEmpty();
    assertThat(fox).hasContent("precious");
  }

  @Test
  void missing_credits_come_with_the_command_that_helps() {
    server.on(
        "POST /api/jobs",
        problemWith(
            402,
            "insufficient_credits",
            "This costs 5 credits.",
            ",\"required_credits\":5,\"balance\":2"));
    Result result = run("--user", "ann");
    assertThat(result.exit()).isEqualTo(5);
    assertThat(result.err())
        .contains("This costs 5 credits, and the wallet of ann holds 2.")
        .contains("millrace wallet credit ann 100");
  }

  @Test
  void invalid_fields_are_listed_by_the_names_that_were_typed() {
    server.on(
        "POST /api/jobs",
        problemWith(
            422,
            "invalid_request",
            "The input is not valid.",
            ",\"errors\":[{\"path\":\"/input/prompt\",\"message\":\"must not be empty\"}]"));
    Result result = run();
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err())
        .contains("The input is not valid.\n")
        .contains("  prompt: must not be empty\n");
    assertThat(result.out()).isEmpty();
  }

  @Test
  void waiting_ends_with_124_when_the_time_is_over() {
    server.on(STREAM, server.endlessEvents(QUEUED, RUNNING));
    Result result = run("--wait", "--timeout", "300ms");
    assertThat(result.exit()).isEqualTo(124);
    assertThat(result.err()).contains("millrace jobs watch " + JOB);
  }

  @Test
  void json_is_one_document_on_a_quiet_line() {
    Result result = run("--wait", "--format", "json", "--quiet");
    JsonNode document = ApiJson.parse(result.out());
    assertThat(document.propertyNames()).containsExactly("job", "receipt", "files");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void the_bar_on_an_ascii_terminal_is_ascii_and_redraws_itself() {
    cli.onTerminal(StandardCharsets.US_ASCII).variable("NO_COLOR", "1");
    Result result = run("--wait");
    assertThat(result.err())
        .contains("\r[#########---------------]  40%")
        .contains("\u001b[K")
        .doesNotContain("\u001b[3");
  }

  @Test
  void an_unknown_effect_is_not_found() {
    Result result = cli.run("run", "sketch/none");
    assertThat(result.exit()).isEqualTo(7);
    assertThat(result.err()).contains("There is no effect sketch/none.", "millrace effects");
  }
}
