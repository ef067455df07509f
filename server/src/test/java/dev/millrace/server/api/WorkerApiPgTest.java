package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.FleetRig;
import dev.millrace.server.rig.FleetRig.Work;
import dev.millrace.server.rig.FleetRig.Worker;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker's day: it registers, polls, works and reports. */
@Timeout(180)
class WorkerApiPgTest {

  /** Less than the second from one look of the server at its queues to the next. */
  private static final Duration MOMENT = Duration.ofMillis(900);

  private static final int ROUNDS = 10;

  @TempDir static Path folder;

  private static ServerRig rig;
  private static Client client;

  @BeforeAll
  static void start() {
    rig = FleetRig.start(folder, "BACKOFF_BASE_SECONDS=1", "BACKOFF_CAP_SECONDS=1");
    client = rig.admin();
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  @AfterEach
  void nothingWaitsAndEveryInvariantHolds() {
    assertThat(rig.ask("select count(*) from dispatch")).isEqualTo("0");
    rig.examine();
  }

  private static String submit() {
    return client.asked("upscale/one", "\"prompt\":\"a red fox\"");
  }

  private static Worker worker(String id) {
    return FleetRig.worker(client, id, 2, "upscale");
  }

  @Test
  void a_job_is_polled_worked_on_and_paid_once() {
    long before = client.balance();
    Worker worker = worker("whole");
    String id = submit();

    Work work = worker.lease();
    assertThat(work.id()).isEqualTo(id);
    assertThat(work.job().path("attempt").asInt()).isEqualTo(1);
    assertThat(work.job().path("workflow").asString()).isEqualTo("upscale");
    assertThat(work.job().path("workflow_version").asInt()).isEqualTo(3);
    assertThat(work.job().path("effect").asString()).isEqualTo("upscale/one");
    assertThat(work.job().at("/input/prompt").asString()).isEqualTo("a red fox");

    Answer beat =
        work.tell("heartbeat", "\"progress\":40", "\"step\":\"sampling\"", "\"summary\":{\"n\":1}");
    assertThat(beat.expect(200).json().path("cancel").asBoolean(true)).isFalse();
    assertThat(client.job(id).at("/progress")).isEqualTo("40");
    work.tell("heartbeat", "\"message\":\"half done\"").expect(200);
    assertThat(client.job(id).at("/step")).isEqualTo("sampling");
    assertThat(client.job(id).at("/progress")).isEqualTo("40");

    assertThat(work.complete("the end").expect(200).at("/state")).isEqualTo("completed");
    Answer job = client.job(id);
    assertThat(job.at("/state")).isEqualTo("completed");
    assertThat(job.at("/outputs/0/media_type")).isEqualTo("text/plain");
    assertThat(job.at("/summary/n")).isEqualTo("1");
    assertThat(client.get(job.at("/outputs/0/url")).expect(200).text()).isEqualTo("the end");
    assertThat(client.balance()).isEqualTo(before - 2);
  }

  @Test
  void a_summary_that_grows_and_grows_is_ignored_and_the_lease_goes_on() {
    Worker worker = worker("talkative");
    String id = submit();
    Work work = worker.lease();
    String text = "\"" + "x".repeat(19_000) + "\"";
    for (int i = 0; i < 5; i++) {
      Answer beat =
          work.tell("heartbeat", "\"progress\":" + i, "\"summary\":{\"k" + i + "\":" + text + "}");
      assertThat(beat.expect(200).json().has("summary_ignored")).isEqualTo(i >= 2);
    }
    assertThat(client.job(id).at("/progress")).isEqualTo("4");
    assertThat(client.job(id).json().path("summary").propertyNames()).containsExactly("k0", "k1");
    work.complete("the end").expect(200);
  }

  @Test
  void a_waiting_poll_gets_a_new_job_within_a_moment() throws Exception {
    Worker worker = worker("patient");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      // A poll that is not woken gets its job when the server looks at its queues, so two in a row
      // are a second apart. One pair that is closer proves the wake-up, and a busy machine has
      // several tries; a single poll may be quick by chance, just before a look.
      long last = whenLeased(threads, worker);
      long closest = Long.MAX_VALUE;
      for (int i = 0; i < ROUNDS && closest >= MOMENT.toNanos(); i++) {
        long next = whenLeased(threads, worker);
        closest = Math.min(closest, next - last);
        last = next;
      }
      assertThat(Duration.ofNanos(closest)).isLessThan(MOMENT);
    }
  }

  /** Lets the worker wait, submits a job, and tells when the worker had it. */
  private static long whenLeased(ExecutorService threads, Worker worker) throws Exception {
    Future<Work> leased = threads.submit(worker::lease);
    await().until(() -> !leased.isDone() && polls(worker));
    submit();
    Work work = leased.get();
    long then = System.nanoTime();
    work.complete("x").expect(200);
    return then;
  }

  @Test
  void a_report_whose_answer_got_lost_is_answered_again() {
    Worker worker = worker("stutter");
    submit();
    Work work = worker.lease();
    work.complete("once").expect(200);
    assertThat(work.complete("once").expect(200).at("/state")).isEqualTo("completed");
    work.tell("requeue", "\"reason\":\"spot\"").problem(409, "stale_lease");
    assertThat(rig.ask("select count(*) from file where job_id = '" + work.id() + "'"))
        .isEqualTo("1");

    submit();
    Work given = worker.lease();
    given.tell("requeue", "\"reason\":\"spot\"").expect(200);
    Work again = worker.lease();
    assertThat(again.id()).isEqualTo(given.id());
    assertThat(given.tell("requeue", "\"reason\":\"spot\"").expect(200).at("/state"))
        .isEqualTo("queued");
    given.complete("too late").problem(409, "stale_lease");
    given.tell("heartbeat").problem(409, "stale_lease");

    assertThat(fail(again, "permanent").expect(200).at("/state")).isEqualTo("failed");
    assertThat(fail(again, "permanent").expect(200).at("/state")).isEqualTo("failed");
  }

  private static Answer fail(Work work, String kind) {
    return work.tell("fail", "\"error_class\":\"" + kind + "\"", "\"message\":\"no good\"");
  }

  @Test
  void a_foreign_token_or_worker_changes_nothing() {
    Worker worker = worker("owner");
    submit();
    Work work = worker.lease();
    Work stolen = new Work(worker("thief"), work.job());
    stolen.tell("heartbeat").problem(409, "stale_lease");
    stolen.complete("mine").problem(409, "stale_lease");
    Work guessed =
        new Work(
            worker,
            work.job().deepCopy().asObject().put("lease_token", UUID.randomUUID().toString()));
    guessed.complete("mine").problem(409, "stale_lease");
    work.complete("his").expect(200);
  }

  @Test
  void a_failure_is_retried_and_then_given_up_with_a_message_fit_to_be_read() {
    Worker worker = worker("clumsy");
    String id = submit();
    String message = "{\\\"exception_message\\\":\\\"CUDA out of memory\\\\nat line 5\\\"}";
    Answer first =
        worker
            .lease()
            .tell("fail", "\"error_class\":\"retryable\"", "\"message\":\"" + message + "\"");
    assertThat(first.expect(200).at("/state")).isEqualTo("pending");
    assertThat(client.job(id).at("/error/message")).isEqualTo("CUDA out of memory");
    assertThat(fail(worker.lease(), "retryable").expect(200).at("/state")).isEqualTo("dead_letter");
    assertThat(client.job(id).at("/credits/refunded")).isEqualTo("2");
  }

  @Test
  void a_canceled_job_is_told_by_the_heartbeat_and_stops() {
    Worker worker = worker("obedient");
    String id = submit();
    Work work = worker.lease();
    client.post("/api/jobs/" + id + "/cancel", "").expect(200);
    assertThat(work.tell("heartbeat").expect(200).json().path("cancel").asBoolean()).isTrue();
    assertThat(work.tell("canceled").expect(200).at("/state")).isEqualTo("canceled");
    assertThat(work.tell("canceled").expect(200).at("/state")).isEqualTo("canceled");
    assertThat(client.job(id).at("/credits/refunded")).isEqualTo("2");
  }

  @Test
  void a_worker_never_holds_more_jobs_than_it_has_slots() {
    Worker worker = worker("two-slots");
    for (int i = 0; i < 3; i++) {
      submit();
    }
    var jobs = worker.poll(10, 0).expect(200).json().path("jobs");
    assertThat(jobs).hasSize(2);
    assertThat(worker.poll(10, 0).expect(200).json().path("jobs")).isEmpty();
    jobs.forEach(job -> new Work(worker, job).complete("x").expect(200));
    worker.lease().complete("x").expect(200);
  }

  @Test
  void a_worker_that_leaves_gives_its_jobs_back() {
    Worker worker = worker("leaver");
    String id = submit();
    Work work = worker.lease();
    worker.call("deregister", "{}").expect(204);
    worker.poll(1, 0).problem(401, "worker_unknown");
    assertThat(client.job(id).at("/state")).isEqualTo("queued");
    Work next = worker("leaver").lease();
    assertThat(next.id()).isEqualTo(work.id());
    next.complete("x").expect(200);
  }

  @Test
  void a_worker_that_leaves_ends_its_own_poll_at_once() throws Exception {
    Worker worker = worker("hasty");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Answer> poll = threads.submit(() -> worker.poll(1, 30));
      await().until(() -> !poll.isDone() && polls(worker));
      long left = System.nanoTime();
      worker.call("deregister", "{}").expect(204);
      assertThat(poll.get().status()).isEqualTo(401);
      assertThat(Duration.ofNanos(System.nanoTime() - left)).isLessThan(Duration.ofSeconds(20));
    }
  }

  /** Whether the server was just asked by this worker: a poll that began before then waits. */
  private static boolean polls(Worker worker) {
    return worker.poll(1, 0).expect(200).json().path("jobs").isEmpty();
  }

  @Test
  void a_result_for_review_waits_for_the_reviewer() {
    Worker worker = worker("reviewed");
    String id = client.asked("upscale/reviewed", "\"prompt\":\"x\"");
    assertThat(worker.lease().complete("draft").expect(200).at("/state"))
        .isEqualTo("waiting_review");
    client.post("/api/jobs/" + id + "/decline", "{\"reason\":\"no\"}").expect(200);
  }
}
