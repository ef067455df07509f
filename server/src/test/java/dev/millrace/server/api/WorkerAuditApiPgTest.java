package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.FleetRig;
import dev.millrace.server.rig.FleetRig.Work;
import dev.millrace.server.rig.FleetRig.Worker;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each call of a worker is on record, and once (docs/adr/0017). */
class WorkerAuditApiPgTest {

  @TempDir Path folder;
  private ServerRig rig;
  private Worker worker;

  @BeforeEach
  void start() {
    rig = FleetRig.start(folder);
    worker = FleetRig.worker(rig.admin(), "painter", 5, "upscale");
  }

  @AfterEach
  void stop() {
    rig.examine();
    rig.close();
  }

  @Test
  void joining_and_leaving_are_lines_of_the_audit() {
    worker.call("deregister", "").expect(204);
    assertThat(audit())
        .isEqualTo(
            "worker:painter worker.register painter,worker:painter worker.deregister painter");
  }

  @Test
  void how_an_attempt_ended_is_a_line_of_the_job_that_names_the_worker() {
    Work completed = leased();
    completed.complete("x").expect(200);
    Work failed = leased();
    failed.tell("fail", "\"error_class\":\"permanent\",\"message\":\"out of paint\"").expect(200);
    Work requeued = leased();
    requeued.tell("requeue", "\"reason\":\"spot\"").expect(200);
    Work canceled = worker.lease();
    rig.admin().post("/api/jobs/" + canceled.id() + "/cancel", "").expect(200);
    canceled.tell("canceled").expect(200);

    assertThat(attempts(completed)).isEqualTo("painter completed");
    assertThat(events(completed)).isEqualTo("submit,lease,complete");
    assertThat(attempts(failed)).isEqualTo("painter failed");
    assertThat(events(failed)).isEqualTo("submit,lease,permanent_error");
    assertThat(requeued.id()).isEqualTo(canceled.id());
    assertThat(attempts(canceled)).isEqualTo("painter requeued,painter canceled");
    assertThat(events(canceled)).isEqualTo("submit,lease,requeue,lease,cancel,cancel_acknowledged");
    assertThat(audit()).isEqualTo("worker:painter worker.register painter");
  }

  @Test
  void a_poll_without_a_job_and_a_heartbeat_are_counted_and_leave_no_line() {
    worker.poll(1, 0).expect(200);
    Work work = leased();
    String before = events(work);
    work.tell("heartbeat").expect(200);
    work.tell("heartbeat").expect(200);
    assertThat(events(work)).isEqualTo(before);
    assertThat(audit()).isEqualTo("worker:painter worker.register painter");

    work.complete("x").expect(200);
    work.tell("heartbeat").problem(409, "stale_lease");
    assertThat(rig.withoutKey().get("/metrics").expect(200).text())
        .contains("millrace_worker_calls_total{call=\"poll\",outcome=\"answered\"} 2.0")
        .contains("millrace_worker_calls_total{call=\"heartbeat\",outcome=\"answered\"} 2.0")
        .contains("millrace_worker_calls_total{call=\"heartbeat\",outcome=\"refused\"} 1.0")
        .contains("millrace_worker_calls_total{call=\"complete\",outcome=\"answered\"} 1.0");
  }

  private Work leased() {
    rig.admin().asked("upscale/one", "\"prompt\":\"x\"");
    return worker.lease();
  }

  private String audit() {
    return rig.ask(
        "select string_agg(actor || ' ' || action || ' ' || target, ',' order by id) from audit"
            + " where actor like 'worker:%'");
  }

  private String attempts(Work work) {
    return rig.ask(
        "select string_agg(worker || ' ' || outcome, ',' order by number) from attempt where job_id = '%s'"
            .formatted(work.id()));
  }

  private String events(Work work) {
    return rig.ask(
        "select string_agg(trigger, ',' order by seq) from job_event where job_id = '%s' and trigger is not null"
            .formatted(work.id()));
  }
}
