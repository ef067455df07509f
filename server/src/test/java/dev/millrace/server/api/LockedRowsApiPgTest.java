package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ConsoleRig;
import dev.millrace.server.rig.FleetRig;
import dev.millrace.server.rig.Guest;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody holds rows, such as a person with a tool for databases who forgot to commit. */
class LockedRowsApiPgTest {

  @TempDir static Path folder;
  private static ServerRig rig;

  @BeforeAll
  static void start() {
    rig = ConsoleRig.start(folder);
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  private static Connection hold(String rows) throws SQLException {
    Connection connection = rig.database().connect();
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("select 1 from " + rows + " for update");
    }
    return connection;
  }

  @Test
  void a_key_whose_row_is_held_opens_what_it_opened_and_its_use_is_noted_later() throws Exception {
    Client ada = rig.boundTo("ada");
    try (Connection _ = hold("api_key")) {
      ada.get("/api/jobs").expect(200);
      ada.get("/api/effects").expect(200);
    }
    ada.get("/api/jobs").expect(200);
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> {
          ada.get("/api/jobs").expect(200);
          return rig.ask(
                  "select count(*) from api_key where user_id = 'ada' and last_used_at is null")
              .equals("0");
        });
  }

  @Test
  void a_session_whose_row_is_held_goes_on_and_lasts_longer_later() throws Exception {
    Guest guest = rig.console().guest(rig.key());
    rig.database().execute("update console_pass set expires_at = expires_at - interval '1 hour'");
    try (Connection _ = hold("console_pass")) {
      assertThat(guest.get("/console/jobs").statusCode()).isEqualTo(200);
      assertThat(rig.console().guest(rig.key()).get("/console/jobs").statusCode()).isEqualTo(200);
    }
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> {
          assertThat(guest.get("/console/jobs").statusCode()).isEqualTo(200);
          return rig.ask(
                  """
                  select count(*)
                  from console_pass
                  where expires_at < clock_timestamp() + interval '11 hours 30 minutes'
                  """)
              .equals("0");
        });
  }

  @Test
  void a_worker_whose_row_is_held_is_answered_when_it_says_that_it_is_not_ready() throws Exception {
    FleetRig.Worker worker = FleetRig.worker(rig.admin(), "held", 1, "upscale");
    String ill = "{\"wait\":0,\"ready\":false,\"reason\":\"no disk\"}";
    try (Connection _ = hold("worker")) {
      worker.call("poll", ill).expect(200);
    }
    worker.call("poll", ill).expect(200);
    assertThat(rig.admin().get("/api/admin/workers/held").expect(200).at("/not_ready_reason"))
        .isEqualTo("no disk");
  }

  @Test
  void a_node_on_which_no_submit_succeeds_for_seconds_is_not_ready() throws Exception {
    List<String> users = List.of("bob", "eve", "kim");
    for (String user : users) {
      rig.credit(user, 100);
      rig.admin().askedAs(user, "sketch/draft", "\"prompt\":\"before\"");
    }
    AtomicBoolean over = new AtomicBoolean();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        AutoCloseable _ = () -> over.set(true)) {
      try (Connection _ = hold("share")) {
        for (String user : users) {
          threads.execute(() -> submitUntil(over, user));
        }
        await().atMost(Duration.ofSeconds(20)).until(() -> ready().status() == 503);
        assertThat(ready().text()).contains("submit");
      }
      await().atMost(Duration.ofSeconds(20)).until(() -> ready().status() == 200);
    }
  }

  private static void submitUntil(AtomicBoolean over, String user) {
    Client client = rig.boundTo(user);
    while (!over.get()) {
      client.post(
          "/api/jobs",
          "{\"effect\":\"sketch/draft\",\"input\":{\"prompt\":\"x\"},\"run_at\":\"2099-01-01T00:00:00Z\"}");
    }
  }

  private static Answer ready() {
    return rig.withoutKey().get("/readyz");
  }
}
