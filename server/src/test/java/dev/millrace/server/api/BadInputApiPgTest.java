package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.FleetRig;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/**
 * Garbage in every field and parameter of every operation that the OpenAPI file describes. Only
 * what the file allows may succeed; all else is refused with its place, and nothing breaks.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadInputApiPgTest {

  private static final String LIVE = "pending,queued,running,submitted,waiting_review,canceling";

  /**
   * Errors of these have another shape, and what their clients send besides is ignored. The tests
   * of their dialects hold that.
   */
  private static final Pattern HAS_ITS_OWN_WAYS =
      Pattern.compile(" (/videos/|/api/videos|/api/ai-jobs|/api/processes)");

  @TempDir static Path folder;

  private ServerRig rig;
  private Client client;
  private GoodRequests good;

  @BeforeAll
  void start() {
    rig = FleetRig.start(folder, "EXECUTOR_SLOTS=4", "FLEET_MAX_WORKERS=100000");
    client = rig.admin();
    good = new GoodRequests(client);
  }

  @AfterAll
  void stop() {
    rig.close();
  }

  @Test
  void every_operation_that_takes_something_has_a_good_request() {
    assertThat(good.rows().keySet())
        .containsExactlyInAnyOrderElementsOf(
            operations().stream().map(DescribedOperation::name).toList());
  }

  @Test
  void garbage_is_refused_with_its_place_and_breaks_nothing() throws Exception {
    List<String> complaints = new ArrayList<>();
    int sent = 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<BadRequests>> all = new ArrayList<>();
      for (DescribedOperation operation : operations()) {
        if (HAS_ITS_OWN_WAYS.matcher(operation.name()).find()) {
          continue;
        }
        var row = Objects.requireNonNull(good.rows().get(operation.name()), operation.name());
        all.add(
            threads.submit(
                () -> new BadRequests(good.clientFor(operation), operation, row).sendAll()));
      }
      for (Future<BadRequests> each : all) {
        complaints.addAll(each.get().complaints());
        sent += each.get().sent();
      }
    }

    assertThat(complaints).as("of " + sent + " requests").isEmpty();
    assertThat(sent).isGreaterThan(2_000);
    everyJobCanEnd();
    rig.examine();
  }

  /** What takes something, and the input of a job as its effect describes it. */
  private List<DescribedOperation> operations() {
    ObjectNode input =
        (ObjectNode)
            client.get("/api/effects/sketch/draft").expect(200).json().path("input_schema");
    input.remove("$schema");
    return DescribedOperation.all().stream()
        .filter(DescribedOperation::takesAnything)
        // It is the worker that leaves, and what it says isn't looked at.
        .filter(each -> !each.name().equals("POST /videos/api/worker/deregister"))
        // It takes the headers of a lease, and bytes.
        .filter(each -> !each.name().equals("PUT /videos/outputs/{id}"))
        // Whatever is wrong with a provider's call, its signature is judged first.
        .filter(each -> !each.name().startsWith("POST /callbacks/"))
        .map(each -> each.name().equals("POST /api/jobs") ? each.with("input", input) : each)
        .toList();
  }

  private void everyJobCanEnd() {
    // Each is canceled by itself, and what a worker holds ends only with the grace.
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> {
          var live = client.get("/api/jobs?limit=500&state=" + LIVE).expect(200).json();
          for (var job : live.path("items").values()) {
            String id = job.path("id").asString();
            assertThat(client.post("/api/jobs/" + id + "/cancel", "").status()).isIn(200, 409);
          }
          return live.path("items").isEmpty();
        });
  }
}
