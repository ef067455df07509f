package dev.millrace.cli.command.job;

import static dev.millrace.cli.fake.BulkSamples.TASK;
import static dev.millrace.cli.fake.BulkSamples.quote;
import static dev.millrace.cli.fake.BulkSamples.task;
import static dev.millrace.cli.fake.FakeServer.json;
import static dev.millrace.cli.fake.FakeServer.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.fake.Cli;
import dev.millrace.cli.fake.Cli.Result;
import dev.millrace.cli.fake.FakeServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class TasksCommandTest {

  private static final String POST = "POST /api/admin/tasks";
  private static final String SHOW = "GET /api/admin/tasks/" + TASK;
  private static final String END = "\"2026-03-01T12:00:00Z\"";

  @TempDir Path folder;
  private final FakeServer server = new FakeServer();
  private Cli cli = new Cli(Path.of("."));

  @BeforeEach
  void a_task_can_be_started() {
    cli = new Cli(folder.resolve("profiles"), server).variable("NO_COLOR", "1");
    server.on(
        POST, json(200, quote("cancel", 1_204, 3_612)), json(202, task("running", 0, 0, "null")));
  }

  @AfterEach
  void the_server_stops() {
    server.close();
  }

  private List<JsonNode> sent() {
    return server.seen(POST).stream().map(seen -> ApiJson.parse(seen.body())).toList();
  }

  @Test
  void the_quote_comes_before_the_question_and_only_yes_starts_the_task() {
    cli.onTerminal(StandardCharsets.UTF_8);
    Result no = cli.typing("n\n").run("tasks", "run", "cancel", "--state", "queued");
    assertThat(no.exit()).isEqualTo(9);
    assertThat(no.err())
        .startsWith("This would cancel 1,204 jobs and give back 3,612 credits.\nGo on? [y/N] ");
    assertThat(sent()).hasSize(1).allMatch(body -> ApiJson.truth(body, "dry_run"));
    server.on(POST, json(200, quote("cancel", 1, 1)), json(202, task("running", 0, 0, "null")));
    Result yes = cli.typing("yes\n").run("tasks", "run", "cancel", "--state", "queued");
    assertThat(yes.err()).contains("This would cancel 1 job and give back 1 credit.");
    assertThat(yes.out()).isEqualTo(TASK + "\n");
    assertThat(sent()).hasSize(3).last().matches(body -> !body.has("dry_run"));
  }

  @Test
  void with_yes_the_quote_is_still_told() {
    Result result = cli.run("tasks", "run", "cancel", "--state", "queued", "--yes");
    assertThat(result.exit()).isZero();
    assertThat(result.err()).contains("would cancel 1,204 jobs and give back 3,612 credits");
    assertThat(sent()).hasSize(2);
  }

  @Test
  void without_a_terminal_and_without_yes_nothing_is_started() {
    Result result = cli.run("tasks", "run", "cancel", "--state", "queued");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("--yes");
    assertThat(sent()).hasSize(1);
  }

  @Test
  void a_dry_run_ends_with_its_quote() {
    Result words = cli.run("tasks", "run", "cancel", "--state", "queued", "--dry-run", "--yes");
    assertThat(words.out())
        .isEqualTo("This would cancel 1,204 jobs and give back 3,612 credits.\n");
    server.on(POST, json(200, quote("retry", 2, 10)));
    assertThat(cli.run("tasks", "run", "retry", "--user", "ann", "--dry-run").out())
        .isEqualTo("This would retry 2 jobs and reserve 10 credits.\n");
    server.on(POST, json(200, quote("recheck", 2, 10)));
    assertThat(cli.run("tasks", "run", "recheck", "--user", "ann", "--dry-run").out())
        .contains("recheck 2 jobs and give back 10 credits at most.");
    server.on(POST, json(200, quote("delete", 2, 0)));
    assertThat(cli.run("tasks", "run", "delete", "--user", "ann", "--dry-run").out())
        .contains("delete 2 jobs with all files, for good.");
    Result json = cli.run("tasks", "run", "delete", "--user", "ann", "--dry-run", "--json");
    assertThat(ApiJson.number(ApiJson.parse(json.out()), "jobs")).isEqualTo(2);
    assertThat(sent()).allMatch(body -> ApiJson.truth(body, "dry_run"));
  }

  @Test
  void a_task_for_no_job_is_not_started() {
    server.on(POST, json(200, quote("cancel", 0, 0)));
    Result result = cli.run("tasks", "run", "cancel", "--state", "queued", "--yes");
    assertThat(result.exit()).isZero();
    assertThat(result.out()).contains("nothing to do");
    assertThat(sent()).hasSize(1);
  }

  @Test
  void every_filter_is_sent_and_an_age_becomes_a_time() {
    cli.run(
        "tasks",
        "run",
        "retry",
        "--state",
        "failed,dead_letter",
        "--effect",
        "sketch/draft",
        "--user",
        "ann",
        "--batch",
        "b1",
        "--error-code",
        "provider",
        "--created-before",
        "2h",
        "--created-after",
        "2026-02-01",
        "--yes");
    assertThat(sent().getLast())
        .isEqualTo(
            ApiJson.parse(
                """
                {"action":"retry","filter":{"state":["failed","dead_letter"],
                 "effect":"sketch/draft","user":"ann","batch":"b1","error_code":"provider",
                 "created_before":"2026-03-01T10:00:00Z","created_after":"2026-02-01T00:00:00Z"}}
                """));
  }

  @Test
  void mistakes_are_told_with_the_nearest_name_and_nothing_is_sent() {
    assertThat(cli.run("tasks", "run", "retyr", "--user", "a").err()).contains("Try: retry\n");
    assertThat(cli.run("tasks", "run", "explode", "--user", "a").err())
        .contains("one of retry, cancel, delete, recheck");
    assertThat(cli.run("tasks", "run", "retry", "--state", "deadletter").err())
        .contains("There is no state 'deadletter'.", "Try: dead_letter\n");
    assertThat(cli.run("tasks", "run", "retry", "--created-before", "yesterday").err())
        .contains("'yesterday' is no point in time.");
    Result everything = cli.run("tasks", "run", "delete", "--yes");
    assertThat(everything.exit()).isEqualTo(2);
    assertThat(everything.err()).contains("without a filter it would be all of them");
    assertThat(server.seen()).isEmpty();
  }

  @Test
  void starting_a_task_is_never_sent_twice() {
    server.on(POST, json(200, quote("cancel", 2, 2)), problem(503, "outcome_unknown", "Perhaps."));
    assertThat(cli.run("tasks", "run", "cancel", "--user", "a", "--yes").exit()).isEqualTo(8);
    assertThat(sent()).hasSize(2);
  }

  @Test
  void watching_asks_until_the_task_is_over_and_says_each_figure_once() {
    server.on(
        SHOW,
        json(200, task("running", 602, 0, "null")),
        json(200, task("running", 602, 0, "null")),
        problem(503, "overloaded", "Restarting."),
        json(200, task("done", 1_204, 0, END)));
    Result result = cli.run("tasks", "run", "cancel", "--user", "a", "--yes", "--watch");
    assertThat(result.exit()).isZero();
    assertThat(result.err())
        .containsOnlyOnce(" 50%  running  602 seen, 602 done, 0 skipped, 0 failed\n")
        .contains("100%  done  1,204 seen");
    assertThat(result.out()).contains("by        key:mr_test");
  }

  @Test
  void the_end_of_a_task_is_the_exit_code_of_who_watches_it() {
    server.on(SHOW, json(200, task("done", 3, 1, END)));
    assertThat(cli.run("tasks", "watch", TASK).exit()).isEqualTo(3);
    server.on(SHOW, json(200, task("stopped", 3, 0, END)));
    assertThat(cli.run("tasks", "watch", TASK).exit()).isEqualTo(9);
  }

  @Test
  void tasks_are_listed_shown_and_stopped() {
    server
        .on("GET /api/admin/tasks", json(200, "{\"items\":[" + task("done", 3, 1, END) + "]}"))
        .on(SHOW, json(200, task("running", 3, 0, "null")))
        .on("POST /api/admin/tasks/" + TASK + "/stop", json(200, task("stopping", 3, 0, "null")));
    assertThat(cli.variable("COLUMNS", "200").run("tasks").out()).contains(TASK, "key:mr_test");
    assertThat(cli.run("tasks", "show", TASK).out()).contains("{\"state\":[\"queued\"]}");
    assertThat(cli.run("tasks", "stop", TASK).out()).contains("stopping");
    assertThat(cli.run("tasks", "stop", "none").exit()).isEqualTo(7);
  }
}
