package dev.millrace.server.api;

import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Batches and tasks as tests ask for them. */
final class Many {

  private Many() {}

  /** The body of a batch of small, quick pictures. */
  static String drafts(String mode, int count) {
    return batch(mode, count, Many::draft);
  }

  static String draft(int number) {
    return """
    {"effect":"sketch/draft","input":{"prompt":"fox %d"}}\
    """
        .formatted(number);
  }

  static String batch(String mode, int count, IntFunction<String> job) {
    return """
    {"mode":"%s","jobs":[%s]}
    """
        .formatted(mode, IntStream.range(0, count).mapToObj(job).collect(Collectors.joining(",")));
  }

  /** The task, as soon as it has ended. */
  static Answer awaitTask(Client admin, String id) {
    return await()
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> admin.get("/api/admin/tasks/" + id).expect(200),
            task -> !task.at("/finished_at").isEmpty());
  }

  /** Makes a task and waits for its end. */
  static Answer runTask(Client admin, String action, String filter) {
    return awaitTask(
        admin,
        admin
            .post(
                "/api/admin/tasks",
                """
                {"action":"%s","filter":%s}
                """
                    .formatted(action, filter))
            .expect(202)
            .at("/id"));
  }

  /** What the results of a batch say, in their order. */
  static List<String> statuses(Answer answer) {
    return answer.json().path("results").values().stream()
        .map(result -> result.path("status").asString())
        .toList();
  }
}
