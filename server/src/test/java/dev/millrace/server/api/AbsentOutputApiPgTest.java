package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.OutsideRig;
import dev.millrace.testkit.outside.Answered;
import dev.millrace.testkit.outside.Webhooks;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** A result is there, and its file is not, or not any more at this address. */
class AbsentOutputApiPgTest {

  private static final Answered PICTURE =
      new Answered(200, Map.of("Content-Type", "text/plain"), "a picture");

  @TempDir Path folder;
  private OutsideRig rig;

  @BeforeEach
  void start() {
    rig = OutsideRig.start(folder, "CALLBACK_DEADLINE_SECONDS=3600");
  }

  @AfterEach
  void stop() {
    rig.rig().examine();
    rig.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 403})
  void a_file_that_shows_up_late_is_fetched_then(int status) {
    String id = succeeded("late.txt", Answered.json(status, "{}"));
    awaitFetched("late.txt", 1);
    awaitQuiet();
    assertThat(rig.client().job(id).at("/state")).isEqualTo("submitted");
    rig.replicate().file("late.txt", PICTURE);
    rig.askNow();
    assertThat(rig.client().awaitJob(id, "completed").at("/attempt")).isEqualTo("1");
    assertThat(rig.replicate().bill()).isEqualTo(1);
  }

  @Test
  void an_address_that_has_ended_is_replaced_by_what_the_service_says_now() {
    String id = succeeded("old.txt", Answered.json(403, "{}"));
    awaitFetched("old.txt", 1);
    awaitQuiet();
    rig.replicate().sends(Webhooks.NEVER);
    rig.replicate().succeed(rig.reference(1), output(rig.replicate().file("new.txt", PICTURE)));
    rig.askNow();
    assertThat(rig.client().awaitJob(id, "completed").at("/attempt")).isEqualTo("1");
    assertThat(rig.replicate().bill()).isEqualTo(1);
  }

  @Test
  void a_retry_in_place_collects_a_result_that_could_not_be_used_before_instead_of_ordering() {
    String id = succeeded("gone.txt", Answered.json(410, "{}"));
    assertThat(rig.client().awaitJob(id, "failed").at("/error/code")).isEqualTo("bad_output");
    retried(id);
    await().until(() -> rig.client().job(id).at("/attempt").equals("2"));
    assertThat(rig.client().awaitJob(id, "failed").at("/error/code")).isEqualTo("bad_output");
    rig.replicate().file("gone.txt", PICTURE);
    retried(id);
    assertThat(rig.client().awaitJob(id, "completed").at("/attempt")).isEqualTo("3");
    assertThat(rig.replicate().bill()).isEqualTo(1);
  }

  private void retried(String id) {
    rig.client().post("/api/admin/jobs/" + id + "/retry", "").expect(200);
  }

  /** A job whose work has succeeded, and whose file answers like this. */
  private String succeeded(String name, Answered answer) {
    String id = rig.submitted();
    String reference = rig.reference(1);
    rig.client().awaitJob(id, "submitted");
    rig.replicate().succeed(reference, output(rig.replicate().file(name, answer)));
    return id;
  }

  private static JsonNode output(URI address) {
    return JsonNodeFactory.instance.arrayNode().add(address.toString());
  }

  private void awaitFetched(String name, int times) {
    await()
        .until(() ->
            rig.replicate().asked().stream()
                    .filter(asked -> asked.path().endsWith("/" + name))
                    .count()
                >= times);
  }

  /** Until nobody asks about anything. */
  private void awaitQuiet() {
    await()
        .until(() ->
            rig.rig()
                .ask("select count(*) from dispatch where asking_until is not null")
                .equals("0"));
  }
}
