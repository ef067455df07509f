package dev.millrace.cli.command.admin;

import static dev.millrace.cli.fake.FakeServer.json;
import static dev.millrace.cli.fake.FakeServer.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.fake.Cli;
import dev.millrace.cli.fake.Cli.Result;
import dev.millrace.cli.fake.FakeServer;
import dev.millrace.cli.fake.FakeServer.Seen;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pauses, limits and the audit. */
class OperatingTest {

  private static final String LIMITS = "/api/admin/wallets/limits";
  private static final String EFFECTS =
      """
      {"items":[{"slug":"sketch/poster","title":"Poster","workflow":"sketch","paused":true},
                {"slug":"sketch/draft","title":"Draft","workflow":"sketch","paused":false}]}
      """;

  @TempDir Path folder;
  private final FakeServer server = new FakeServer();
  private Cli cli = new Cli(Path.of("."));

  @BeforeEach
  void a_catalogue_exists() {
    cli = new Cli(folder.resolve("profiles"), server);
    server.on("GET /api/effects", json(200, EFFECTS));
  }

  @AfterEach
  void the_server_stops() {
    server.close();
  }

  private static String standing(String slug, boolean paused) {
    return "{\"slug\":\"%s\",\"paused\":%s,\"paused_at\":null}".formatted(slug, paused);
  }

  private static String limits(String active, String daily) {
    return """
    {"user":"ann","active_jobs":%s,"daily_jobs":%s,"active_now":3,"today":1204}
    """
        .formatted(active, daily);
  }

  @Test
  void an_effect_is_paused_and_resumed_with_its_slashes() {
    server
        .on(
            "POST /api/admin/effects/sketch/poster/pause",
            json(200, standing("sketch/poster", true)))
        .on(
            "POST /api/admin/effects/sketch/poster/resume",
            json(200, standing("sketch/poster", false)));
    Result paused = cli.run("effects", "pause", "sketch/poster");
    assertThat(paused.out()).isEqualTo("sketch/poster  paused\n");
    assertThat(paused.err()).contains("millrace effects resume sketch/poster");
    assertThat(cli.run("effects", "resume", "sketch/poster").out())
        .isEqualTo("sketch/poster  active\n");
  }

  @Test
  void a_workflow_is_paused_and_resumed() {
    server
        .on("POST /api/admin/workflows/sketch/pause", json(200, standing("sketch", true)))
        .on("POST /api/admin/workflows/sketch/resume", json(200, standing("sketch", false)));
    assertThat(cli.run("workflows", "pause", "sketch").out()).isEqualTo("sketch  paused\n");
    assertThat(cli.run("workflows", "resume", "sketch").out()).isEqualTo("sketch  active\n");
    assertThat(cli.run("workflows").exit()).isEqualTo(2);
  }

  @Test
  void a_mistyped_name_gets_the_nearest_one() {
    Result effect = cli.run("effects", "pause", "sketch/postr");
    assertThat(effect.exit()).isEqualTo(7);
    assertThat(effect.err()).contains("There is no effect sketch/postr.", "Try: sketch/poster ");
    assertThat(cli.run("run", "sketch/darft", "-i", "prompt=a").err())
        .contains("Try: sketch/draft ");
    assertThat(cli.run("workflows", "pause", "skecth").err()).contains("Try: sketch ");
    assertThat(cli.run("effects", "pause", "entirely/else").err())
        .contains("Try: millrace effects");
  }

  @Test
  void a_missing_suggestion_does_not_hide_what_is_wrong() {
    server.on("GET /api/effects", problem(500, "internal", "Oh."));
    Result result = cli.run("effects", "pause", "sketch/postr");
    assertThat(result.exit()).isEqualTo(7);
    assertThat(result.err()).contains("There is no effect sketch/postr.");
  }

  @Test
  void the_list_of_effects_marks_the_paused_ones() {
    assertThat(cli.run("effects").out()).contains("(paused) Poster").doesNotContain("(paused) Dr");
  }

  @Test
  void limits_are_shown_in_words() {
    server.on("GET " + LIMITS, json(200, limits("20", "0")), json(200, limits("null", "null")));
    Result result = cli.run("wallet", "limits", "--user", "ann");
    assertThat(result.out().lines())
        .containsExactly("user    ann", "active  3 of 20", "today   1,204, no limit");
    assertThat(server.seen().getFirst().query()).isEqualTo("user=ann");
    assertThat(cli.run("wallet", "limits").out()).contains("3, limited by the server's setting");
    assertThat(server.seen().getLast().query()).isEqualTo("user=default");
  }

  @Test
  void setting_one_limit_keeps_the_other() {
    server
        .on("GET " + LIMITS, json(200, limits("20", "100")), json(200, limits("null", "100")))
        .on("PUT " + LIMITS, json(200, limits("20", "0")));
    cli.run("wallet", "limits", "--user", "ann", "--daily", "none");
    cli.run("wallet", "limits", "--user", "ann", "--daily", "7");
    cli.run("wallet", "limits", "--user", "ann", "--active", "5", "--daily", "default");
    assertThat(server.seen("PUT " + LIMITS))
        .extracting(Seen::body)
        .containsExactly(
            "{\"user\":\"ann\",\"daily_jobs\":0,\"active_jobs\":20}",
            "{\"user\":\"ann\",\"daily_jobs\":7,\"active_jobs\":null}",
            "{\"user\":\"ann\",\"active_jobs\":5,\"daily_jobs\":null}");
    assertThat(server.seen("GET " + LIMITS)).hasSize(2);
  }

  @Test
  void a_limit_that_is_none_of_the_three_is_refused_before_anything_is_asked() {
    for (String typed : new String[] {"0", "-1", "many", ""}) {
      assertThat(cli.run("wallet", "limits", "--active=" + typed).exit()).isEqualTo(2);
    }
    assertThat(server.seen()).isEmpty();
  }

  @Test
  void the_audit_is_listed_and_narrowed() {
    server.on(
        "GET /api/admin/audit",
        json(
            200,
            """
            {"items":[{"id":1,"at":"2026-03-01T11:59:00Z","actor":"key:mr_a","action":"job.approve",
              "target":"j1","detail":{"items":2}},
             {"id":2,"at":"2026-03-01T11:58:00Z","actor":"key:mr_a","action":"job.decline",
              "target":"j2","detail":null}],"next_cursor":null}
            """));
    Result result = cli.run("audit", "--action", "job.approve", "--target", "j1", "--limit", "5");
    assertThat(result.out()).contains("1m ago", "key:mr_a", "job.approve", "{\"items\":2}");
    assertThat(result.out()).doesNotContain("null");
    assertThat(server.seen().getFirst().query()).isEqualTo("action=job.approve&target=j1&limit=5");
  }

  @Test
  void completion_and_help_know_every_command() {
    String script = cli.run("completion").out();
    assertThat(script)
        .contains("batches", "tasks", "workflows", "audit", "--in-place", "--dry-run", "--partial");
    for (String[] command :
        new String[][] {
          {"jobs", "approve"}, {"jobs", "delete"}, {"batches", "submit"}, {"tasks", "run"},
          {"wallet", "limits"}, {"effects", "pause"}, {"workflows", "resume"}, {"audit"}
        }) {
      String[] words = java.util.Arrays.copyOf(command, command.length + 1);
      words[command.length] = "--help";
      Result help = cli.run(words);
      assertThat(help.exit()).isZero();
      assertThat(help.out()).contains("Usage: millrace " + String.join(" ", command), "--json");
    }
  }
}
