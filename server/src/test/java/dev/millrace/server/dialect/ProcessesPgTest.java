package dev.millrace.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.HookSink;
import dev.millrace.server.rig.Sse;
import dev.millrace.testkit.net.Reply;
import dev.millrace.testkit.net.Request;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Walks through seed 004, a backend's jobs and processes, section by section. */
class ProcessesPgTest {

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

  private static String slow(String more) {
    return admin
        .post(
            "/api/jobs",
            "{\"effect\":\"sketch/draft\",\"input\":{\"prompt\":\"a fox\",\"delay_seconds\":60}%s}"
                .formatted(more))
        .expect(201)
        .at("/id");
  }

  private static void cancel(String id) {
    admin.post("/api/processes/" + id + "/cancel", "").expect(200);
    rig.await(id, "cancelled");
  }

  @Test
  void what_a_model_or_its_stand_in_makes_waits_for_review_and_the_approved_items_are_imported() {
    Answer made =
        rig.asked(
            "ai-location-import-generate",
            "\"prompt\":\"museums in Lisbon\",\"count\":4",
            ",\"workspace\":\"17\",\"related\":{\"type\":\"batch\",\"id\":\"42\"}");
    String id = made.at("/id");
    JsonNode waiting = rig.await(id, "waiting_review").json();
    assertThat(waiting.path("type").asString()).isEqualTo("ai_location_import_generate");
    assertThat(waiting.path("progress_percent").asInt()).isGreaterThanOrEqualTo(90);
    assertThat(waiting.path("workspace_id").isNumber()).isTrue();
    assertThat(waiting.path("workspace_id").asInt()).isEqualTo(17);
    assertThat(waiting.path("related_type").asString()).isEqualTo("batch");
    assertThat(waiting.path("related_id").asInt()).isEqualTo(42);
    assertThat(waiting.path("finished_at").isNull()).isTrue();
    assertThat(waiting.at("/summary/items").asInt()).isEqualTo(4);
    assertThat(waiting.at("/input_payload/count").asInt()).isEqualTo(4);
    assertThat(waiting.path("data").path("id").asString()).isEqualTo(id);

    JsonNode items = admin.get("/api/jobs/" + id + "/items").expect(200).json().path("items");
    assertThat(items).hasSize(4);
    String three =
        String.join(
            ",",
            IntStream.range(0, 3)
                .mapToObj(i -> "\"" + items.path(i).path("id").asString() + "\"")
                .toList());
    admin
        .post(
            "/api/jobs/" + id + "/approve",
            "{\"items\":[%s],\"decline_rest\":true}".formatted(three))
        .expect(200);

    String applying = admin.job(id).at("/follow_up_id");
    JsonNode done = rig.await(applying, "completed").json();
    assertThat(done.path("type").asString()).isEqualTo("ai_location_import_apply");
    assertThat(done.path("progress_percent").asInt()).isEqualTo(100);
    assertThat(done.path("workspace_id").asInt()).isEqualTo(17);
    assertThat(done.at("/summary/imported").asInt()).isEqualTo(3);
    assertThat(done.at("/summary/failed").asInt()).isZero();
    assertThat(done.at("/summary/skipped").asInt()).isEqualTo(1);
    assertThat(done.at("/summary/tags_created").isNumber()).isTrue();
    assertThat(done.at("/summary/categories_created").isNumber()).isTrue();
    assertThat(done.path("finished_at").isNull()).isFalse();
    IntStream.range(0, 3)
        .forEach(
            i -> assertThat(rig.product.taken()).containsKey(items.path(i).path("id").asString()));
    Request call = Objects.requireNonNull(rig.product.lastCall());
    assertThat(HookSink.accepts(rig.secret, call)).isTrue();
    assertThat(call.body().text()).contains("\"transfer.items\"").contains("\"workspace\":\"17\"");
  }

  @Test
  void records_that_were_improved_are_applied_after_review() {
    String id =
        rig.asked(
                "ai-location-improvement-generate",
                "\"prompt\":\"shorter names\",\"records\":[{\"id\":7,\"name\":\" The Old Mill \"}]",
                "")
            .at("/id");
    rig.await(id, "waiting_review");
    admin.post("/api/jobs/" + id + "/approve", "{}").expect(200);
    String applying = admin.job(id).at("/follow_up_id");
    assertThat(rig.await(applying, "completed").at("/summary/applied")).isEqualTo("1");
    String item = admin.get("/api/jobs/" + id + "/items").at("/items/0/id");
    assertThat(rig.product.row(item).path("id").asInt()).isEqualTo(7);
    assertThat(rig.product.row(item).path("name").asString()).isEqualTo("The Old Mill");
  }

  @Test
  void the_history_is_read_by_after_id_without_gaps_and_has_what_an_event_has() {
    String id = admin.submitted();
    rig.await(id, "completed");
    JsonNode all = admin.get("/api/processes/" + id + "/events").expect(200).json().path("data");
    assertThat(all.path(0).path("type").asString()).isEqualTo("queued");
    assertThat(all.path(0).path("status").asString()).isEqualTo("queued");
    JsonNode last = all.path(all.size() - 1);
    assertThat(last.path("type").asString()).isEqualTo("completed");
    assertThat(last.path("progress_percent").asInt()).isEqualTo(100);
    assertThat(last.path("payload").path("style").isString()).isTrue();
    assertThat(last.path("process_id").asString()).isEqualTo(id);
    List<Integer> ids = all.values().stream().map(event -> event.path("id").asInt()).toList();
    assertThat(ids).isEqualTo(IntStream.rangeClosed(1, all.size()).boxed().toList());
    JsonNode rest =
        admin.get("/api/processes/" + id + "/events?after_id=2").expect(200).json().path("data");
    assertThat(rest).hasSize(all.size() - 2);
    assertThat(rest.path(0).path("id").asInt()).isEqualTo(3);
  }

  @Test
  void a_stream_ends_where_the_process_does_and_whoever_comes_back_misses_nothing()
      throws Exception {
    String id = admin.submitted("\"delay_seconds\":3");
    List<Integer> seen = new ArrayList<>();
    String path = "/api/processes/" + id + "/stream";
    try (Sse first = admin.stream(path)) {
      assertThat(first.header("content-type"))
          .hasValueSatisfying(it -> assertThat(it).startsWith("text/event-stream"));
      assertThat(first.header("cache-control")).contains("no-cache, no-transform");
      assertThat(first.header("x-accel-buffering")).contains("no");
      Sse.Frame event = first.nextEvent().orElseThrow();
      assertThat(event.event()).isEqualTo("process-event");
      assertThat(event.json().path("status").asString()).isEqualTo("queued");
      seen.add(event.json().path("id").asInt());
    }
    try (Sse second = admin.stream(path + "?after_id=" + seen.getLast())) {
      second.toTheEnd().forEach(event -> seen.add(event.json().path("id").asInt()));
    }
    assertThat(seen).isEqualTo(IntStream.rangeClosed(1, seen.size()).boxed().toList());
    assertThat(rig.process(id).at("/status")).isEqualTo("completed");
    try (Sse over = admin.stream(path + "?after_id=" + seen.getLast())) {
      assertThat(over.status()).isEqualTo(200);
      assertThat(over.toTheEnd()).isEmpty();
    }
  }

  @Test
  void a_stream_of_what_runs_on_ends_after_25_seconds() throws Exception {
    String id = slow("");
    long begun = System.nanoTime();
    try (Sse stream = admin.stream("/api/processes/" + id + "/stream")) {
      assertThat(stream.toTheEnd()).isNotEmpty();
    }
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    assertThat(took).isBetween(Duration.ofSeconds(24), Duration.ofSeconds(35));
    assertThat(rig.process(id).at("/status")).isIn("queued", "running");
    cancel(id);
  }

  @Test
  void the_list_has_thirty_of_the_workspace_and_the_active_ones_first() {
    String active = slow(",\"workspace\":\"88\"");
    for (int i = 0; i < 31; i++) {
      admin
          .post(
              "/api/jobs",
              "{\"effect\":\"sketch/draft\",\"workspace\":\"88\",\"input\":{\"prompt\":\"x\"},"
                  + "\"run_at\":\"2199-01-01T00:00:00Z\"}")
          .expect(201);
    }
    JsonNode all = admin.get("/api/jobs?workspace=88&limit=500").json().path("items");
    all.values().stream()
        .map(job -> job.path("id").asString())
        .filter(id -> !id.equals(active))
        .forEach(id -> admin.post("/api/processes/" + id + "/cancel", "").expect(200));

    JsonNode listed = admin.get("/api/processes?workspace_id=88").expect(200).json().path("data");
    assertThat(listed).hasSize(30);
    assertThat(listed.path(0).path("id").asString()).isEqualTo(active);
    assertThat(listed.path(1).path("status").asString()).isEqualTo("cancelled");
    assertThat(listed.path(0).path("workspace_id").asInt()).isEqualTo(88);
    assertThat(listed.path(0).has("input_payload")).isFalse();

    // The engine's own list has the order too, page by page.
    List<String> walked = new ArrayList<>();
    String cursor = "";
    while (!cursor.equals("end")) {
      Answer page =
          admin.get("/api/jobs?workspace=88&order=active_first&limit=9" + cursor).expect(200);
      page.json().path("items").values().forEach(job -> walked.add(job.path("id").asString()));
      String next = page.at("/next_cursor");
      cursor = next.isEmpty() ? "end" : "&cursor=" + next;
    }
    assertThat(walked).hasSize(32).doesNotHaveDuplicates();
    assertThat(walked.getFirst()).isEqualTo(active);
    cancel(active);
  }

  @Test
  void a_failed_process_is_done_again_as_a_new_record_with_its_summary_and_payload() {
    rig.product.mood((call, answer) -> call == 2 ? Reply.text(422, "no") : answer);
    String table = "name,category\n" + "place,a\n".repeat(30);
    String file = rig.brought("a.csv", "text/csv", table.getBytes(StandardCharsets.UTF_8));
    String id =
        rig.asked(
                "csv-location-import",
                "\"file\":\"%s\",\"chunk\":10".formatted(file),
                ",\"workspace\":\"5\",\"related\":{\"type\":\"batch\",\"id\":\"9\"}")
            .at("/id");
    Answer failed = rig.await(id, "failed");
    assertThat(failed.at("/error_message")).contains("422");
    assertThat(failed.at("/finished_at")).isNotBlank();
    assertThat(failed.at("/summary/imported")).isEqualTo("10");

    Answer again = admin.post("/api/processes/" + id + "/retry", "").expect(201);
    assertThat(again.at("/id")).isNotEqualTo(id);
    assertThat(again.at("/retry_of")).isEqualTo(id);
    for (String field :
        List.of("/workspace_id", "/type", "/queue", "/related_type", "/related_id")) {
      assertThat(again.at(field)).isEqualTo(failed.at(field));
    }
    assertThat(again.json().path("input_payload")).isEqualTo(failed.json().path("input_payload"));
    Answer first = admin.get("/api/processes/" + again.at("/id") + "/events").expect(200);
    assertThat(first.json().at("/data/0/payload")).isEqualTo(failed.json().path("summary"));

    Answer done = rig.await(again.at("/id"), "completed");
    assertThat(done.at("/summary/imported")).isEqualTo("30");
    // It went on where the first one had stopped: the chunk that was refused came twice.
    assertThat(
            rig.product.taken().keySet().stream().filter(key -> key.startsWith(id + "-")).count())
        .isEqualTo(30);
    assertThat(rig.process(id).at("/status")).isEqualTo("failed");
    // The engine's own retry does so where it is asked to, and not otherwise.
    for (boolean copied : List.of(true, false)) {
      String own =
          admin
              .post(
                  "/api/jobs/" + id + "/retry",
                  "{\"copy_summary\":%s,\"idempotency_key\":\"again-%s\"}"
                      .formatted(copied, copied))
              .expect(201)
              .at("/id");
      assertThat(admin.get("/api/jobs/" + own + "/events").json().at("/items/0/summary").isEmpty())
          .isEqualTo(!copied);
      rig.await(own, "completed");
    }
    admin
        .post("/api/processes/" + again.at("/id") + "/retry", "")
        .problem(409, "transition_denied");
  }

  @Test
  void what_is_queued_runs_or_waits_is_cancelled_and_what_is_over_is_not() {
    String queued =
        admin
            .post(
                "/api/jobs",
                "{\"effect\":\"sketch/draft\",\"input\":{\"prompt\":\"x\"},\"run_at\":\"2199-01-01T00:00:00Z\"}")
            .expect(201)
            .at("/id");
    assertThat(admin.post("/api/processes/" + queued + "/cancel", "").expect(200).at("/status"))
        .isEqualTo("cancelled");
    String running = slow("");
    rig.await(running, "running");
    cancel(running);
    String waiting =
        rig.asked("ai-location-import-generate", "\"prompt\":\"parks\",\"count\":1", "").at("/id");
    rig.await(waiting, "waiting_review");
    cancel(waiting);
    admin.post("/api/processes/" + waiting + "/cancel", "").problem(409, "transition_denied");
    // What was cancelled is not done again here; only what failed is.
    admin.post("/api/processes/" + waiting + "/retry", "").problem(409, "transition_denied");
    JsonNode events =
        admin.get("/api/processes/" + waiting + "/events").expect(200).json().path("data");
    assertThat(events.path(events.size() - 1).path("type").asString()).isEqualTo("cancelled");
  }

  @Test
  void everything_is_scoped_to_its_user_and_mistakes_are_told_in_this_dialects_shape() {
    String id = admin.submitted();
    Client stranger = rig.rig.boundTo("stranger");
    stranger.get("/api/processes/" + id).problem(404, "not_found");
    stranger.get("/api/processes/" + id + "/events").problem(404, "not_found");
    stranger.post("/api/processes/" + id + "/cancel", "").problem(404, "not_found");
    assertThat(stranger.get("/api/processes").expect(200).json().path("data")).isEmpty();
    rig.rig.withoutKey().get("/api/processes").expect(401);

    Answer refused = admin.get("/api/processes/" + id + "/events?after_id=x");
    refused.problem(422, "invalid_request");
    assertThat(refused.at("/message")).isNotBlank();
    assertThat(refused.at("/errors/after_id/0")).startsWith("must be a whole number");
    assertThat(admin.get("/api/processes/none").problem(404, "not_found").at("/message"))
        .isNotBlank();
    rig.await(id, "completed");
  }
}
