package dev.millrace.cli.command.admin;

import static dev.millrace.cli.fake.FakeServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.fake.Cli;
import dev.millrace.cli.fake.Cli.Result;
import dev.millrace.cli.fake.FakeServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens for the browsers of users, and from where their pages come. */
class BrowserCommandsTest {

  private static final String TOKEN = "mrt_" + "x".repeat(49);

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
  void a_new_token_prints_nothing_but_itself() {
    server.on(
        "POST /api/user-tokens",
        json(201, "{\"id\":\"t1\",\"user\":\"anna\",\"token\":\"" + TOKEN + "\"}"));

    Result result =
        cli.run(
            "tokens",
            "create",
            "--user",
            "anna",
            "--effects",
            "a/b,c/d",
            "--jobs",
            "3",
            "--minutes",
            "5");

    assertThat(result.out()).isEqualTo(TOKEN + "\n");
    assertThat(result.err()).contains("t1", "anna");
    assertThat(server.seen().getFirst().body())
        .contains("\"user\":\"anna\"", "[\"a/b\",\"c/d\"]", "\"jobs\":3", "\"minutes\":5");
  }

  @Test
  void tokens_are_listed_and_revoked() {
    server
        .on(
            "GET /api/user-tokens",
            json(200, "{\"items\":[{\"id\":\"t1\",\"jobs\":3,\"jobs_used\":2}]}"))
        .on("DELETE /api/user-tokens/t1", json(204, ""));

    assertThat(cli.run("tokens").out()).contains("t1", "2 of 3");
    assertThat(cli.run("tokens", "revoke", "t1").exit()).isZero();
    assertThat(server.seen("DELETE /api/user-tokens/t1")).hasSize(1);
  }

  @Test
  void an_origin_is_added_to_the_others_and_removed_from_them() {
    server
        .on("GET /api/admin/origins", json(200, "{\"origins\":[\"https://a.example.com\"]}"))
        .on("PUT /api/admin/origins", json(200, "{\"origins\":[\"https://b.example.com\"]}"));

    assertThat(cli.run("origins").out()).contains("https://a.example.com");
    assertThat(cli.run("origins", "add", "https://b.example.com").exit()).isZero();
    assertThat(cli.run("origins", "remove", "https://a.example.com").exit()).isZero();
    assertThat(cli.run("origins", "remove", "https://c.example.com").exit()).isEqualTo(7);

    assertThat(server.seen("PUT /api/admin/origins"))
        .extracting(FakeServer.Seen::body)
        .containsExactly(
            "{\"origins\":[\"https://a.example.com\",\"https://b.example.com\"]}",
            "{\"origins\":[]}");
  }
}
