package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.OutsideRig;
import dev.millrace.testkit.outside.Asked;
import dev.millrace.testkit.outside.OutsideService;
import dev.millrace.testkit.outside.Storm;
import dev.millrace.testkit.outside.Taken;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Many jobs at a service that has a bad day: errors after the work was taken, replies that get
 * lost, lists that show work late, and leases that are lost meanwhile. The work itself always
 * succeeds, so whatever a service takes for a job beyond its first piece of work is paid twice.
 */
class OutsideStormApiPgTest {

  private static final int JOBS = 1_000;
  private static final int UNASKABLE_JOBS = 300;
  private static final int LATE_JOBS = 200;
  private static final int CALLERS = 10;
  private static final Duration HIDDEN = Duration.ofSeconds(3);

  /** How long a sender whose lease was taken may still be about to send. */
  private static final Duration HELD_UP = Duration.ofSeconds(8);

  /** Work may show up for so long before another submit without the submit being wrong. */
  private static final Duration ASKING = Duration.ofSeconds(5);

  @TempDir Path folder;

  @Test
  void every_job_ends_and_no_intent_is_sent_twice_and_no_job_bought_twice() throws Exception {
    try (OutsideRig rig = OutsideRig.start(folder, "PROVIDER_SLOTS=32")) {
      rig.rig().credit("storm", 3L * JOBS);
      Client user = rig.rig().boundTo("storm");
      rig.replicate()
          .storm(new Storm(7, OutsideRig.picture()).withServerErrors(20).withLateLists(HIDDEN));
      submit(user, "poster", JOBS);
      await()
          .atMost(Duration.ofMinutes(6))
          .pollInterval(Duration.ofMillis(500))
          .until(() -> {
            loseLeases(rig);
            rig.settle(HELD_UP);
            return count(rig, "select count(*) from dispatch") == 0;
          });

      assertBoughtOnce(rig, rig.replicate());
      int completed = count(rig, "select count(*) from job where state = 'completed'");
      int given = count(rig, "select count(*) from job where state = 'dead_letter'");
      assertThat(completed + given).isEqualTo(JOBS);
      assertThat(given).as("jobs that were refused three times").isLessThan(JOBS / 50);
      assertThat(user.balance()).isEqualTo(3L * given);
      assertThat(rig.replicate().acceptedPerIntent().values()).containsOnly(1);
      assertThat(rig.replicate().bill()).as("all that was bought was used").isEqualTo(completed);
      assertThat(intents(rig)).doesNotHaveDuplicates();
      assertThat(count(rig, "select count(*) from attempt where outcome = 'lease_lost'"))
          .as("leases that were lost")
          .isPositive();
      await().until(() -> count(rig, "select count(*) from inbox where verdict = 'waiting'") == 0);
      rig.rig().examine();
    }
  }

  @Test
  void no_work_is_ordered_again_that_shows_up_after_everybody_expected_it() throws Exception {
    try (OutsideRig rig = OutsideRig.start(folder, "PROVIDER_SLOTS=32")) {
      rig.rig().credit("storm", 3L * LATE_JOBS);
      Client user = rig.rig().boundTo("storm");
      rig.replicate()
          .storm(
              new Storm(13, OutsideRig.picture())
                  .withServerErrors(40)
                  .withLateLists(HIDDEN)
                  .withWorkThatShowsUp(30, HELD_UP, HELD_UP.multipliedBy(3)));
      submit(user, "poster", LATE_JOBS);
      await()
          .atMost(Duration.ofMinutes(2))
          .pollInterval(Duration.ofMillis(500))
          .until(() -> {
            loseLeases(rig);
            rig.settle(HELD_UP);
            return count(rig, "select count(*) from dispatch") == 0 && rig.replicate().idle();
          });
      assertThat(rig.replicate().acceptedPerIntent().values()).containsOnly(1);
      assertThat(intents(rig)).doesNotHaveDuplicates();
      int again = assertOrderedBlindly(rig.replicate().taken());
      assertThat(again).as("work that showed up when another was ordered").isPositive();
      int completed = count(rig, "select count(*) from job where state = 'completed'");
      assertThat(user.balance()).isEqualTo(3L * (LATE_JOBS - completed));
      await().until(() -> count(rig, "select count(*) from inbox where verdict = 'waiting'") == 0);
      rig.rig().examine();
    }
  }

  /** Whatever was ordered again was so while nobody could know of what was there. */
  private static int assertOrderedBlindly(List<Taken> all) {
    Map<String, List<Taken>> perJob = new TreeMap<>();
    int again = 0;
    for (Taken work : all) {
      List<Taken> earlier =
          perJob.computeIfAbsent(work.intent().split("_", -1)[1], _ -> new ArrayList<>());
      for (Taken one : earlier) {
        again++;
        assertThat(one.knownAt(work.at().minus(ASKING)))
            .as("%s was known when %s was ordered", one, work)
            .isFalse();
      }
      earlier.add(work);
    }
    return again;
  }

  @Test
  void a_service_that_can_not_be_asked_is_never_paid_twice_for_a_job_either() throws Exception {
    try (OutsideRig rig =
        OutsideRig.start(folder, "PROVIDER_SLOTS=32", "CALLBACK_DEADLINE_SECONDS=3600")) {
      rig.rig().credit("storm", 2L * UNASKABLE_JOBS);
      Client user = rig.rig().boundTo("storm");
      rig.fal()
          .storm(
              new Storm(11, JsonNodeFactory.instance.objectNode().put("text", "done"))
                  .withServerErrors(20));
      submit(user, "clip", UNASKABLE_JOBS);
      await()
          .atMost(Duration.ofMinutes(4))
          .pollInterval(Duration.ofMillis(500))
          .until(() -> {
            loseLeases(rig);
            rig.settle(HELD_UP);
            rig.askNow();
            return count(rig, UNDECIDED) == 0 && rig.fal().idle();
          });
      // Of the rest nobody will ever hear: their webhooks never come, or nothing was taken.
      rig.expire("true");
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> count(rig, "select count(*) from dispatch") == 0);

      assertBoughtOnce(rig, rig.fal());
      int completed = count(rig, "select count(*) from job where state = 'completed'");
      int expired = count(rig, "select count(*) from job where state = 'expired'");
      assertThat(completed + expired).isEqualTo(UNASKABLE_JOBS);
      assertThat(completed).isGreaterThan(UNASKABLE_JOBS / 2);
      assertThat(user.balance()).isEqualTo(2L * expired);
      rig.rig().examine();
    }
  }

  /** Jobs that run or wait here, or that a service is known to have. */
  private static final String UNDECIDED =
      """
      select count(*)
      from dispatch d
      left join attempt a on a.tenant_id = d.tenant_id
          and a.job_id = d.job_id
          and a.token = d.lease_token
      where d.state <> 'submitted'
         or a.reference is not null
      """;

  private static void submit(Client user, String effect, int jobs) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(CALLERS);
    for (int caller = 0; caller < CALLERS; caller++) {
      Thread.ofVirtual()
          .start(() -> {
            try {
              for (int job = 0; job < jobs / CALLERS; job++) {
                user.asked(effect, "\"prompt\":\"a cat\"");
              }
            } finally {
              done.countDown();
            }
          });
    }
    done.await();
  }

  /** Takes the leases of some that run just now, as if their server had been silent for long. */
  private static void loseLeases(OutsideRig rig) {
    rig.meddle(
        """
        update job
        set lease_expires_at = clock_timestamp()
        where state = 'running'
          and random() < 0.2
        """);
  }

  private static int count(OutsideRig rig, String sql) {
    return Integer.parseInt(rig.rig().ask(sql));
  }

  /** A failure tells the attempts of a job that was bought twice. */
  private static void assertBoughtOnce(OutsideRig rig, OutsideService service) {
    acceptedPerJob(service)
        .forEach((job, times) ->
            assertThat(times)
                .as(() ->
                    rig.rig()
                        .ask(
                            """
                            select string_agg(concat_ws(' ', number, outcome, error, intent_at,
                                unconfirmed_at, reference, ended_at), ', ' order by number)
                            from attempt
                            where job_id = '%s'
                            """
                                .formatted(job)))
                .isEqualTo(1));
  }

  /** How many pieces of work a service took for each job, by the job's id in the intents. */
  private static Map<String, Integer> acceptedPerJob(OutsideService service) {
    Map<String, Integer> accepted = new TreeMap<>();
    service
        .acceptedPerIntent()
        .forEach((intent, times) -> accepted.merge(intent.split("_", -1)[1], times, Integer::sum));
    return accepted;
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
