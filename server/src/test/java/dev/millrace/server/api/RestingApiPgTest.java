package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.OutsideRig;
import dev.millrace.testkit.outside.Trouble;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is told of jobs while work is kept away from their provider. */
@Timeout(120)
class RestingApiPgTest {

  @TempDir Path folder;
  private OutsideRig rig;

  @BeforeEach
  void start() {
    rig = OutsideRig.start(folder);
  }

  @AfterEach
  void stop() {
    rig.rig().examine();
    rig.close();
  }

  private Answer why(String id) {
    return rig.client().get("/api/jobs/" + id + "/why").expect(200);
  }

  @Test
  void while_a_provider_rests_every_job_that_waits_for_it_says_so_and_until_when() {
    Instant asked = Instant.now();
    rig.replicate().onSubmit(Trouble.THROTTLED);
    String throttled = rig.submitted();
    rig.client().awaitJob(throttled, "pending");
    await().until(() -> breaker("state").equals("open"));
    Instant until = Instant.parse(breaker("until"));
    String first = rig.submitted();
    String second = rig.submitted();
    for (String waiting : new String[] {first, second}) {
      Answer why = why(waiting);
      assertThat(why.at("/cause")).isEqualTo("provider_resting");
      assertThat(Instant.parse(why.at("/until"))).isEqualTo(until).isAfter(asked);
    }
    assertThat(why(second).at("/position")).isEqualTo("2");
    rig.reference(2);
    rig.client().awaitJob(first, "submitted");
    assertThat(why(first).at("/cause")).isEqualTo("not_waiting");
  }

  private String breaker(String field) {
    for (var provider : rig.client().get("/api/admin/providers").expect(200).json().path("items")) {
      if (provider.path("name").asString().equals("replicate")) {
        return provider.path("breaker").path(field).asString();
      }
    }
    throw new AssertionError("no replicate");
  }
}
