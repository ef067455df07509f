package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.testkit.aws.FakeImds;
import dev.millrace.worker.aws.Imds;
import dev.millrace.worker.fake.FakeMillrace;
import dev.millrace.worker.fake.Rig;
import dev.millrace.worker.fake.TestExecutor;
import dev.millrace.worker.settings.WorkerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A machine that boots slowly is watched all the same, as soon as its metadata service is there.
 */
class OnEc2Test {

  @TempDir private Path place;
  private final FakeMillrace server = new FakeMillrace();
  private final FakeImds metadata = new FakeImds();

  @AfterEach
  void stop() {
    server.close();
    metadata.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"ON", "AUTO"})
  void a_notice_is_heard_from_a_metadata_service_that_was_not_there_at_the_start(
      WorkerSettings.Switch spot) throws Exception {
    metadata.die();
    try (Rig rig = rig();
        OnEc2 machine = OnEc2.of(settings(spot), imds(rig), false, rig.log())) {
      machine.watch(rig.worker());
      metadata.interrupt();
      metadata.comeBack();
      await().until(rig::isOver);
      assertThat(rig.logged()).contains("spot.interruption");
    }
  }

  @Test
  void nobody_is_asked_when_it_is_switched_off() throws Exception {
    metadata.interrupt();
    try (Rig rig = rig();
        OnEc2 machine =
            OnEc2.of(settings(WorkerSettings.Switch.OFF), imds(rig), false, rig.log())) {
      assertThat(OnEc2.here(settings(WorkerSettings.Switch.OFF), imds(rig), rig.log())).isFalse();
      machine.watch(rig.worker());
      await().until(() -> server.calls("poll") > 0);
      assertThat(rig.logged()).doesNotContain("spot.");
    }
  }

  private Rig rig() {
    return new Rig(server, place, 1, TestExecutor.waiting(new CountDownLatch(1)));
  }

  private Imds imds(Rig rig) {
    return new Imds(rig.web(), metadata.url());
  }

  private WorkerSettings.Aws settings(WorkerSettings.Switch spot) {
    return new WorkerSettings.Aws(
        spot,
        Duration.ofMillis(50),
        true,
        false,
        Optional.empty(),
        Optional.empty(),
        metadata.url());
  }
}
