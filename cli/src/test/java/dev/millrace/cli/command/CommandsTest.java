package dev.millrace.cli.command;

import static dev.millrace.cli.fake.FakeServer.bytes;
import static dev.millrace.cli.fake.FakeServer.events;
import static dev.millrace.cli.fake.FakeServer.json;
import static dev.millrace.cli.fake.FakeServer.problem;
import static dev.millrace.cli.fake.Samples.JOB;
import static dev.millrace.cli.fake.Samples.event;
import static dev.millrace.cli.fake.Samples.file;
import static dev.millrace.cli.fake.Samples.job;
import static dev.millrace.cli.fake.Samples.picture;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.UnreachableException;
import dev.millrace.cli.fake.Cli;
import dev.millrace.cli.fake.Cli.Result;
import dev.millrace.cli.fake.FakeServer;
import dev.millrace.cli.fake.FakeServer.Seen;
import dev.millrace.cli.fake.Samples;
import java.nio.file.Path;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandsTest {

  private static final String NEW_KEY = "mr_" + "n".repeat(49);

  @TempDir Path folder;
  private final FakeServer server = new FakeServer();
  private Cli cli = new Cli(Path.of("."));

  @BeforeEach
  void a_command_line_exists() {
    cli = new Cli(folder.resolve("profiles"), server);
  }

  @AfterEach
  void the_server_stops() {
    server.close();
  }

  @Test
  void jobs_are_listed_page_by_page_with_whole_ids() {
    server.on(
        "GET /api/jobs",
        json(200, "{\"items\":[" + job("running", 2, "") + "],\"next_cursor\":\"c+1\"}"),
        json(200, "{\"items\":[" + job("failed", 3, "") + "],\"next_cursor\":null}"));
    Result result = cli.variable("COLUMNS", "60").run("jobs", "--state", "running,failed");
    assertThat(result.out().lines())
        .hasSize(3)
        .element(2)
        .asString()
        .contains(JOB, "failed", "1m ago", "The pe");
    assertThat(server.seen())
        .extracting(Seen::query)
        .containsExactly(
            "state=running%2Cfailed&limit=20", "state=running%2Cfailed&limit=19&cursor=c%2B1");
  }

  @Test
  void jsonl_has_one_object_per_line() {
    server.on(
        "GET /api/jobs",
        json(200, "{\"items\":[" + job("running", 2, "") + "," + job("failed", 3, "") + "]}"));
    Result result = cli.run("--format", "jsonl", "jobs", "list");
    assertThat(result.out().lines())
        .hasSize(2)
        .allSatisfy(line -> assertThat(ApiJson.text(ApiJson.parse(line), "id")).isEqualTo(JOB));
  }

  @Test
  void watching_in_jsonl_prints_the_events_and_nothing_else() {
    Samples.scripted(server, "canceled")
        .on(
            "GET /api/jobs/" + JOB + "/stream",
            events(
                event(1, "queued", 0, ""),
                event(2, "running", 0, ""),
                event(3, "canceled", 0, "")));
    Result result = cli.run("jobs", "watch", JOB, "--format", "jsonl", "-q");
    assertThat(result.exit()).isEqualTo(9);
    assertThat(result.out().lines().map(ApiJson::parse))
        .extracting(line -> ApiJson.text(line, "state"))
        .containsExactly("queued", "running", "canceled");
  }

  @Test
  void a_job_is_shown_with_its_input_and_its_error() {
    server.on("GET /api/jobs/" + JOB, json(200, job("failed", 3, file(server, "f", "a.png"))));
    assertThat(cli.run("jobs", "show", JOB).out()).contains("The pen broke.", "a.png (f)");
  }

  @Test
  void cancel_posts_and_prints_the_state() {
    server.on("POST /api/jobs/" + JOB + "/cancel", json(200, job("canceling", 3, "")));
    assertThat(cli.run("jobs", "cancel", JOB).out()).isEqualTo(JOB + "  canceling\n");
  }

  @Test
  void events_are_listed() {
    server.on(
        "GET /api/jobs/" + JOB + "/events",
        json(200, "{\"items\":[{\"id\":1,\"state\":\"queued\",\"progress\":0}]}"));
    assertThat(cli.run("jobs", "events", JOB).out()).contains("queued");
  }

  @Test
  void an_effect_shows_its_inputs() {
    Samples.scripted(server, "completed");
    assertThat(cli.run("effects", "show", "sketch/poster").out())
        .contains("Draws a poster.", "prompt *", "integer");
  }

  @Test
  void credit_is_sent_with_an_idempotency_key() {
    server.on(
        "POST /api/admin/wallets/credit",
        problem(503, "overloaded", "Busy."),
        json(200, "{\"user\":\"ann\",\"balance\":100,\"reserved\":0}"));
    Result result = cli.run("wallet", "credit", "ann", "100", "--note", "welcome");
    assertThat(result.out()).contains("balance   100");
    assertThat(server.seen())
        .hasSize(2)
        .extracting(s -> ApiJson.text(ApiJson.parse(s.body()), "idempotency_key"))
        .allMatch(key -> !key.isEmpty())
        .satisfies(keys -> assertThat(keys.getFirst()).isEqualTo(keys.getLast()));
  }

  @Test
  void the_wallet_and_its_ledger_are_shown() {
    server
        .on("GET /api/wallet", json(200, "{\"user\":\"a b\",\"balance\":7,\"reserved\":5}"))
        .on(
            "GET /api/wallet/ledger",
            json(
                200, "{\"items\":[{\"type\":\"job_reserve\",\"amount\":-5,\"balance_after\":7}]}"));
    assertThat(cli.run("wallet", "--user", "a b").out()).contains("reserved  5");
    assertThat(server.seen().getFirst().query()).isEqualTo("user=a%20b");
    assertThat(cli.run("wallet", "ledger").out()).contains("job_reserve", "-5");
  }

  @Test
  void a_new_key_prints_nothing_but_its_secret() {
    server.on(
        "POST /api/admin/keys",
        json(201, "{\"id\":\"key_1\",\"secret\":\"%s\"}".formatted(NEW_KEY)));
    Result result = cli.run("keys", "create", "ci", "--role", "admin");
    assertThat(result.out()).isEqualTo(NEW_KEY + "\n");
    assertThat(result.err()).contains("key_1");
  }

  @Test
  void creating_a_key_is_never_sent_twice() {
    server.on("POST /api/admin/keys", problem(503, "overloaded", "Busy."));
    assertThat(cli.run("keys", "create", "ci").exit()).isEqualTo(8);
    assertThat(server.seen()).hasSize(1);
  }

  @Test
  void a_key_is_bound_as_it_is_made_and_rotated_with_an_overlap() {
    server
        .on(
            "POST /api/admin/keys",
            json(201, "{\"id\":\"key_1\",\"secret\":\"%s\"}".formatted(NEW_KEY)))
        .on(
            "POST /api/admin/keys/key_1/rotate",
            json(201, "{\"id\":\"key_2\",\"secret\":\"%s\"}".formatted(NEW_KEY)));
    cli.run(
        "keys",
        "create",
        "ci",
        "--scopes",
        "jobs:read,jobs:write",
        "--workspace",
        "blue",
        "--ends",
        "2030-01-31");
    assertThat(server.seen().getFirst().body())
        .contains("[\"jobs:read\",\"jobs:write\"]", "\"workspace\":\"blue\"", "2030-01-31T00")
        .doesNotContain("effects");
    Result rotated = cli.run("keys", "rotate", "key_1", "--overlap", "60");
    assertThat(rotated.out()).isEqualTo(NEW_KEY + "\n");
    assertThat(server.seen().getLast().body()).isEqualTo("{\"overlap_seconds\":60}");
  }

  @Test
  void keys_are_listed_and_revoked() {
    server
        .on("GET /api/admin/keys", json(200, "{\"items\":[{\"id\":\"key_1\",\"name\":\"ci\"}]}"))
        .on("DELETE /api/admin/keys/key_1", json(204, ""));
    assertThat(cli.run("keys").out()).contains("key_1");
    assertThat(cli.run("keys", "revoke", "key_1", "--yes").exit()).isZero();
    assertThat(server.seen("DELETE /api/admin/keys/key_1")).hasSize(1);
  }

  @Test
  void a_file_is_downloaded_under_the_name_of_the_server() {
    server
        .on("GET /api/files/file_1", json(200, file(server, "file_1", "poster.png")))
        .on("GET /signed/file_1", picture());
    Result result = cli.run("files", "get", "file_1", "-o", folder.toString());
    assertThat(result.out().strip()).isEqualTo(folder.resolve("poster.png").toString());
    assertThat(folder.resolve("poster.png")).hasBinaryContent(Samples.PICTURE);
  }

  @Test
  void the_doctor_exits_with_10_if_a_law_is_broken() {
    String good = "{\"number\":1,\"name\":\"wallets\",\"ok\":true,\"violations\":[]}";
    String bad =
        "{\"number\":2,\"name\":\"holds\",\"law\":\"One"
            + " hold.\",\"ok\":false,\"violations\":[{\"job\":9}]}";
    server.on(
        "GET /api/admin/doctor",
        json(200, "{\"ok\":true,\"checks\":[" + good + "]}"),
        json(200, "{\"ok\":false,\"checks\":[" + good + "," + bad + "]}"));
    assertThat(cli.run("doctor").exit()).isZero();
    Result result = cli.run("doctor");
    assertThat(result.exit()).isEqualTo(10);
    assertThat(result.out()).contains("One hold.", "{\"job\":9}");
  }

  @Test
  void the_doctor_explains_a_violation_and_says_how_many_more_there_are() {
    server.on(
        "GET /api/admin/doctor",
        json(
            200,
            """
            {"ok":false,"checks":[
              {"number":2,"name":"holds","law":"One hold.","explanation":"Look at the receipt.",
               "ok":false,"status":"violated","violations_in_all":10000,"violations_more":true,
               "violations":[{"job":9}]},
              {"number":3,"name":"gaps","law":"No gap.","explanation":"Look at the events.",
               "ok":false,"status":"not_checked","reason":"it took longer than 10000 ms",
               "violations_in_all":0,"violations_more":false,"violations":[]}]}
            """));
    Result result = cli.run("doctor");
    assertThat(result.exit()).isEqualTo(10);
    assertThat(result.out())
        .contains("Look at the receipt.", "{\"job\":9}", "and at least 9999 more")
        .contains("Not checked: it took longer than 10000 ms.")
        .doesNotContain("Look at the events.");
    assertThat(result.err()).contains("1 invariant violated. 1 invariant not checked.");
  }

  @Test
  void the_doctor_exits_with_12_if_all_that_was_checked_holds() {
    server.on(
        "GET /api/admin/doctor",
        json(
            200,
            """
            {"ok":false,"checks":[
              {"number":1,"name":"wallets","ok":true,"status":"holds","violations":[]},
              {"number":3,"name":"gaps","ok":false,"status":"not_checked","reason":"it took long",
               "violations":[]}]}
            """));
    Result result = cli.run("doctor");
    assertThat(result.exit()).isEqualTo(12);
    assertThat(result.err()).contains("0 invariants violated. 1 invariant not checked.");
  }

  @Test
  void an_empty_verdict_of_the_doctor_is_not_health() {
    server.on("GET /api/admin/doctor", json(200, "{}"));
    assertThat(cli.run("doctor").exit()).isEqualTo(10);
  }

  @Test
  void whoami_shows_the_server_and_the_role() {
    server.on("GET /api/whoami", json(200, "{\"tenant\":\"t\",\"role\":\"admin\",\"user\":null}"));
    assertThat(cli.run("whoami").out()).contains(server.url(), "admin");
  }

  @Test
  void signin_prints_a_link_that_works_once() {
    server.on("POST /api/console/links", json(201, "{\"url\":\"http://x/console/link/s\"}"));
    assertThat(cli.run("signin").out()).isEqualTo("http://x/console/link/s\n");
  }

  @Test
  void a_refused_key_exits_with_6_and_a_hint() {
    server.on("GET /api/whoami", problem(401, "unauthenticated", "This key is not known."));
    Result result = cli.run("whoami");
    assertThat(result.exit()).isEqualTo(6);
    assertThat(result.err()).contains("This key is not known.", "MILLRACE_API_KEY");
  }

  @Test
  void something_else_than_millrace_is_recognised() {
    server.on("GET /api/whoami", bytes("<html>".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    Result result = cli.run("whoami");
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.err()).contains("is it Millrace?");
  }

  @Test
  void nobody_there_says_how_to_start() {
    server.goAway();
    Result result = cli.run("jobs");
    assertThat(result.exit()).isEqualTo(8);
    assertThat(result.err())
        .contains("Nothing answers at " + server.url() + ".", "./millrace start");
  }

  @Test
  void a_newcomer_without_a_profile_is_told_to_start_the_server() {
    Result result = new Cli(folder).run("jobs");
    assertThat(result.exit()).isEqualTo(8);
    assertThat(result.err()).contains("./millrace start");
  }

  @Test
  void an_address_that_cannot_be_right_is_told_from_a_server_that_is_away() {
    assertThat(cli.run("whoami", "--url", "http://nobody.invalid").err())
        .contains("Nobody knows the host of http://nobody.invalid", "--url");
    SSLException plain = new SSLException("Unrecognized SSL message, plaintext connection?");
    assertThat(new UnreachableException("https://mill.example", plain))
        .hasMessage("https://mill.example speaks http, not https.");
  }

  @Test
  void half_an_effects_name_finds_the_whole() {
    server.on(
        "GET /api/effects",
        json(200, "{\"items\":[{\"slug\":\"sketch/poster\"},{\"slug\":\"sketch/night\"}]}"));
    assertThat(cli.run("effects", "show", "night").err())
        .contains("There is no effect night.", "Try: sketch/night");
  }

  @Test
  void a_typing_mistake_gets_a_suggestion_and_exits_with_2() {
    Result result = cli.run("job");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("millrace jobs");
    assertThat(cli.run("jbos").err()).contains("Try: millrace jobs");
    assertThat(cli.run("jobs", "shwo", "x").err()).contains("Try: millrace jobs show");
    assertThat(cli.run("jobs", "--limit", "many").exit()).isEqualTo(2);
    assertThat(cli.run("jobs", "--limit", "0").exit()).isEqualTo(2);
  }

  @Test
  void help_lists_the_exit_codes_and_completion_knows_the_commands() {
    assertThat(cli.run("--help").out()).contains("Exit codes:", "124", "130");
    assertThat(cli.run("completion").out()).contains("complete", "doctor", "--format");
    assertThat(cli.run("version").out()).matches("millrace \\d.*\\R");
    assertThat(cli.run("--version").out()).isEqualTo(cli.run("version").out());
  }
}
