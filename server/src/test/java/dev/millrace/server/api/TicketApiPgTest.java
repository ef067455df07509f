package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.MillraceServer;
import dev.millrace.server.logging.Logging;
import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.server.rig.Sse;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tickets open one stream, once, for whoever can send no header. */
class TicketApiPgTest {

  @TempDir static Path folder;

  private static ServerRig rig;
  private static Client admin;
  private static Client nobody;

  @BeforeAll
  static void start() {
    rig = ServerRig.start(folder, "EXECUTOR_SLOTS=1");
    admin = rig.admin();
    nobody = rig.withoutKey();
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  private static String ticket(Client by, String path) {
    return by.post("/api/tickets", "{\"path\":\"%s\"}".formatted(path)).expect(201).at("/ticket");
  }

  private static Answer refused(String path, String ticket) {
    return nobody.get(path + "?ticket=" + ticket).problem(401, "bad_ticket");
  }

  @Test
  void a_ticket_opens_its_stream_once_on_any_node() throws Exception {
    Client anna = rig.boundTo("anna");
    rig.credit("anna", 100);
    Client page = admin.with(anna.post("/api/user-tokens", "{}").expect(201).at("/token"));
    String path = "/api/jobs/" + page.submitted() + "/stream";
    String ticket = ticket(page, path);
    try (MillraceServer other = rig.another("EXECUTOR_SLOTS=0")) {
      Client elsewhere = new Client(nobody.http(), other.url(), null);

      try (Sse stream = elsewhere.stream(path + "?ticket=" + ticket + "&after_id=0")) {
        assertThat(stream.status()).isEqualTo(200);
        assertThat(stream.toTheEnd().getLast().json().path("state").asString())
            .isEqualTo("completed");
      }
    }
    refused(path, ticket);
  }

  @Test
  void a_misspelt_parameter_is_refused_before_the_ticket_is_used_up() {
    String path = "/api/jobs/" + admin.submitted() + "/stream";
    String ticket = ticket(admin, path);
    assertThat(
            nobody
                .get(path + "?ticket=" + ticket + "&afterid=3")
                .problem(422, "invalid_request")
                .at("/errors/0/path"))
        .isEqualTo("afterid");
    nobody.get(path + "?ticket=" + ticket + "&after_id=0").expect(200);
    // Elsewhere a ticket says nothing, and who is nobody hears of that first.
    nobody.get("/api/jobs?ticket=" + ticket + "&afterid=3").problem(401, "unauthenticated");
  }

  @Test
  void of_many_who_bring_the_same_ticket_one_is_let_in() throws Exception {
    String path = "/api/jobs/" + admin.submitted() + "/stream";
    admin.awaitJob(path.split("/", -1)[3], "completed");
    String ticket = ticket(admin, path);

    List<Integer> statuses =
        Together.times(12, _ -> nobody.get(path + "?ticket=" + ticket).status());

    assertThat(statuses).containsOnlyOnce(200).containsOnly(200, 401);
  }

  @Test
  void a_ticket_is_for_one_path_and_not_for_what_its_holder_may_not_see() {
    String id = admin.submitted();
    String path = "/api/jobs/" + id + "/stream";
    String other = "/api/jobs/" + UUID.randomUUID() + "/stream";

    String strangers = ticket(rig.boundTo("ben"), path);
    nobody.get(path + "?ticket=" + strangers).problem(404, "not_found");
    refused(path, ticket(admin, other));
    refused(path, "none");
    nobody.get("/api/jobs/" + id + "?ticket=" + ticket(admin, path)).expect(401);
    admin.post("/api/tickets", "{\"path\":\"/api/jobs\"}").problem(422, "invalid_request");
  }

  @Test
  void a_ticket_is_no_good_when_it_is_old_or_its_holder_has_ended() {
    String path = "/api/jobs/" + admin.submitted() + "/stream";
    String old = ticket(admin, path);
    rig.ask(
        "with old as (update stream_ticket set expires_at = now() - interval '1 second'"
            + " returning 1) select count(*) from old");
    refused(path, old);

    Answer minted = admin.post("/api/user-tokens", "{\"user\":\"default\"}").expect(201);
    String orphan = ticket(admin.with(minted.at("/token")), path);
    admin.delete("/api/user-tokens/" + minted.at("/id")).expect(204);
    refused(path, orphan);

    var key = rig.newKey("user", "");
    String keyless = ticket(admin.with(key.path("secret").asString()), path);
    admin.delete("/api/admin/keys/" + key.path("id").asString()).expect(204);
    refused(path, keyless);
  }

  @Test
  void a_stream_under_way_goes_on_when_its_token_ends() throws Exception {
    Answer minted = admin.post("/api/user-tokens", "{\"user\":\"default\"}").expect(201);
    Client page = admin.with(minted.at("/token"));
    String id = page.submitted("\"delay_seconds\":2");
    try (Sse stream = page.stream("/api/jobs/" + id + "/stream")) {
      stream.nextEvent();
      admin.delete("/api/user-tokens/" + minted.at("/id")).expect(204);

      assertThat(stream.toTheEnd().getLast().json().path("state").asString())
          .isEqualTo("completed");
    }
  }

  @Test
  void a_ticket_opens_the_stream_of_a_batch_too() throws Exception {
    String id =
        admin
            .post("/api/batches", "{\"mode\":\"partial\",\"jobs\":[%s]}".formatted(Client.draft()))
            .expect(201)
            .at("/id");
    String path = "/api/batches/" + id + "/stream";

    try (Sse stream = nobody.stream(path + "?ticket=" + ticket(admin, path))) {
      assertThat(stream.toTheEnd().getLast().json().at("/counts/completed").asInt()).isOne();
    }
  }

  @Test
  void no_line_of_the_log_has_a_ticket_or_a_token() throws Exception {
    String token =
        admin.post("/api/user-tokens", "{\"user\":\"default\"}").expect(201).at("/token");
    String path = "/api/jobs/" + admin.submitted() + "/stream";
    try (LogCapture log = new LogCapture(Logging.Look.JSON)) {
      String ticket = ticket(admin.with(token), path);
      nobody.get(path + "?ticket=" + ticket).expect(200);
      refused(path, ticket);
      nobody.get(path + "?ticket=" + ticket + "&ticket=" + ticket).expect(400);

      assertThat(log.lines()).noneMatch(line -> line.contains(ticket) || line.contains(token));
    }
  }
}
