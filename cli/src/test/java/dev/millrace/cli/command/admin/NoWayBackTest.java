package dev.millrace.cli.command.admin;

import static dev.millrace.cli.fake.FakeServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.fake.Cli;
import dev.millrace.cli.fake.Cli.Result;
import dev.millrace.cli.fake.FakeServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever shuts somebody out for good is asked first. */
class NoWayBackTest {

  private static final Map<String, String> CALLS =
      Map.of(
          "keys revoke k1", "DELETE /api/admin/keys/k1",
          "workers revoke i-1", "POST /api/admin/workers/i-1/revoke",
          "webhooks remove w1", "DELETE /api/admin/webhooks/w1");

  private static final String KEYS =
      """
      {"items":[
        {"id":"k1","name":"mine","prefix":"mr_te"},
        {"id":"k2","name":"shop","prefix":"mr_shop"}]}
      """;

  @TempDir Path folder;
  private final FakeServer server = new FakeServer();
  private Cli cli = new Cli(Path.of("."));

  @BeforeEach
  void a_profile_exists() {
    cli = new Cli(folder.resolve("profiles"), server);
    server
        .on("GET /api/admin/keys", json(200, KEYS))
        .on("DELETE /api/admin/keys/k1", json(204, ""))
        .on("POST /api/admin/workers/i-1/revoke", json(200, "{}"))
        .on("DELETE /api/admin/webhooks/w1", json(204, ""));
  }

  @AfterEach
  void the_server_stops() {
    server.close();
  }

  private static String call(String command) {
    return Objects.requireNonNull(CALLS.get(command));
  }

  static Stream<String> commands() {
    return CALLS.keySet().stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void nothing_happens_where_nobody_can_be_asked(String command) {
    Result result = cli.run(command.split(" "));
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("--yes");
    assertThat(server.seen(call(command))).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void only_yes_means_yes(String command) {
    cli.onTerminal(StandardCharsets.UTF_8);
    for (String answer : new String[] {"", "\n", "n\n"}) {
      Result result = cli.typing(answer).run(command.split(" "));
      assertThat(result.exit()).as(answer).isEqualTo(9);
      assertThat(result.err()).contains("no way back. [y/N]", "Nothing was changed.");
    }
    assertThat(server.seen(call(command))).isEmpty();
    assertThat(cli.typing("y\n").run(command.split(" ")).exit()).isZero();
    assertThat(server.seen(call(command))).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void whoever_says_yes_beforehand_is_not_asked(String command) {
    assertThat(cli.run((command + " --yes").split(" ")).exit()).isZero();
    assertThat(server.seen(call(command))).hasSize(1);
  }

  @Test
  void the_question_names_the_key_and_says_if_it_is_the_own_one() {
    cli.onTerminal(StandardCharsets.UTF_8);
    assertThat(cli.typing("n\n").run("keys", "revoke", "k1").err())
        .contains("the key mine (mr_te)?", "It is the key you are using.");
    assertThat(cli.typing("n\n").run("keys", "revoke", "k2").err())
        .contains("the key shop (mr_shop)?")
        .doesNotContain("you are using");
  }
}
