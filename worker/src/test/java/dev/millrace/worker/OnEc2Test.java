package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.testkit.aws.FakeImds;
import dev.millrace.worker.aws.Imds;
import dev.millrace.worker.aws.MachineDescription;
import dev.millrace.worker.fake.FakeMillrace;
import dev.millrace.worker.fake.Rig;
import dev.millrace.worker.fake.TestExecutor;
import dev.millrace.worker.settings.WorkerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
      assertThat(here(WorkerSettings.Switch.OFF, rig)).isFalse();
      machine.watch(rig.worker());
      await().until(() -> server.calls("poll") > 0);
      assertThat(rig.logged()).doesNotContain("spot.");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "devices/virtual/dmi/id/board_asset_tag, i-0abc1234",
    "devices/virtual/dmi/id/sys_vendor, Amazon EC2",
    "devices/virtual/dmi/id/product_uuid, EC2A8D21-0000",
    "hypervisor/uuid, ec2e1916-9099",
  })
  void a_machine_of_ec2_is_waited_for_until_its_metadata_service_is_there(String name, String says)
      throws Exception {
    Path file = place.resolve("sys").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, says + "\n");
    metadata.die();
    try (Rig rig = rig()) {
      CompletableFuture<Boolean> here = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(() -> {
            try {
              here.complete(here(WorkerSettings.Switch.AUTO, rig));
            } catch (InterruptedException e) {
              here.completeExceptionally(e);
            }
          });
      long until = System.nanoTime() + Duration.ofSeconds(1).toNanos();
      await().until(() -> System.nanoTime() - until > 0);
      assertThat(here).isNotDone();
      metadata.comeBack();
      await().until(here::isDone);
      assertThat(here.join()).isTrue();
    }
  }

  @Test
  void any_other_machine_starts_at_once() throws Exception {
    metadata.die();
    try (Rig rig = rig()) {
      assertThat(here(WorkerSettings.Switch.AUTO, rig)).isFalse();
    }
  }

  private boolean here(WorkerSettings.Switch spot, Rig rig) throws InterruptedException {
    MachineDescription machine = new MachineDescription(place.resolve("sys"));
    return OnEc2.here(settings(spot), imds(rig), machine, rig.log());
  }

  private Rig rig() {
    return new Rig(server, place.resolve("work"), 1, TestExecutor.waiting(new CountDownLatch(1)));
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
