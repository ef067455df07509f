package dev.millrace.cli.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.e2e.Program.Result;
import dev.millrace.testkit.Background;
import dev.millrace.testkit.net.KeptPort;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The first ten minutes: one server, and the commands that a newcomer types. */
class NewcomerEndToEndTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static Installation installation;

  @SuppressWarnings("NullAway.Init")
  private static RunningServer server;

  @BeforeAll
  static void the_server_starts() throws IOException {
    installation = new Installation(folder).set("EXECUTOR_SLOTS", "4");
    server = installation.start();
  }

  @AfterAll
  static void nothing_is_left() {
    installation.close();
  }

  private static Result cli(String... args) throws Exception {
    return installation.cli(args);
  }

  @Test
  void the_start_greets_in_five_lines_and_keeps_the_key_where_only_its_owner_reads_it()
      throws Exception {
    assertThat(server.out().lines()).hasSize(5);
    assertThat(server.out()).contains("is ready at http://127.0.0.1:");
    assertThat(server.out()).contains(installation.data().toString());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(installation.profile())))
        .isEqualTo("rw-------");
    assertThat(server.out() + server.err())
        .as("what is no terminal holds no key and no link that signs in")
        .doesNotContain("mr_")
        .doesNotContain("/console/link/");
    assertThat(server.err().lines())
        .as("a log of JSON has no other lines")
        .isNotEmpty()
        .allMatch(line -> line.startsWith("{\"ts\":"));
    Path key = installation.data().resolve("admin.key");
    assertThat(server.out()).contains("in " + key);
    assertThat(Files.readString(key).strip()).isEqualTo(server.client().key());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
        .isEqualTo("rw-------");
  }

  @Test
  void the_first_picture_takes_one_command() throws Exception {
    Result made =
        cli("run", "sketch/draft", "-i", "prompt=Ein Müller", "--wait", "-o", "x.png").exits(0);
    BufferedImage picture = ImageIO.read(installation.work().resolve("x.png").toFile());
    assertThat(picture.getWidth()).isEqualTo(384);
    assertThat(made.out())
        .startsWith("completed  sketch/draft")
        .contains("held 1 · captured 1 · refunded 0")
        .contains("x.png · 384x384 · image/png");
    assertThat(made.err()).contains("queued").contains("100%");

    String id = made.out().lines().findFirst().orElseThrow().split("  ", -1)[2];
    assertThat(cli("jobs").exits(0).out()).contains(id);
    assertThat(cli("jobs", "show", id).exits(0).out()).contains("Ein Müller", "captured 1");
    assertThat(cli("jobs", "watch", id).exits(0).out()).contains("completed").contains(id);
    List<JsonNode> events = cli("jobs", "watch", id, "--format", "jsonl").exits(0).jsonLines();
    assertThat(events).last().matches(event -> ApiJson.text(event, "state").equals("completed"));
    assertThat(cli("jobs", "events", id, "--format", "json").exits(0).json().path("items"))
        .containsExactlyElementsOf(events);
    Result again = cli("run", "sketch/draft", "-i", "prompt=Nein", "-o", "x.png").exits(2);
    assertThat(again.err()).contains("x.png");
  }

  @Test
  void every_list_reads_as_a_table_and_as_json() throws Exception {
    cli("run", "sketch/draft", "-i", "prompt=Eine Mühle", "--wait", "-q").exits(0);
    assertThat(cli("effects").exits(0).out()).contains("sketch/poster", "CREDITS");
    int effects = cli("effects", "--format", "jsonl").exits(0).jsonLines().size();
    assertThat(effects).isGreaterThan(12);
    assertThat(server.out()).contains(" with %d effects.".formatted(effects));
    assertThat(cli("effects", "show", "sketch/poster").exits(0).out()).contains("prompt *");
    assertThat(cli("wallet").exits(0).out()).contains("balance");
    JsonNode wallet = cli("wallet", "--format", "json").exits(0).json();
    assertThat(ApiJson.number(wallet, "balance")).isBetween(900L, 999L);
    assertThat(cli("wallet", "ledger", "--format", "jsonl").exits(0).jsonLines())
        .last()
        .matches(line -> ApiJson.number(line, "amount") == 1000);
    assertThat(cli("files").exits(0).out()).contains("image");
    JsonNode file = cli("files", "--format", "json").exits(0).json().path("items").get(0);
    cli("files", "get", ApiJson.text(file, "id"), "-o", "again.png").exits(0);
    assertThat(installation.work().resolve("again.png")).hasSize(ApiJson.number(file, "size"));
    assertThat(cli("whoami", "--format", "json").exits(0).json().path("role").asString())
        .isEqualTo("operator");
    assertThat(cli("jobs", "--format", "jsonl").exits(0).jsonLines()).isNotEmpty();
    Result doctor = cli("doctor").exits(0);
    assertThat(doctor.err()).contains("invariants hold");
    assertThat(ApiJson.truth(cli("doctor", "--format", "json").exits(0).json(), "ok")).isTrue();
  }

  @Test
  void a_key_works_from_its_creation_to_its_revocation() throws Exception {
    String key = cli("keys", "create", "a shop", "--user", "ada", "-q").exits(0).out().strip();
    assertThat(cli("whoami", "--key", key).exits(0).out()).contains("ada");
    assertThat(cli("keys", "--key", key).exits(6).err()).contains("whoami");
    JsonNode listed =
        cli("keys", "list", "--format", "json")
            .exits(0)
            .json()
            .path("items")
            .valueStream()
            .filter(one -> ApiJson.text(one, "name").equals("a shop"))
            .findFirst()
            .orElseThrow();
    assertThat(key).startsWith(ApiJson.text(listed, "prefix")).hasSizeGreaterThan(30);
    assertThat(listed.toString()).doesNotContain(key);
    cli("keys", "revoke", ApiJson.text(listed, "id"), "--yes").exits(0);
    await().atMost(LIMIT).until(() -> cli("whoami", "--key", key).exit() == 6);
  }

  @Test
  void every_way_to_fail_has_its_exit_code_and_its_sentence() throws Exception {
    assertThat(cli("run", "sketch/nothing", "-i", "prompt=a").exits(7).err())
        .contains("There is no effect sketch/nothing.");
    assertThat(cli("run", "sketch/draft", "-i", "prompt=").exits(2).err()).contains("prompt: ");
    assertThat(cli("run", "sketch/draft", "-i", "widht=3").exits(2).err()).contains("widht");
    assertThat(cli("run", "sketch/draft", "-i", "prompt=a", "--user", "poor").exits(5).err())
        .contains("costs 1 credit,")
        .contains("millrace wallet credit poor");
    assertThat(cli("whoami", "--key", "mr_wrong").exits(6).err()).contains("key");
    String nobody = "http://127.0.0.1:" + KeptPort.next();
    assertThat(cli("whoami", "--url", nobody, "--key", "x").exits(8).err()).contains(nobody);
    String missing = "00000000-0000-7000-8000-000000000000";
    assertThat(cli("jobs", "show", missing).exits(7).err()).contains("no job " + missing);
    assertThat(cli("jobs", "cancel", missing).exits(7).err()).contains("no job " + missing);
    assertThat(cli("files", "get", missing).exits(7).err()).contains("no file " + missing);
    assertThat(cli("keys", "revoke", missing, "--yes").exits(7).err())
        .contains("no key " + missing);
  }

  @Test
  void the_end_of_a_job_is_the_exit_code_of_who_waits_for_it() throws Exception {
    Result failed = rehearse("fail=permanent").exits(3);
    assertThat(failed.out()).startsWith("failed").contains("captured 0 · refunded 1");
    Result rejected = rehearse("fail=safety").exits(4);
    assertThat(rejected.out()).startsWith("rejected").contains("captured 1 · refunded 0");
    assertThat(rehearse("fail=once").exits(0).out()).contains("2 attempts");

    String id =
        cli("run", "sketch/draft", "-i", "prompt=a", "-i", "delay_seconds=60", "-q")
            .exits(0)
            .out()
            .strip();
    Client client = server.client();
    await().atMost(LIMIT).until(() -> ApiJson.number(client.job(id), "progress") > 0);
    cli("jobs", "watch", id, "--timeout", "1s").exits(124);
    CompletableFuture<Result> watching = Background.call(() -> cli("jobs", "watch", id));
    cli("jobs", "cancel", id).exits(0);
    assertThat(watching.get().exits(9).out()).startsWith("canceled").contains("refunded 1");
    assertThat(cli("jobs", "cancel", id).exits(2).err()).contains("canceled");
  }

  @Test
  void a_second_server_on_the_same_data_is_refused_and_the_first_works_on() throws Exception {
    Result second = cli("start").exits(1);
    assertThat(second.err())
        .startsWith("millrace: The data directory " + installation.data().toRealPath())
        .contains("in use by another Millrace");
    assertThat(second.err().lines()).hasSize(1);
    assertThat(second.out()).isEmpty();
    cli("run", "sketch/draft", "-i", "prompt=a", "--wait").exits(0);
  }

  private static Result rehearse(String trouble) throws Exception {
    return cli("run", "sketch/draft", "-i", "prompt=a", "-i", trouble, "--wait");
  }
}
