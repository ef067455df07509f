package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/**
 * Whatever a provider does, its job ends, its credits are accounted for, and the executor goes on.
 * The server runs no jobs here; an executor beside it does, as on a second machine.
 */
@Timeout(180)
class HostileProviderApiPgTest {

  private static final int CREDITS = 1_000;

  @TempDir static Path folder;

  private static final HostileProvider PROVIDER = new HostileProvider();
  private static ServerRig rig;
  private static Client client;
  private static Map<String, String> jobs;

  @BeforeAll
  static void runEveryTrick() {
    rig =
        ServerRig.start(
            folder,
            "EXECUTOR_SLOTS=0",
            "MAX_FAILURES=1",
            "MAX_INTERRUPTIONS=1",
            "WELCOME_CREDITS=0");
    rig.credit("victim", CREDITS);
    client = rig.boundTo("victim");
    jobs = new LinkedHashMap<>();
    PROVIDER
        .endings()
        .keySet()
        .forEach(
            trick -> jobs.put(trick, client.asked("sketch/draft", "\"prompt\":\"" + trick + "\"")));
    executeAll();
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  /** Until nothing is left to run; a job that is not run to its end runs into the timeout. */
  private static void executeAll() {
    try (SecondExecutor _ = SecondExecutor.of(rig, objects(), PROVIDER).start()) {
      jobs.values()
          .forEach(id -> client.awaitJob(id, "completed", "failed", "dead_letter", "rejected"));
    }
  }

  private static String id(String trick) {
    return Objects.requireNonNull(jobs.get(trick), trick);
  }

  private static Path objects() {
    return folder.resolve("data").resolve("objects");
  }

  @Test
  void every_trick_ends_as_it_should_at_the_first_attempt() {
    PROVIDER
        .endings()
        .forEach((trick, ending) -> {
          Answer job = client.job(id(trick));
          assertThat(job.at("/state")).as(trick + ": " + job.text()).isEqualTo(ending.state());
          assertThat(job.at("/error/code")).as(trick).isEqualTo(ending.code());
          assertThat(job.at("/attempt")).as(trick).isEqualTo("1");
          assertThat(job.at("/interruptions")).as(trick).isEqualTo("0");
          assertThat(job.text().length()).as(trick).isLessThan(5_000);
          client.get("/api/jobs/" + id(trick) + "/events").expect(200);
          client.get("/api/jobs/" + id(trick) + "/receipt").expect(200);
        });
    client.get("/api/jobs?limit=500").expect(200);
    client.get("/api/files?limit=500").expect(200);
  }

  @Test
  void only_results_and_refusals_by_a_safety_filter_are_paid() {
    long paid =
        PROVIDER.endings().values().stream()
            .filter(ending -> Set.of("completed", "rejected").contains(ending.state()))
            .count();

    assertThat(client.balance()).isEqualTo(CREDITS - paid);
    assertThat(client.get("/api/wallet").json().path("reserved").asLong()).isZero();
  }

  @Test
  void no_lease_and_no_broken_law_is_left() {
    assertThat(rig.ask("select count(*) from dispatch where lease_token is not null"))
        .isEqualTo("0");
    rig.examine();
  }

  @Test
  void only_the_files_of_completed_jobs_stay() throws IOException {
    try (Stream<Path> all = Files.walk(objects())) {
      long stored = all.filter(Files::isRegularFile).count();
      assertThat(Long.toString(stored)).isEqualTo(rig.ask("select count(*) from file"));
    }
  }

  @Test
  void names_of_outputs_are_safe_to_save() {
    for (var file : client.get("/api/files?limit=500").expect(200).json().path("items").values()) {
      assertThat(file.path("name").asString()).matches("[A-Za-z0-9_ .-]{1,190}\\.txt");
    }
  }

  @Test
  void plain_facts_are_told_as_they_are() {
    assertThat(client.job(id("plain facts")).json().path("summary"))
        .isEqualTo(
            JsonMapper.shared()
                .readTree("{\"fact\":[1,2.5,true,\"\uD83E\uDD8A\",{\"n\":1000000000}]}"));
  }
}
