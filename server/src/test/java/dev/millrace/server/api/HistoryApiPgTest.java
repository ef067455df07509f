package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.Database;
import dev.millrace.postgres.history.History;
import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of a job when its month is archived. */
class HistoryApiPgTest {

  @TempDir Path folder;

  private ServerRig rig;

  @BeforeEach
  void start() {
    rig = ServerRig.start(folder);
  }

  @AfterEach
  void stop() {
    rig.examine();
    rig.close();
  }

  @Test
  void an_archived_jobs_events_are_gone_and_the_job_its_receipt_and_its_files_are_not() {
    Client client = rig.admin();
    String id = client.post("/api/jobs", Client.draft()).expect(201).at("/id");
    Answer job = client.awaitJob(id, "completed");
    String last = client.get("/api/jobs/" + id + "/events").at("/last_event_id");
    archiveThisMonth();

    for (String path : new String[] {"/events", "/stream", "/events?after_id=1"}) {
      assertThat(
              client.get("/api/jobs/" + id + path).problem(410, "history_archived").at("/detail"))
          .contains("archived")
          .contains("still here");
    }
    client.get("/api/jobs/" + id + "/stream?after_id=" + last).expect(204);
    client.get("/api/jobs/" + id + "/events?after_id=" + last).expect(200);
    assertThat(client.get("/api/jobs/" + id).expect(200).at("/state")).isEqualTo("completed");
    assertThat(client.get("/api/jobs/" + id + "/receipt").expect(200).at("/captured"))
        .isEqualTo(rig.ask("select captured from job"));
    client.get("/api/files/" + job.at("/outputs/0/id")).expect(200);
  }

  @Test
  void the_duty_takes_out_what_is_older_than_the_retention() {
    rig.stop();
    rig.database()
        .execute(
            """
            alter table job_event detach partition job_event_first;
            do $$
            begin
                execute format(
                    'alter table job_event attach partition job_event_first
                     for values from (minvalue) to (%L)',
                    first_uuid(date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'
                        - interval '5 months'));
            end
            $$
            """);
    rig.restart("EXECUTOR_SLOTS=0", "HISTORY_RETENTION_MONTHS=5", "HISTORY_ARCHIVE=drop");
    Awaitility.await().until(() -> rig.ask("select count(*) from archive").equals("1"));
    assertThat(rig.ask("select to_regclass('job_event_first') is null")).isEqualTo("t");
  }

  private void archiveThisMonth() {
    var place = rig.database();
    try (Database database =
        Database.open(new Database.Access(place.jdbcUrl(), place.user(), place.password(), 4))) {
      History history = database.history();
      Awaitility.await()
          .until(() ->
              !history.archive(history.month().plusMonths(1), History.Disposal.KEEP).isEmpty());
    }
  }
}
