package dev.millrace.worker.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.testkit.net.Reply;
import dev.millrace.worker.control.ControlPlane;
import dev.millrace.worker.control.LeasedJob;
import dev.millrace.worker.control.Registration;
import dev.millrace.worker.http.AnswerJson;
import dev.millrace.worker.http.Web;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The double speaks as the real server is described to, and would be caught if it didn't. */
class ProtocolCheckTest {

  @Test
  void every_call_of_a_worker_is_answered_as_it_is_described() throws Exception {
    try (FakeMillrace server = new FakeMillrace();
        Web web = new Web()) {
      server.takeParts(4, 100);
      ControlPlane control = new ControlPlane(web, server.url());
      Registration.Request request =
          new Registration.Request("w-1", List.of("demo"), 1, List.of("test"), AnswerJson.object());
      control.use(control.register(request, FakeMillrace.SECRET).token());
      Map<String, Object> asset = server.asset("photo", new byte[5], "image/png");
      for (int i = 0; i < 4; i++) {
        server.submit(new FakeJob("demo").with("assets", List.of(asset)));
      }
      List<LeasedJob> jobs = control.poll(4, Duration.ZERO).jobs();
      assertThat(jobs).hasSize(4).allMatch(job -> job.timeLeft().isPresent());
      LeasedJob job = jobs.getFirst();
      control.heartbeat(job, Optional.empty(), Map.of(), true, Duration.ofSeconds(5));
      control.upload(job, "text/plain", 4, "0".repeat(64));
      ControlPlane.Slot.Parts parts =
          (ControlPlane.Slot.Parts) control.upload(job, "text/plain", 9, "0".repeat(64));
      control.parts(job, parts, 9, List.of(1));
      control.complete(
          job,
          List.of(AnswerJson.object().put("text", "x").put("media_type", "text/plain")),
          Map.of());
      control.fail(jobs.get(1), "retryable", "no", Optional.empty());
      control.requeue(jobs.get(2), "spot");
      control.canceled(jobs.get(3));
      control.deregister();
      assertThat(server.calls()).hasSize(10);
    }
  }

  @Test
  void an_answer_that_the_real_server_never_gives_is_noticed() {
    Map<String, Object> left = Map.of("job_id", new FakeJob("demo").id(), "state", "completed");
    assertThat(ProtocolCheck.answer("/api/worker/fail", Reply.json(200, left))).isEmpty();
    assertThat(ProtocolCheck.answer("/api/worker/fail", Reply.json(200, Map.of("state", "x"))))
        .singleElement()
        .asString()
        .contains("job_id");
    assertThat(ProtocolCheck.answer("/api/worker/fail", Reply.json(204, left))).isNotEmpty();
    assertThat(ProtocolCheck.answer("/api/worker/nothing", Reply.json(200, left))).isNotEmpty();
    assertThat(ProtocolCheck.answer("/api/worker/poll", Reply.problem(401, "unheard_of", "no")))
        .singleElement()
        .asString()
        .contains("unheard_of");
  }

  @Test
  void a_double_that_has_lied_fails_its_test() {
    FakeMillrace server = new FakeMillrace();
    try (Web web = new Web()) {
      ControlPlane control = new ControlPlane(web, server.url());
      Registration.Request request =
          new Registration.Request("w-1", List.of("demo"), 1, List.of("test"), AnswerJson.object());
      assertThatThrownBy(
              () -> {
                control.use(control.register(request, FakeMillrace.SECRET).token());
                server.submit(new FakeJob("demo").with("workflow_version", "one"));
                control.poll(1, Duration.ZERO);
                server.close();
              })
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("workflow_version");
    }
  }
}
