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

  @TempDir Path folder;

  @Test
  void every_job_ends_and_none_is_bought_twice() throws Exception {
    try (OutsideMill mill = OutsideMill.start(folder, "PROVIDER_SLOTS=32")) {
      mill.mill().credit("storm", 3L * JOBS);
      Client user = mill.mill().boundTo("storm");
      mill.replicate().storm(new Storm(7, OutsideMill.picture()));
      submit(user);
      await()
          .atMost(Duration.ofMinutes(4))
          .pollInterval(Duration.ofMillis(500))
          .until(() -> count(mill, "select count(*) from dispatch") == 0);

      assertThat(count(mill, "select count(*) from job where state = 'completed'")).isEqualTo(JOBS);
      assertThat(user.balance()).isZero();
      List<String> intents = intents(mill);
      assertThat(intents).doesNotHaveDuplicates().hasSize(mill.replicate().bill());
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
