package dev.millrace.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.testkit.net.Reply;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Tables that are imported, by endpoints that behave and by those that don't. */
class ProcessImportsPgTest {

  private static final int ROWS = Boolean.getBoolean("millrace.long") ? 1_000_000 : 20_000;

  @TempDir static Path folder;
  private static ProcessesRig rig;
  private static Client admin;

  @BeforeAll
  static void start() throws IOException {
    rig = new ProcessesRig(folder);
    admin = rig.admin;
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  @BeforeEach
  void calm() {
    rig.product.mood((_, answer) -> answer);
  }

  private static long takenOf(String id) {
    return rig.product.taken().keySet().stream().filter(key -> key.startsWith(id + "-")).count();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {"utf-8!,", "utf-8!;", "utf-16le!;", "utf-16be!|", "windows-1252!;", "utf-8!tab"})
  void a_table_is_read_however_it_is_written(String encoding, String separator) {
    String between = separator.equals("tab") ? "\t" : separator;
    boolean marked = encoding.startsWith("utf-16");
    String table =
        (marked ? "\ufeff" : "")
            + "name,city,note\r\n\"Café, \"\"Süd\"\"\",Köln,\"two\nlines\"\r\nBar,Ulm,\r\n"
                .replace("Café,", "Café")
                .replace(",", between);
    String id = rig.imported(table.getBytes(Charset.forName(encoding)), "");
    assertThat(rig.await(id, "completed").at("/summary/imported")).isEqualTo("2");
    JsonNode first = rig.product.row(id + "-1");
    assertThat(first.path("name").asString()).isEqualTo("Café \"Süd\"");
    assertThat(first.path("city").asString()).isEqualTo("Köln");
    assertThat(first.path("note").asString()).isEqualTo("two\nlines");
    assertThat(rig.product.row(id + "-2").has("note")).isFalse();
  }

  @Test
  void wrong_rows_are_named_in_a_file_and_the_others_are_imported() {
    String schema =
        """
        ,"row_schema":{"type":"object","required":["name"],"additionalProperties":false,
        "properties":{"name":{"type":"string","pattern":"^[a-z ]+$"},"seats":{"type":"integer",
        "minimum":1},"category":{"type":"string"}}}\
        """;
    String id =
        rig.imported(
            "name,seats,category\ninn,4,a\nINN,4,a\ninn,none,a\ninn,0,a\ninn,1\n,1,a\nforbidden,1,a\nbar,2,b\n",
            schema);
    Answer done = rig.await(id, "completed");
    assertThat(done.at("/summary/imported")).isEqualTo("2");
    assertThat(done.at("/summary/failed")).isEqualTo("6");
    assertThat(rig.product.row(id + "-1").path("seats").isIntegralNumber()).isTrue();
    String errors = rig.output(id, "errors.csv");
    assertThat(errors.lines()).hasSize(7);
    assertThat(errors.lines().skip(1).map(line -> line.split(",", 3)[0]))
        .containsExactly("3", "4", "5", "6", "7", "8");
    // What a spreadsheet would compute is a text.
    assertThat(errors).contains("8,name,'=is forbidden");
  }

  @Test
  void twenty_thousand_rows_or_a_million_are_each_handed_over_once() {
    StringBuilder table = new StringBuilder("name,category\n");
    for (int i = 1; i <= ROWS; i++) {
      table.append("place ").append(i).append(',').append(i % 7).append('\n');
    }
    long before = rig.product.rowsSeen();
    String id = rig.imported(table.toString(), ",\"chunk\":1000");
    Awaitility.await()
        .atMost(Duration.ofMinutes(30))
        .until(() -> rig.process(id).at("/status").equals("completed"));
    assertThat(rig.process(id).at("/summary/imported")).isEqualTo("" + ROWS);
    assertThat(takenOf(id)).isEqualTo(ROWS);
    assertThat(rig.product.rowsSeen() - before).isEqualTo(ROWS);
  }

  @Test
  void a_run_that_dies_after_the_endpoint_took_a_chunk_hands_no_row_over_twice() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    rig.product.mood((call, answer) -> {
      if (call == 3) {
        reached.countDown();
        go.await(60, TimeUnit.SECONDS);
      }
      return answer;
    });
    String id = rig.imported("name,category\n" + "place,a\n".repeat(100), ",\"chunk\":20");
    assertThat(reached.await(60, TimeUnit.SECONDS)).isTrue();
    // The rows of the third chunk are there; nobody here knows it, and another run takes over.
    Awaitility.await()
        .until(() -> {
          rig.loseLease(id);
          return rig.process(id).json().path("attempts").asInt() > 1;
        });
    Answer done = rig.await(id, "completed");
    go.countDown();
    assertThat(done.at("/summary/imported")).isEqualTo("100");
    assertThat(takenOf(id)).isEqualTo(100);
    assertThat(rig.rig.ask("select done from transfer where id = '" + id + "'")).isEqualTo("100");
  }

  @Test
  void a_server_that_stops_in_the_middle_goes_on_where_it_was() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    AtomicBoolean first = new AtomicBoolean(true);
    rig.product.mood((call, answer) -> {
      if (call == 3 && first.getAndSet(false)) {
        reached.countDown();
        return new Reply.Silence();
      }
      return answer;
    });
    String id = rig.imported("name,category\n" + "place,a\n".repeat(100), ",\"chunk\":20");
    assertThat(reached.await(60, TimeUnit.SECONDS)).isTrue();
    rig.rig.restart();
    Client again = rig.rig.admin();
    Answer done =
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .until(
                () -> again.get("/api/processes/" + id).expect(200),
                process -> process.at("/status").equals("completed"));
    assertThat(done.at("/summary/imported")).isEqualTo("100");
    assertThat(takenOf(id)).isEqualTo(100);
    rig.moveTo(again);
    admin = rig.admin;
  }

  @Test
  void answers_that_get_lost_or_make_no_sense_are_asked_for_again_with_the_same_keys() {
    rig.product.mood((call, answer) ->
        switch (call) {
          case 1 -> Reply.text(503, "later");
          case 2 -> new Reply.Cut();
          case 3 -> Reply.text(200, "<html>sign in</html>");
          case 4 -> Reply.text(200, "x".repeat(2_000_000));
          case 6 -> Reply.json(200, Map.of("imported", 4_000));
          case 7 -> Reply.text(429, "slower").with("Retry-After", "1");
          default -> answer;
        });
    String id = rig.imported("name,category\n" + "place,a\n".repeat(6), ",\"chunk\":3");
    assertThat(rig.await(id, "completed").at("/summary/imported")).isEqualTo("6");
    assertThat(takenOf(id)).isEqualTo(6);
  }

  @Test
  void an_endpoint_that_is_gone_or_refuses_ends_the_import() {
    rig.product.mood((_, _) -> Reply.text(410, "gone"));
    String id = rig.imported("name\nplace\n", "");
    assertThat(rig.await(id, "failed").at("/error_message")).contains("410");
    rig.product.mood((_, _) -> Reply.empty(302).with("Location", "http://127.0.0.1/"));
    String led = rig.imported("name\nplace\n", "");
    assertThat(rig.await(led, "failed").at("/error_message")).contains("302");
  }

  @Test
  void a_file_that_is_no_table_says_why() {
    Map<String, String> files =
        Map.of(
            "name\n\"never closes\n" + "x".repeat(700_000),
            "never closes",
            "name,name\na,b\n",
            "same name",
            "name,\na,b\n",
            "name each column",
            "name\n" + "x".repeat(70_000) + "\n",
            "too long");
    files.forEach((table, why) -> {
      String id = rig.imported(table, ",\"separator\":\",\"");
      assertThat(rig.await(id, "failed").at("/error_message")).contains(why);
    });
    String id = rig.imported("name\na\n", ",\"row_schema\":{\"$ref\":\"http://127.0.0.1/x\"}");
    assertThat(rig.await(id, "failed").at("/error_message")).contains("refers");
  }

  @Test
  void rows_become_jobs_of_an_effect_that_the_operator_chose() {
    String table = "prompt\na fox\na hen\n" + "x".repeat(3_000) + "\n";
    String file = rig.brought("drafts.csv", "text/csv", table.getBytes(StandardCharsets.UTF_8));
    String id = rig.asked("csv-drafts", "\"file\":\"%s\"".formatted(file), "").at("/id");
    Answer done = rig.await(id, "completed");
    assertThat(done.at("/summary/imported")).isEqualTo("2");
    assertThat(done.at("/summary/failed")).isEqualTo("1");
    assertThat(rig.output(id, "errors.csv")).contains("4,prompt,");
    assertThat(
            rig.rig.ask(
                "select count(*) from job where idempotency_key in ('%s-1', '%s-2')"
                    .formatted(id, id)))
        .isEqualTo("2");
    // Whoever asks for the built-in import can't choose an effect by himself.
    admin
        .post(
            "/api/jobs",
            "{\"effect\":\"processes/csv-location-import\",\"input\":{\"file\":\"%s\",\"row_effect\":\"sketch/draft\"}}"
                .formatted(file))
        .problem(422, "invalid_request");
  }
}
