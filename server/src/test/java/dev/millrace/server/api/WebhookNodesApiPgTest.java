package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.MillraceServer;
import dev.millrace.server.rig.HookSink;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.testkit.net.Reply;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes come and go; each event is told, and told once while nobody dies. */
class WebhookNodesApiPgTest {

  private static final String PATH = "/api/admin/webhooks";
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir Path folder;

  private final HookSink sink = new HookSink();
  private ServerRig rig;
  private String webhook = "";

  @BeforeEach
  void start() {
    rig = ServerRig.start(folder, sink.allowed());
    webhook =
        rig.admin()
            .post(PATH, "{\"url\":\"%s\"}".formatted(sink.url("/hook")))
            .expect(201)
            .at("/id");
  }

  @AfterEach
  void stop() {
    rig.examine();
    rig.close();
    sink.close();
  }

  @Test
  void two_nodes_tell_everything_once() {
    try (MillraceServer other = rig.another(sink.allowed())) {
      assertThat(other.url()).isNotEqualTo(rig.admin().server());
      int jobs = 40;
      for (int i = 0; i < jobs; i++) {
        rig.admin().submitted();
      }
      await().atMost(PATIENCE).until(() -> sink.seen("/hook").size() >= jobs);
      await().atMost(PATIENCE).until(() -> pending().equals("0"));
      assertThat(sink.ids("/hook")).hasSize(jobs).doesNotHaveDuplicates();
    }
  }

  private String pending() {
    return rig.ask("select count(*) from webhook_delivery where state = 'pending'");
  }

  @Test
  void what_was_committed_before_the_server_stopped_is_told_by_the_next_one() throws Exception {
    try (Connection reader = rig.database().connect()) {
      reader.setAutoCommit(false);
      try (Statement statement = reader.createStatement()) {
        // As if the node that reads the log hung.
        statement.execute("select 1 from webhook_cursor for update");
      }
      String job = rig.admin().submitted();
      rig.admin().awaitJob(job, "completed");
      rig.stop();
      assertThat(rig.ask("select count(*) from webhook_delivery")).isEqualTo("0");
    }

    rig.restart(sink.allowed());
    await().atMost(PATIENCE).until(() -> sink.seen("/hook").size() >= 1);
  }

  @Test
  void a_server_that_stops_gives_back_what_it_was_sending() {
    sink.on("/hook", new Reply.Silence());
    rig.admin().submitted();
    await().atMost(PATIENCE).until(() -> sink.seen("/hook").size() >= 1);
    rig.stop();
    assertThat(rig.ask("select attempts from webhook_delivery")).isEqualTo("0");

    sink.on("/hook", Reply.empty(200));
    rig.restart(sink.allowed());
    await().atMost(PATIENCE).until(() -> sink.seen("/hook").size() >= 2);
    assertThat(sink.ids("/hook").getFirst()).isEqualTo(sink.ids("/hook").getLast());
  }

  @Test
  void a_node_that_can_not_sign_says_so_and_sends_nothing() {
    rig.restart(sink.allowed(), "SIGNING_SECRET=another-secret-that-is-long-enough-for-us");
    rig.admin().submitted();
    String log = PATH + "/" + webhook + "/deliveries";
    await()
        .atMost(PATIENCE)
        .until(() -> rig.admin().get(log).at("/items/0/error").contains("can't sign"));
    assertThat(sink.seen("/hook")).isEmpty();

    rig.admin().post(PATH + "/" + webhook + "/rotate", "").expect(200);
    rig.database().execute("update webhook_delivery set next_at = clock_timestamp()");
    await().atMost(PATIENCE).until(() -> sink.seen("/hook").size() >= 1);
  }
}
