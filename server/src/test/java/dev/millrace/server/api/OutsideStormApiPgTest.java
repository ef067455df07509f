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
    try (OutsideMill mill = OutsideMill.start(folder, "PROVIDER_SLOTS=32")) {
      mill.mill().credit("storm", 3L * JOBS);
      Client user = mill.mill().boundTo("storm");
      mill.replicate()
          .storm(new Storm(7, OutsideMill.picture()).withServerErrors(20).withLateLists(HIDDEN));
      submit(user);
      await()
          .atMost(Duration.ofMinutes(5))
          .pollInterval(Duration.ofMillis(500))
          .until(() -> {
            mill.settle(HIDDEN.plusSeconds(1));
            return count(mill, "select count(*) from dispatch") == 0;
          });

      int completed = count(mill, "select count(*) from job where state = 'completed'");
      int given = count(mill, "select count(*) from job where state = 'dead_letter'");
      assertThat(completed + given).isEqualTo(JOBS);
      assertThat(given).as("jobs that were refused three times").isLessThan(JOBS / 50);
      assertThat(user.balance()).isEqualTo(3L * given);
      assertThat(mill.replicate().acceptedPerIntent().values()).containsOnly(1);
      assertThat(intents(mill)).doesNotHaveDuplicates();
      assertThat(mill.replicate().bill())
          .isLessThanOrEqualTo(
              count(mill, "select count(*) from attempt where intent_at is not null"));
      await().until(() -> count(mill, "select count(*) from inbox where verdict = 'waiting'") == 0);
      mill.mill().examine();
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

  private static int count(OutsideMill mill, String sql) {
    return Integer.parseInt(mill.mill().ask(sql));
  }

  /** What every piece of work was asked for with, as its webhook's address names it. */
  private static List<String> intents(OutsideMill mill) {
    List<String> intents = new ArrayList<>();
    for (Asked asked : mill.replicate().asked()) {
      if (asked.method().equals("POST") && asked.path().endsWith("/predictions")) {
        intents.add(JsonMapper.shared().readTree(asked.body()).path("webhook").asString());
      }
    }
    return intents;
  }
}
