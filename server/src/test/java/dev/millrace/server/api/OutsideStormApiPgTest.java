package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.testkit.outside.Asked;
import dev.millrace.testkit.outside.Storm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** A thousand jobs at a service that has a bad day. */
class OutsideStormApiPgTest {

  private static final int JOBS = 1_000;
  private static final int CALLERS = 8;
  private static final Duration HIDDEN = Duration.ofSeconds(3);

  @TempDir Path folder;

  @Test
  void every_job_ends_and_no_intent_is_sent_or_bought_twice() throws Exception {
    try (OutsideRig rig = OutsideRig.start(folder, "PROVIDER_SLOTS=32")) {
      rig.rig().credit("storm", 3L * JOBS);
      Client user = rig.rig().boundTo("storm");
      rig.replicate()
          .storm(new Storm(7, OutsideRig.picture()).withServerErrors(20).withLateLists(HIDDEN));
      submit(user);
      await()
          .atMost(Duration.ofMinutes(5))
          .pollInterval(Duration.ofMillis(500))
          .until(() -> {
            rig.settle(HIDDEN.plusSeconds(1));
            return count(rig, "select count(*) from dispatch") == 0;
          });

      int completed = count(rig, "select count(*) from job where state = 'completed'");
      int given = count(rig, "select count(*) from job where state = 'dead_letter'");
      assertThat(completed + given).isEqualTo(JOBS);
      assertThat(given).as("jobs that were refused three times").isLessThan(JOBS / 50);
      assertThat(user.balance()).isEqualTo(3L * given);
      assertThat(rig.replicate().acceptedPerIntent().values()).containsOnly(1);
      assertThat(intents(rig)).doesNotHaveDuplicates();
      assertThat(rig.replicate().bill())
          .isLessThanOrEqualTo(
              count(rig, "select count(*) from attempt where intent_at is not null"));
      await().until(() -> count(rig, "select count(*) from inbox where verdict = 'waiting'") == 0);
      rig.rig().examine();
    }
  }

  private static void submit(Client user) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(CALLERS);
    for (int caller = 0; caller < CALLERS; caller++) {
      Thread.ofVirtual()
          .start(() -> {
            try {
              for (int job = 0; job < JOBS / CALLERS; job++) {
                user.asked("poster", "\"prompt\":\"a cat\"");
              }
            } finally {
              done.countDown();
            }
          });
    }
    done.await();
  }

  private static int count(OutsideRig rig, String sql) {
    return Integer.parseInt(rig.rig().ask(sql));
  }

  /** What every piece of work was asked for with, as its webhook's address names it. */
  private static List<String> intents(OutsideRig rig) {
    List<String> intents = new ArrayList<>();
    for (Asked asked : rig.replicate().asked()) {
      if (asked.method().equals("POST") && asked.path().endsWith("/predictions")) {
        intents.add(JsonMapper.shared().readTree(asked.body()).path("webhook").asString());
      }
    }
    return intents;
  }
}
