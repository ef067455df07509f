package dev.millrace.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.dialect.ReplicateRig.Caller;
import dev.millrace.server.dialect.ReplicateRig.Told;
import dev.millrace.server.rig.ServerRig;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What the surface of OpenAI does beyond what its own client asks for, and all doors at once. */
class OpenAiPgTest {

  private static final String V1 = "/openai/v1/";
  private static final String DRAFT = "{\"model\":\"sketch/draft\",\"prompt\":\"a fox\"%s}";

  @TempDir static Path folder;
  private static HttpClient http;
  private static ServerRig rig;
  private static Caller admin;

  @BeforeAll
  static void start() {
    http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    rig = ServerRig.start(folder);
    rig.credit("default", 100_000);
    admin = caller();
  }

  @AfterAll
  static void stop() {
    rig.examine();
    rig.close();
    http.shutdownNow();
  }

  private static Caller caller() {
    return new Caller(http, rig.url("").replaceFirst("/$", ""), "Bearer " + rig.key());
  }

  private static Told requireShape(Told refused, int status) {
    refused.expect(status);
    assertThat(refused.json().path("error").propertyNames())
        .contains("message", "type", "param", "code");
    assertThat(refused.at("/error/message")).isNotBlank();
    return refused;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          images/generations | {}                                          | 400 | model
          images/generations | {"model":"no/such"}                         | 404 |
          images/generations | {"model":"sketch/draft"}                    | 400 | prompt
          images/generations | {"model":"sketch/draft","prompt":7}         | 400 | prompt
          images/generations | {"model":"sketch/draft","prompt":"x","size":"64x64"} | 400 | size
          images/generations | {"model":"sketch/series","prompt":"x","n":99} | 400 | n
          images/generations | {"model":"sketch/series","prompt":"x","n":-1} | 400 | n
          images/generations | {"model":"sketch/draft","prompt":"x","stream":true} | 400 | stream
          images/generations | []                                          | 400 | body
          images/generations | {                                           | 400 |
          chat/completions   | {"model":"sketch/chat"}                     | 400 | messages
          chat/completions   | {"model":"sketch/chat","messages":[]}       | 400 | messages
          chat/completions   | {"model":"sketch/chat","messages":[{"role":"wolf","content":"x"}]} | 400 | messages.0.role
          chat/completions   | {"model":"sketch/chat","messages":[{"role":"user","content":7}]} | 400 | messages.0.content
          chat/completions   | {"model":"sketch/chat","messages":[{"role":"user","content":"x"}],"tools":[{}]} | 400 | tools
          audio/speech       | {"model":"sketch/speech"}                   | 400 | input
          batches            | {}                                          | 400 | endpoint
          batches            | {"endpoint":"/v1/chat/completions","completion_window":"24h","input_file_id":"file-x"} | 400 | input_file_id
          """)
  void what_is_wrong_is_told_in_openais_shape(String path, String body, int status, String param) {
    Told told = requireShape(admin.post(V1 + path, body), status);
    JsonNode at = told.json().at("/error/param");
    assertThat(at.isNull() ? null : at.stringValue()).isEqualTo(param);
  }

  @Test
  void a_job_through_this_door_says_so() {
    String id = admin.post(V1 + "images/generations", DRAFT.formatted("")).expect(200).at("/id");
    assertThat(rig.as("admin").job(id).at("/dialect")).isEqualTo("openai");
  }

  @Test
  void a_form_without_end_and_lists_from_nowhere_are_refused_in_shape() {
    requireShape(
        admin.send(
            "POST",
            V1 + "files",
            "--x\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nno end"
                .getBytes(StandardCharsets.UTF_8),
            "Content-Type",
            "multipart/form-data; boundary=x"),
        400);
    requireShape(admin.get(V1 + "files?after=nowhere"), 400);
    requireShape(admin.get(V1 + "batches?limit=-1"), 400);
    requireShape(admin.get(V1 + "videos/" + UUID.randomUUID()), 404);
  }

  private static String brought(byte[] content) {
    byte[] head =
        """
        --x
        Content-Disposition: form-data; name="purpose"

        batch
        --x
        Content-Disposition: form-data; name="file"; filename="a.jsonl"

        """
            .replace("\n", "\r\n")
            .getBytes(StandardCharsets.UTF_8);
    byte[] end = "\r\n--x--".getBytes(StandardCharsets.UTF_8);
    byte[] form = new byte[head.length + content.length + end.length];
    System.arraycopy(head, 0, form, 0, head.length);
    System.arraycopy(content, 0, form, head.length, content.length);
    System.arraycopy(end, 0, form, head.length + content.length, end.length);
    return admin
        .send("POST", V1 + "files", form, "Content-Type", "multipart/form-data; boundary=x")
        .expect(200)
        .at("/id");
  }

  private static String batch(byte[] content) {
    return admin
        .post(
            V1 + "batches",
            """
            {"input_file_id":"%s","endpoint":"/v1/chat/completions","completion_window":"24h"}
            """
                .formatted(brought(content)))
        .expect(200)
        .at("/id");
  }

  private static Told ended(String batch, String status) {
    return Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> admin.get(V1 + "batches/" + batch), told -> told.at("/status").equals(status));
  }

  private static String line(int i) {
    return """
    {"custom_id":"q%d","method":"POST","url":"/v1/chat/completions","body":{"model":"sketch/chat","messages":[{"role":"user","content":"Question %d"}]}}
    """
        .formatted(i, i);
  }

  @Test
  void a_batch_goes_on_after_the_server_was_restarted_in_the_middle_and_pays_each_line_once() {
    int count = 300;
    String id =
        batch(
            IntStream.rangeClosed(1, count)
                .mapToObj(OpenAiPgTest::line)
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.UTF_8));
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() ->
            admin.get(V1 + "batches/" + id).json().at("/request_counts/completed").asInt() > 0);
    rig.restart();
    admin = caller();
    Told done = ended(id, "completed");
    assertThat(done.json().at("/request_counts/completed").asInt()).isEqualTo(count);
    assertThat(
            rig.ask(
                "select count(*) from job where idempotency_key like 'request-list:"
                    + id.replace("batch_", "")
                    + ":%'"))
        .isEqualTo(Integer.toString(count));
    String output =
        admin
            .get(V1 + "files/" + done.at("/output_file_id") + "/content")
            .expect(302)
            .response()
            .headers()
            .firstValue("location")
            .orElseThrow();
    assertThat(admin.get(output).text().lines()).hasSize(count);
  }

  @Test
  void a_line_without_end_or_in_no_language_fails_the_batch_and_fills_no_memory() {
    byte[] huge = new byte[40 << 20];
    Arrays.fill(huge, (byte) 'x');
    assertThat(ended(batch(huge), "failed").at("/errors/data/0/code")).isEqualTo("line_too_long");
    byte[] latin = "{\"custom_id\":\"\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(ended(batch(latin), "failed").at("/errors/data/0/code"))
        .isEqualTo("invalid_json_line");
    String twice = line(1) + line(1);
    assertThat(
            ended(batch(twice.getBytes(StandardCharsets.UTF_8)), "failed")
                .at("/errors/data/0/code"))
        .isEqualTo("duplicate_custom_id");
    String many = "{}\n".repeat(60_000);
    assertThat(ended(batch(many.getBytes(StandardCharsets.UTF_8)), "failed").status())
        .isEqualTo(200);
  }

  @Test
  void all_doors_at_once_make_one_job_for_each_key() throws Exception {
    rig.credit("storm", 1_000);
    Caller storm =
        new Caller(
            http, rig.url("").replaceFirst("/$", ""), "Bearer " + rig.newSecret("user", "storm"));
    List<Future<Told>> answers = new ArrayList<>();
    try (ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 100; i++) {
        int key = i / 2 % 25;
        int door = key % 4;
        answers.add(all.submit(() -> ask(storm, door, "storm-" + key)));
      }
    }
    for (Future<Told> answer : answers) {
      assertThat(answer.get().status()).as(answer.get().text()).isIn(200, 201);
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() ->
            rig.ask(
                    "select count(*) from job where idempotency_key like 'storm-%' and state ="
                        + " 'completed'")
                .equals("25"));
    assertThat(rig.ask("select count(*) from job where idempotency_key like 'storm-%'"))
        .isEqualTo("25");
  }

  private static Told ask(Caller storm, int door, String key) {
    return switch (door) {
      case 0 ->
          storm.post(
              "/api/jobs",
              "{\"effect\":\"sketch/draft\",\"input\":{\"prompt\":\"a fox\"}}",
              "Idempotency-Key",
              key);
      case 1 ->
          storm.post(
              "/replicate/v1/models/sketch/draft/predictions",
              "{\"input\":{\"prompt\":\"a fox\"}}",
              "Idempotency-Key",
              key);
      case 2 -> storm.post(V1 + "images/generations", DRAFT.formatted(""), "Idempotency-Key", key);
      default ->
          storm.post(
              "/api/images/jobs",
              "{\"prompt\":\"a fox\",\"idempotencyKey\":\"%s\",\"effect\":\"sketch/draft\"}"
                  .formatted(key));
    };
  }
}
