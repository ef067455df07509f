package dev.millrace.cli.command.admin;

import static dev.millrace.cli.fake.FakeServer.json;
import static dev.millrace.cli.fake.FakeServer.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.fake.Cli;
import dev.millrace.cli.fake.Cli.Result;
import dev.millrace.cli.fake.FakeServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fleet from the command line. */
class WorkersCommandTest {

  private static final String WORKER =
      """
      {"worker_id":"i-1","status":"approved","max_concurrency":2,"held":1,
       "workflows":["caption","upscale"],"providers":null,"capabilities":{"gpu":"L4"},
       "registered_at":"2026-01-01T00:00:00Z","last_seen_at":"2026-01-01T00:00:00Z",
       "approved_at":null,"draining_at":null,"revoked_at":null}
      """;

  @TempDir Path folder;
  private final FakeServer server = new FakeServer();
  private Cli cli = new Cli(Path.of("."));

  @BeforeEach
  void a_profile_exists() {
    cli = new Cli(folder.resolve("profiles"), server);
  }

  @AfterEach
  void the_server_stops() {
    server.close();
  }

  @Test
  void the_list_shows_who_works_on_what() {
    server.on(
        "GET /api/admin/workers",
        json(200, "{\"items\":[%s],\"next_cursor\":null}".formatted(WORKER)));
    for (Result listed : new Result[] {cli.run("workers"), cli.run("workers", "list")}) {
      assertThat(listed.out()).contains("i-1", "approved", "1/2", "caption, upscale", "any");
      assertThat(listed.exit()).isZero();
    }
  }

  @Test
  void each_verb_is_one_call() {
    for (String verb : new String[] {"approve", "drain", "resume"}) {
      server.on("POST /api/admin/workers/i-1/" + verb, json(200, WORKER));
      assertThat(cli.run("workers", verb, "i-1").err()).contains("Worker i-1 is ");
    }
    server.on("POST /api/admin/workers/i-1/revoke", json(200, WORKER));
    assertThat(cli.run("workers", "revoke", "i-1", "--yes").err()).contains("Worker i-1 is ");
    server.on("GET /api/admin/workers/i-1", json(200, WORKER));
    assertThat(cli.run("workers", "show", "i-1").out()).contains("L4");
    server.on("PUT /api/admin/workers/i-1/workflows", json(200, WORKER));
    assertThat(cli.run("workers", "assign", "i-1", "caption", "upscale").err())
        .contains("runs: caption, upscale");
    assertThat(server.seen().getLast().body())
        .isEqualTo("{\"workflow_slugs\":[\"caption\",\"upscale\"]}");
  }

  @Test
  void a_rotated_token_is_printed_once() {
    server.on(
        "POST /api/admin/workers/i-1/rotate",
        json(200, WORKER.replaceFirst("\\{", "{\"token\":\"mrw_secret\",")));
    assertThat(cli.run("workers", "rotate", "i-1").out()).isEqualTo("mrw_secret\n");
  }

  @Test
  void a_worker_that_is_not_there_is_explained() {
    server.on("POST /api/admin/workers/i-2/drain", problem(404, "not_found", "Nothing here."));
    assertThat(cli.run("workers", "drain", "i-2").err()).contains("There is no worker i-2.");
  }
}
