package dev.millrace.cli.command.admin;

import static dev.millrace.cli.fake.FakeServer.json;
import static dev.millrace.cli.fake.FakeServer.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.fake.Cli;
import dev.millrace.cli.fake.Cli.Result;
import dev.millrace.cli.fake.FakeServer;
import dev.millrace.testkit.outside.StandardSignature;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Webhooks from the command line, and events forwarded to a program on this machine. */
class WebhooksCommandTest {

  private static final String PATH = "/api/admin/webhooks";
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String WEBHOOK =
      """
      {"id":"w1","url":"https://example.com/hooks","description":null,
       "events":["job.completed","job.failed"],"enabled":true,"disabled_at":null,
       "disabled_for":null,"failing_since":null,"secret_number":1,
       "previous_secret_until":null,"created_at":"2026-01-01T00:00:00Z"}
      """;
  private static final String DELIVERY =
      """
      {"id":"msg_1","type":"job.completed","job_id":null,"state":"delivered","attempts":1,
       "status":200,"error":null,"created_at":"2026-01-01T00:00:00Z","next_attempt_at":null,
       "finished_at":null}
      """;
  private static final String DETAIL =
      DELIVERY.replace(
          "null}",
          """
          null,"payload":{"type":"job.completed"},"log":[{"number":1,
           "sent_at":"2026-01-01T00:00:00Z","millis":7,"status":200,"error":null,
           "excerpt":"thanks"}]}\
          """);

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
  void the_list_shows_where_and_what() {
    server.on("GET " + PATH, json(200, "{\"items\":[%s]}".formatted(WEBHOOK)));
    for (Result listed : new Result[] {cli.run("webhooks"), cli.run("webhooks", "list")}) {
      assertThat(listed.out())
          .contains("w1", "enabled", "https://example.com/hooks", "job.completed, job.failed");
      assertThat(listed.exit()).isZero();
    }
  }

  @Test
  void a_new_endpoint_prints_its_secret_and_nothing_else() {
    server.on(
        "POST " + PATH,
        json(201, WEBHOOK.replaceFirst("\\{", "{\"secret\":\"%s\",".formatted(SECRET))));
    Result added =
        cli.run("webhooks", "add", "https://example.com/hooks", "--events", "job.completed,*");

    assertThat(added.out()).isEqualTo(SECRET + "\n");
    assertThat(server.seen().getLast().body())
        .isEqualTo("{\"url\":\"https://example.com/hooks\",\"events\":[\"job.completed\",\"*\"]}");
  }

  @Test
  void each_verb_is_one_call() {
    for (String verb : new String[] {"enable", "disable"}) {
      server.on("POST " + PATH + "/w1/" + verb, json(200, WEBHOOK));
      assertThat(cli.run("webhooks", verb, "w1").err()).contains("Webhook w1 is " + verb);
    }
    server.on(
        "POST " + PATH + "/w1/rotate",
        json(200, WEBHOOK.replaceFirst("\\{", "{\"secret\":\"%s\",".formatted(SECRET))));
    assertThat(cli.run("webhooks", "rotate", "w1", "--overlap", "60").out())
        .isEqualTo(SECRET + "\n");
    assertThat(server.seen().getLast().body()).isEqualTo("{\"overlap_seconds\":60}");
    server.on("DELETE " + PATH + "/w1", json(204, ""));
    assertThat(cli.run("webhooks", "remove", "w1", "--yes").exit()).isZero();
    server.on("POST " + PATH + "/w2/enable", problem(404, "not_found", "Nothing here."));
    assertThat(cli.run("webhooks", "enable", "w2").err()).contains("There is no webhook w2.");
  }

  @Test
  void a_test_waits_for_its_answer() {
    server.on(
        "POST " + PATH + "/w1/test", json(202, DELIVERY.replace("\"delivered\"", "\"pending\"")));
    server.on(
        "GET " + PATH + "/w1/deliveries/msg_1",
        json(200, DETAIL.replace("\"delivered\"", "\"pending\"")),
        json(200, DETAIL));
    Result tested = cli.run("webhooks", "test", "w1");

    assertThat(tested.out()).isEqualTo("delivered: 200 in 7 ms\n");
    assertThat(tested.exit()).isZero();
  }

  @Test
  void a_test_that_the_endpoint_does_not_take_has_failed_and_was_not_refused() {
    server.on("POST " + PATH + "/w1/test", json(202, DELIVERY));
    server.on(
        "GET " + PATH + "/w1/deliveries/msg_1",
        json(200, DETAIL.replace("\"delivered\"", "\"failed\"")));
    assertThat(cli.run("webhooks", "test", "w1").exit()).isEqualTo(3);
  }

  @Test
  void deliveries_are_listed_shown_and_sent_again() {
    server.on(
        "GET " + PATH + "/w1/deliveries",
        json(200, "{\"items\":[%s],\"next_cursor\":null}".formatted(DELIVERY)));
    assertThat(cli.run("webhooks", "deliveries", "w1", "--state", "delivered").out())
        .contains("msg_1", "job.completed", "200");
    server.on("GET " + PATH + "/w1/deliveries/msg_1", json(200, DETAIL));
    assertThat(cli.run("webhooks", "deliveries", "w1", "msg_1").out())
        .contains("{\"type\":\"job.completed\"}", "thanks");
    server.on("POST " + PATH + "/w1/deliveries/msg_1/redeliver", json(202, DELIVERY));
    assertThat(cli.run("webhooks", "redeliver", "w1", "msg_1").exit()).isZero();
    server.on("POST " + PATH + "/w1/redeliver", json(202, "{\"deliveries\":3}"));
    assertThat(
            cli.run("webhooks", "redeliver", "w1", "--failed-since", "2026-01-01T00:00:00Z").err())
        .contains("3 deliveries");
    assertThat(cli.run("webhooks", "redeliver", "w1").exit()).isEqualTo(2);
  }

  @Test
  void events_are_forwarded_signed_and_printed_with_the_answer() {
    server.on(
        "GET /api/admin/events",
        json(200, "{\"items\":[],\"next_cursor\":\"c0\"}"),
        json(
            200,
            """
            {"items":[
              {"id":"msg_1","payload":{"type":"job.completed","timestamp":"2026-03-01T12:00:00Z",
                "data":{"job_id":"j1"}}},
              {"id":"msg_2","payload":{"type":"job.failed","timestamp":"2026-03-01T12:00:00Z",
                "data":{"job_id":"j2"}}}],
             "next_cursor":"c1"}
            """));
    server.on("POST /hooks", json(200, "{}"), json(500, "{}"));
    Result heard =
        cli.run(
            "listen",
            "--forward-to",
            server.url() + "/hooks",
            "--secret",
            SECRET,
            "--events",
            "*",
            "--count",
            "2");

    assertThat(heard.exit()).isZero();
    assertThat(heard.out()).contains("job.completed  j1  200", "job.failed  j2  500");
    FakeServer.Seen first = server.seen("POST /hooks").getFirst();
    assertThat(first.header("Webhook-id")).isEqualTo("msg_1");
    assertThat(first.header("Webhook-signature"))
        .isEqualTo(
            StandardSignature.of(SECRET, "msg_1", first.header("Webhook-timestamp"), first.body()));
    assertThat(server.seen("GET /api/admin/events").getLast().query())
        .contains("cursor=c0", "events=*");
  }

  @Test
  void a_target_that_is_no_url_is_a_typing_mistake() {
    assertThat(cli.run("listen", "--forward-to", "localhost:3000").exit()).isEqualTo(2);
    assertThat(cli.run("listen").exit()).isEqualTo(2);
  }
}
