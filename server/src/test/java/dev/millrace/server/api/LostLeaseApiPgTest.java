package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.spi.provider.Finding;
import dev.millrace.spi.provider.Order;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Submission;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Others that work on the same job: who lost its lease, and who asks about it at the same time. */
class LostLeaseApiPgTest {

  @TempDir Path folder;

  @Test
  void a_submit_after_a_lost_lease_is_a_failure_first_and_none_is_sent_when_tries_are_used_up() {
    try (ServerRig rig =
        ServerRig.start(folder, "EXECUTOR_SLOTS=0", "MAX_FAILURES=1", "MAX_INTERRUPTIONS=10")) {
      Losing provider = new Losing(rig);
      Path objects = folder.resolve("data").resolve("objects");
      try (SecondExecutor _ = SecondExecutor.of(rig, objects, provider).start()) {
        String id = rig.admin().asked("sketch/draft", "\"prompt\":\"a cat\"");
        Answer job = rig.admin().awaitJob(id, "dead_letter");
        assertThat(job.at("/error/code")).isEqualTo("not_taken");
        assertThat(job.at("/failures")).isEqualTo("1");
        assertThat(job.at("/interruptions")).isEqualTo("1");
      }
      assertThat(provider.submits.get()).isEqualTo(1);
      rig.examine();
    }
  }

  @Test
  void whoever_finds_nothing_while_another_one_hears_of_the_work_does_not_give_it_up() {
    try (ServerRig rig = ServerRig.start(folder, "EXECUTOR_SLOTS=0")) {
      Overtaken provider = new Overtaken(rig);
      Path objects = folder.resolve("data").resolve("objects");
      try (SecondExecutor _ = SecondExecutor.of(rig, objects, provider).start()) {
        String id = rig.admin().asked("sketch/draft", "\"prompt\":\"a cat\"");
        assertThat(rig.admin().awaitJob(id, "completed").at("/attempt")).isEqualTo("1");
      }
      assertThat(provider.bought()).isEqualTo(1);
      rig.examine();
    }
  }

  /** Takes work and says so to somebody else, while it tells who asks that there is none. */
  private static final class Overtaken extends TakingProvider {
    private final ServerRig rig;

    private Overtaken(ServerRig rig) {
      super(new IllegalStateException("after it was taken"), true);
      this.rig = rig;
    }

    @Override
    public Finding find(Order order) {
      rig.database()
          .execute(
              """
              update attempt
              set reference = 'work-%s',
                  accepted_at = clock_timestamp()
              where job_id = '%s'
                and number = %d
              """
                  .formatted(order.intent(), order.jobId(), order.attempt()));
      return new Finding.Absent();
    }
  }

  /** Takes nothing, and each call of it lasts until the caller's lease is lost. */
  private static final class Losing extends TakingProvider {
    private final ServerRig rig;
    private final AtomicInteger submits = new AtomicInteger();

    private Losing(ServerRig rig) {
      super(new IllegalStateException("unused"), true);
      this.rig = rig;
    }

    @Override
    public Submission submit(Order order) {
      submits.incrementAndGet();
      String ended =
          "select count(*) from attempt where outcome = 'lease_lost' and job_id = '%s' and number = %d"
              .formatted(order.jobId(), order.attempt());
      await()
          .until(() -> {
            rig.database()
                .execute(
                    "update job set lease_expires_at = clock_timestamp() where state = 'running'");
            return rig.ask(ended).equals("1");
          });
      return new Submission.Declined(new Outcome.Uncertain("It took too long."));
    }

    @Override
    public Finding find(Order order) {
      return new Finding.Absent();
    }
  }
}
