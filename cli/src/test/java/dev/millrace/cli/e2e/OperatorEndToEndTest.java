package dev.millrace.cli.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.e2e.Program.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A working day of those who run an installation, typed as commands. */
class OperatorEndToEndTest {

  @TempDir
  @SuppressWarnings("NullAway.Init")
  static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static Installation installation;

  @BeforeAll
  static void the_server_starts() throws IOException {
    installation = new Installation(folder).set("EXECUTOR_SLOTS", "4");
    installation.start();
  }

  @AfterAll
  static void nothing_is_left() {
    installation.close();
  }

  @AfterEach
  void every_invariant_holds() throws Exception {
    cli("doctor").exits(0);
  }

  private static Result cli(String... args) throws Exception {
    return installation.cli(args);
  }

  private static String submit(String effect, String... more) throws Exception {
    List<String> words = new ArrayList<>(List.of("run", effect, "-q", "-i", "prompt=a mill"));
    words.addAll(List.of(more));
    return cli(words.toArray(String[]::new)).exits(0).out().strip();
  }

  private static JsonNode job(String id) throws Exception {
    return cli("jobs", "show", id, "--json").exits(0).json();
  }

  private static String state(String id) throws Exception {
    return ApiJson.text(job(id), "state");
  }

  private static String batchOf(int jobs, String input) throws Exception {
    Path file = installation.work().resolve("jobs.jsonl");
    Files.writeString(
        file,
        "{\"effect\":\"sketch/draft\",\"input\":{\"prompt\":\"a mill\",%s}}%n"
            .formatted(input)
            .repeat(jobs));
    return cli("batches", "submit", "jobs.jsonl", "-q").exits(0).out().strip();
  }

  @Test
  void a_reviewer_approves_two_of_three_and_the_follow_up_appears() throws Exception {
    String id = submit("sketch/proof");
    assertThat(cli("jobs", "watch", id).exits(11).err()).contains("A reviewer decides next.");
    List<JsonNode> items = cli("jobs", "items", id, "--format", "jsonl").exits(0).jsonLines();
    assertThat(items).hasSize(3);
    cli("jobs", "items", id, "-o", ".").exits(0);
    assertThat(cli("jobs", "approve", id, "--item", id).exits(2).err()).contains("items");

    String key = cli("keys", "create", "review", "--role", "reviewer", "-q").exits(0).out().strip();
    String two = ApiJson.text(items.get(0), "id") + "," + ApiJson.text(items.get(2), "id");
    JsonNode approved =
        cli("jobs", "approve", id, "--item", two, "--decline-rest", "--key", key, "--json")
            .exits(0)
            .json();
    assertThat(ApiJson.text(approved, "state")).isEqualTo("completed");
    assertThat(ApiJson.number(approved, "delivered")).isEqualTo(2);
    assertThat(ApiJson.number(approved.path("credits"), "captured")).isEqualTo(2);
    assertThat(ApiJson.number(approved.path("credits"), "refunded")).isEqualTo(1);
    assertThat(approved.path("outputs")).hasSize(2);

    String next = ApiJson.text(approved, "follow_up_id");
    cli("jobs", "watch", next).exits(0);
    assertThat(ApiJson.text(job(next), "follows")).isEqualTo(id);
    assertThat(ApiJson.text(job(next), "effect")).isEqualTo("sketch/sheet");
    assertThat(cli("jobs", "approve", id).exits(2).err()).isNotBlank();
    assertThat(cli("audit", "--target", id, "--format", "jsonl").exits(0).jsonLines())
        .anyMatch(line -> key.startsWith(ApiJson.text(line, "actor").replaceFirst("^key:", "")));
  }

  @Test
  void a_declined_job_is_rejected_and_its_user_gets_the_credits_back() throws Exception {
    String id = submit("sketch/proof");
    cli("jobs", "watch", id).exits(11);
    cli("jobs", "decline", id, "--reason", "Not our mill.").exits(0);
    assertThat(state(id)).isEqualTo("rejected");
    assertThat(ApiJson.number(job(id).path("credits"), "refunded")).isEqualTo(3);
  }

  @Test
  void a_paused_effect_takes_jobs_in_and_runs_them_after_its_resume() throws Exception {
    cli("effects", "pause", "sketch/bauhaus").exits(0);
    assertThat(cli("effects").exits(0).out()).contains("(paused) Bauhaus");
    String paused = submit("sketch/bauhaus");
    cli("run", "sketch/draft", "-i", "prompt=a mill", "--wait").exits(0);
    assertThat(state(paused)).isEqualTo("queued");
    cli("effects", "resume", "sketch/bauhaus").exits(0);
    cli("jobs", "watch", paused).exits(0);
    assertThat(cli("effects", "pause", "sketch/bauhuas").exits(7).err()).contains("sketch/bauhaus");
  }

  @Test
  void a_failed_job_is_retried_in_place_then_as_a_new_job_and_then_deleted() throws Exception {
    String id = submit("sketch/draft", "-i", "fail=permanent");
    cli("jobs", "watch", id).exits(3);
    assertThat(cli("jobs", "retry", "--in-place", id).exits(0).out()).startsWith(id);
    assertThat(cli("jobs", "watch", id).exits(3).out()).contains("2 attempts");
    JsonNode again = cli("jobs", "retry", id, "--json").exits(0).json().path("items").get(0);
    assertThat(ApiJson.text(again, "retry_of")).isEqualTo(id);
    cli("jobs", "watch", ApiJson.text(again, "id")).exits(3);
    assertThat(cli("jobs", "delete", id).exits(2).err()).contains("--yes");
    cli("jobs", "delete", id, "--yes").exits(0);
    assertThat(cli("jobs", "show", id).exits(7).err()).contains("no job " + id);
  }

  @Test
  void a_user_with_a_limit_of_one_job_is_refused_the_second() throws Exception {
    cli("wallet", "credit", "bob", "10").exits(0);
    assertThat(cli("wallet", "limits", "--user", "bob", "--active", "1").exits(0).out())
        .contains("0 of 1");
    String first = submit("sketch/draft", "--user", "bob", "-i", "delay_seconds=60");
    cli("run", "sketch/draft", "-i", "prompt=a", "--user", "bob").exits(4);
    cli("wallet", "limits", "--user", "bob", "--active", "default").exits(0);
    submit("sketch/draft", "--user", "bob");
    cli("jobs", "cancel", first).exits(0);
    cli("jobs", "watch", first).exits(9);
  }

  @Test
  void a_batch_is_canceled_as_a_whole_and_then_deleted() throws Exception {
    String id = batchOf(6, "\"delay_seconds\":60");
    cli("batches", "cancel", id).exits(0);
    Result watched = cli("batches", "watch", id, "--json").exits(9);
    assertThat(ApiJson.number(watched.json().path("counts"), "canceled")).isEqualTo(6);
    assertThat(ApiJson.number(watched.json().path("credits"), "refunded")).isEqualTo(6);
    assertThat(cli("jobs", "--batch", id, "--format", "jsonl").exits(0).jsonLines())
        .hasSize(6)
        .allMatch(job -> ApiJson.text(job, "state").equals("canceled"));

    String[] delete = {"tasks", "run", "delete", "--batch", id};
    assertThat(cli(with(delete, "--dry-run")).exits(0).out()).contains("would delete 6 jobs");
    cli(delete).exits(2);
    cli(with(delete, "--yes", "--watch")).exits(0);
    assertThat(cli("jobs", "--batch", id, "--format", "jsonl").exits(0).jsonLines()).isEmpty();
    assertThat(cli("tasks", "--format", "jsonl").exits(0).jsonLines()).hasSizeGreaterThan(1);
  }

  @Test
  void a_batch_with_a_mistake_is_refused_whole_and_taken_in_part() throws Exception {
    Files.writeString(
        installation.work().resolve("mixed.json"),
        """
        [{"effect":"sketch/draft","input":{"prompt":"a mill"}},
         {"effect":"sketch/draft","input":{"prompt":""}},
         {"effect":"sketch/draft","input":{"prompt":"a race"}}]
        """);
    Result refused = cli("batches", "submit", "mixed.json").exits(2);
    assertThat(refused.err()).contains("job 2: prompt: ").doesNotContain("job 1", "job 3");
    Result taken = cli("batches", "submit", "mixed.json", "--partial", "--watch").exits(4);
    assertThat(taken.out()).contains("2 completed");
  }

  private static String[] with(String[] words, String... more) {
    return Stream.concat(Arrays.stream(words), Arrays.stream(more)).toArray(String[]::new);
  }
}
