package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.engine.command.Report;
import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.spi.provider.Order;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Output;
import dev.millrace.spi.provider.Standing;
import dev.millrace.spi.provider.Submission;
import dev.millrace.spi.provider.Usage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A service's result is there, and its provider's own code breaks down over it. */
@Timeout(120)
class BrokenOutputApiPgTest {

  @TempDir Path folder;

  @Test
  void a_result_that_its_provider_can_not_write_is_put_off_and_ends_as_what_it_is() {
    try (ServerRig rig = ServerRig.start(folder, "EXECUTOR_SLOTS=0")) {
      Breaking provider = new Breaking();
      Path objects = folder.resolve("data").resolve("objects");
      try (SecondExecutor _ = SecondExecutor.of(rig, objects, provider).start()) {
        String id = rig.admin().asked("sketch/draft", "\"prompt\":\"a cat\"");
        await().until(() -> provider.written.get() == 1);
        await().until(() -> rig.admin().job(id).at("/message").equals(Report.Made.MESSAGE));
        rig.database().execute("update job set deadline_at = clock_timestamp() + interval '30 s'");

        Answer job = rig.admin().awaitJob(id, "failed", "expired");
        assertThat(job.at("/error/code")).isEqualTo("bad_output");
        assertThat(job.at("/attempt")).isEqualTo("1");
      }
      rig.examine();
    }
  }

  /** Takes work, has its result at once, and can't write it. */
  private static final class Breaking extends TakingProvider {
    private final AtomicInteger written = new AtomicInteger();

    private Breaking() {
      super(new IllegalStateException("unused"), true);
    }

    @Override
    public Submission submit(Order order) {
      return new Submission.Accepted("work-" + order.intent(), Duration.ofMillis(1));
    }

    @Override
    public Standing collect(Order order, String reference) {
      Output.Content broken =
          _ -> {
            written.incrementAndGet();
            throw new IllegalStateException("a bug of the provider's");
          };
      return new Standing.Ended(
          new Outcome.Succeeded(List.of(new Output("a.txt", "text/plain", broken)), Map.of()),
          Usage.none());
    }
  }
}
