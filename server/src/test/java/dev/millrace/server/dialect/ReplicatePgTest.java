package dev.millrace.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.dialect.ReplicateRig.Caller;
import dev.millrace.server.dialect.ReplicateRig.Told;
import dev.millrace.server.rig.ServerRig;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What the surface of Replicate does beyond what its own client asks for. */
class ReplicatePgTest {

  private static final String V1 = "/replicate/v1/";
  private static final String DRAFT = V1 + "models/sketch/draft/predictions";

  @TempDir static Path folder;
  private static HttpClient http;
  private static ServerRig rig;
  private static Caller admin;

  @BeforeAll
  static void start() throws IOException {
    http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    rig = ServerRig.start(folder, "CATALOGUE_DIR=" + ReplicateRig.catalogue(folder));
    rig.credit("default", 10_000);
    admin = caller("Bearer " + rig.key());
  }

  @AfterAll
  static void stop() {
    rig.examine();
    rig.close();
    http.shutdownNow();
  }

  private static Caller caller(String authorization) {
    return new Caller(http, rig.url("").replaceFirst("/$", ""), authorization);
  }

  private static String fox(String... more) {
    return "{\"input\":{\"prompt\":\"a red fox\"%s}}"
        .formatted(more.length == 0 ? "" : "," + String.join(",", more));
  }

  private static void requireShape(Told refused, int status) {
    refused.expect(status);
    assertThat(refused.json().path("status").asInt()).isEqualTo(status);
    assertThat(refused.at("/title")).isNotBlank();
    assertThat(refused.at("/detail")).isNotBlank();
    assertThat(refused.at("/type")).isNotBlank();
  }

  @Test
  void a_waiting_request_is_answered_with_the_end() {
    Told ended = admin.post(DRAFT, fox(), "Prefer", "wait").expect(201);
    assertThat(ended.at("/status")).isEqualTo("succeeded");
    assertThat(ended.at("/output")).contains("/results/");
  }

  @Test
  void a_wait_that_is_over_says_starting_so_that_clients_go_on_asking() {
    Told told = admin.post(DRAFT, fox("\"delay_seconds\":30"), "Prefer", "wait=2").expect(201);
    assertThat(told.at("/status")).isEqualTo("starting");
    admin.post(V1 + "predictions/" + told.at("/id") + "/cancel", "").expect(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"wait=-1", "wait=", "wait=soon", "respond-async", "wait=99999999999999"})
  void a_preference_that_cant_be_meant_is_ignored(String preference) {
    Told told = admin.post(DRAFT, fox(), "Prefer", preference).expect(201);
    assertThat(told.at("/status")).isEqualTo("starting");
  }

  @Test
  void a_job_that_lives_longer_than_it_wished_is_canceled_and_refunded() {
    Told made = admin.post(DRAFT, fox("\"delay_seconds\":120"), "Cancel-After", "5s").expect(201);
    String get = V1 + "predictions/" + made.at("/id");
    assertThat(made.at("/deadline")).isNotEmpty();
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> admin.get(get).at("/status").equals("canceled"));
    assertThat(rig.as("admin").job(made.at("/id")).json().at("/credits/refunded").asLong(1))
        .isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"4s", "25h", "-5s", "tomorrow", "", "99999999999h", "5d"})
  void a_wish_for_an_impossible_end_is_refused(String after) {
    requireShape(admin.post(DRAFT, fox(), "Cancel-After", after), 422);
  }

  @Test
  void a_repeated_key_finds_its_prediction_and_pays_once() {
    String key = UUID.randomUUID().toString();
    Told first = admin.post(DRAFT, fox(), "Idempotency-Key", key).expect(201);
    Told second = admin.post(DRAFT, fox(), "Idempotency-Key", key).expect(200);
    assertThat(second.at("/id")).isEqualTo(first.at("/id"));
    requireShape(admin.post(DRAFT, fox("\"seed\":7"), "Idempotency-Key", key), 422);
  }

  @Test
  void a_list_can_be_walked_forth_and_back() {
    for (int i = 0; i < 105; i++) {
      admin.post(DRAFT, fox()).expect(201);
    }
    JsonNode first = admin.get(V1 + "predictions").expect(200).json();
    assertThat(first.path("results")).hasSize(100);
    assertThat(first.path("previous").isNull()).isTrue();
    JsonNode second = admin.get(first.path("next").stringValue()).expect(200).json();
    assertThat(ids(second)).isNotEmpty().doesNotContainAnyElementsOf(ids(first));
    JsonNode back = admin.get(second.path("previous").stringValue()).expect(200).json();
    assertThat(ids(back)).isEqualTo(ids(first));
  }

  private static List<String> ids(JsonNode page) {
    return page.path("results").valueStream().map(each -> each.path("id").asString()).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "bg", "bjEtMS0xLTEtMQ", "cDA", "../../etc/passwd"})
  void a_forged_cursor_is_refused(String cursor) {
    requireShape(admin.get(V1 + "predictions?cursor=" + cursor), 422);
  }

  @Test
  void an_address_of_an_output_stays_and_cant_be_guessed() {
    Told made = admin.post(DRAFT, fox(), "Prefer", "wait").expect(201);
    String output = made.at("/output");
    Caller nobody = caller("");
    nobody.get(output).expect(302);
    rig.restart();
    admin = caller("Bearer " + rig.key());
    String path = output.replaceFirst("https?://[^/]+", "");
    String address =
        caller("").get(path).expect(302).response().headers().firstValue("location").orElseThrow();
    assertThat(caller("").get(address).expect(200).response().body()).startsWith(0x89, 'P', 'N');
    requireShape(caller("").get(path.replaceFirst("results/.", "results/Z")), 404);
    requireShape(caller("").get(path.replaceFirst("0\\.png", "1.png")), 404);
    requireShape(caller("").get(path.replaceFirst("0\\.png", "x.png")), 404);
    requireShape(caller("").get("/replicate/stream/" + "A".repeat(48)), 404);
    rig.as("admin").delete("/api/jobs/" + made.at("/id")).expect(200);
    requireShape(caller("").get(path), 404);
  }

  @Test
  void older_clients_say_token_and_strangers_are_refused_in_shape() {
    caller("Token " + rig.key()).get(V1 + "account").expect(200);
    requireShape(caller("Bearer wrong").get(V1 + "account"), 401);
    requireShape(caller("").post(DRAFT, fox()), 401);
  }

  @Test
  void what_is_wrong_is_told_in_the_fields_of_the_client() {
    Told told = admin.post(DRAFT, "{\"input\":{\"prompt\":7,\"colour\":\"red\"}}");
    requireShape(told, 422);
    assertThat(told.at("/detail")).contains("input.prompt").contains("input.colour");
    requireShape(admin.post(DRAFT, "{\"input\":{}} x"), 400);
    requireShape(admin.post(DRAFT, "[]"), 422);
    requireShape(admin.post(DRAFT, "{\"inputs\":{}}"), 422);
    requireShape(admin.post(V1 + "predictions", "{\"version\":\"nope\",\"input\":{}}"), 422);
    requireShape(admin.post(V1 + "models/no/body/predictions", fox()), 404);
    requireShape(admin.get(V1 + "predictions/" + UUID.randomUUID()), 404);
    requireShape(admin.post(DRAFT, fox(), "Content-Type", "text/plain"), 415);
    requireShape(rigUser("poor").post(DRAFT, fox()), 402);
  }

  private static Caller rigUser(String user) {
    return caller("Bearer " + rig.newSecret("user", user));
  }

  @Test
  void hostile_bodies_are_refused_in_shape() {
    String many =
        IntStream.range(0, 10_000)
            .mapToObj(i -> "\"p" + i + "\":1")
            .collect(Collectors.joining(","));
    Told told = admin.post(DRAFT, fox(many));
    requireShape(told, 422);
    assertThat(told.json().path("invalid_fields").size()).isBetween(1, 20);

    String huge = "data:image/png;base64," + "A".repeat(50 << 20);
    requireShape(
        admin.post(V1 + "models/keep/picture/predictions", fox("\"image\":\"" + huge + "\"")), 413);
    requireShape(
        admin.post(V1 + "models/keep/picture/predictions", fox("\"image\":\"data:,x\"")), 422);
    requireShape(
        admin.post(
            V1 + "models/keep/picture/predictions", fox("\"image\":\"data:image/png;base64,!!!\"")),
        422);
    requireShape(
        admin.post(
            V1 + "models/keep/picture/predictions",
            fox("\"image\":\"http://169.254.169.254/latest\"")),
        422);
    byte[] broken = "{\"input\":{\"prompt\":\"\u00e9\"}}".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(admin.send("POST", DRAFT, broken).status()).isIn(400, 422);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--x\r\nContent-Disposition: form-data; name=\"content\"; filename=\"a\"\r\n\r\nno end",
        "--x\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\nno content\r\n--x--",
        "--x\r\nContent-Disposition: form-data; name=\"content\"; filename=\"a\"\r\n\r\n\r\n--x--",
        "--x\r\nContent-Disposition: form-data; name=\"content\"; filename=\"a.png\"\r\n"
            + "Content-Type: image/png\r\n\r\nno picture\r\n--x--",
        "nothing of a form"
      })
  void a_form_that_is_none_is_refused_in_shape(String form) {
    Told told =
        admin.send(
            "POST",
            V1 + "files",
            form.getBytes(StandardCharsets.UTF_8),
            "Content-Type",
            "multipart/form-data; boundary=x");
    requireShape(told, told.status());
    assertThat(told.status()).isIn(400, 422);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://127.0.0.1:1/x", "http://[::1]/x", "ftp://a.example/", "nothing"})
  void a_webhook_that_leads_inside_is_refused(String url) {
    requireShape(
        admin.post(DRAFT, "{\"input\":{\"prompt\":\"a\"},\"webhook\":\"%s\"}".formatted(url)), 422);
  }

  @Test
  void other_events_than_there_are_cant_be_asked_for() {
    requireShape(
        admin.post(DRAFT, "{\"input\":{\"prompt\":\"a\"},\"webhook_events_filter\":[\"never\"]}"),
        422);
  }

  @Test
  void a_prediction_is_a_job_of_the_api_and_says_its_door() {
    String id = admin.post(DRAFT, fox(), "Prefer", "wait").expect(201).at("/id");
    assertThat(rig.as("admin").job(id).at("/dialect")).isEqualTo("replicate");
    List<String> seen = new ArrayList<>(ids(admin.get(V1 + "predictions").json()));
    assertThat(seen).contains(id);
  }
}
