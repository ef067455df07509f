package dev.millrace.worker;

import dev.millrace.worker.aws.Imds;
import dev.millrace.worker.aws.MachineDescription;
import dev.millrace.worker.aws.Protection;
import dev.millrace.worker.aws.ScaleIn;
import dev.millrace.worker.aws.SpotWatch;
import dev.millrace.worker.log.WorkerLog;
import dev.millrace.worker.run.Why;
import dev.millrace.worker.run.Worker;
import dev.millrace.worker.settings.WorkerSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** What a worker on EC2 has beside its work; nothing elsewhere. */
final class OnEc2 implements AutoCloseable {

  private static final Duration SETTLE = Duration.ofSeconds(5);

  /** How long a machine may take to have its metadata service, if the settings say that it will. */
  static final Duration SLOW_BOOT = Duration.ofMinutes(2);

  /** How long it is looked for where nobody said so. */
  private static final Duration PERHAPS = Duration.ofMinutes(5);

  private final WorkerSettings.Aws settings;
  private final Imds imds;
  private final boolean ec2;
  private final Optional<Protection> protection;
  private final WorkerLog log;
  private Optional<SpotWatch> watch = Optional.empty();

  private OnEc2(
      WorkerSettings.Aws settings,
      Imds imds,
      boolean ec2,
      Optional<Protection> protection,
      WorkerLog log) {
    this.settings = settings;
    this.imds = imds;
    this.ec2 = ec2;
    this.protection = protection;
    this.log = log;
  }

  /**
   * Whether this is EC2. The start is held up for long only if a setting or the machine's own
   * description says so: the name of the worker depends on the answer, and is never asked again.
   */
  static boolean here(
      WorkerSettings.Aws settings, Imds imds, MachineDescription machine, WorkerLog log)
      throws InterruptedException {
    if (settings.spot() == WorkerSettings.Switch.OFF) {
      return false;
    }
    boolean said =
        settings.spot() == WorkerSettings.Switch.ON
            || settings.scaleInProtection()
            || machine.isEc2();
    boolean here = imds.present(said ? SLOW_BOOT : Duration.ZERO);
    if (!here && said) {
      log.warn("ec2.no_metadata_yet");
    }
    return here;
  }

  /**
   * Finds out what there is to do.
   *
   * @throws IllegalArgumentException if the settings want what can't be had
   */
  static OnEc2 of(WorkerSettings.Aws settings, Imds imds, boolean ec2, WorkerLog log)
      throws InterruptedException {
    if (!settings.scaleInProtection()) {
      return new OnEc2(settings, imds, ec2, Optional.empty(), log);
    }
    try {
      String instance = imds.get("meta-data/instance-id", SLOW_BOOT).orElseThrow();
      String region =
          settings.region().isPresent()
              ? settings.region().get()
              : imds.get("meta-data/placement/region", SLOW_BOOT).orElseThrow();
      ScaleIn group = ScaleIn.of(instance, settings.group(), region);
      return new OnEc2(settings, imds, ec2, Optional.of(new Protection(group, SETTLE, log)), log);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "SCALE_IN_PROTECTION is on, but the metadata service can't be asked", e);
    }
  }

  void running(int count) {
    protection.ifPresent(it -> it.running(count));
  }

  /**
   * From now on a notice ends the worker at once. A metadata service that hasn't answered yet may
   * only be late, so it is looked for all the same.
   */
  void watch(Worker worker) {
    if (settings.spot() == WorkerSettings.Switch.OFF) {
      return;
    }
    boolean sure = ec2 || settings.spot() == WorkerSettings.Switch.ON;
    watch =
        Optional.of(
            new SpotWatch(
                imds,
                settings.spotPoll(),
                sure ? Optional.empty() : Optional.of(PERHAPS),
                new SpotWatch.Listener() {
                  @Override
                  public void interrupted() {
                    worker.drain(Why.SPOT, Duration.ZERO);
                  }

                  @Override
                  public void rebalance() {
                    if (settings.requeueOnRebalance()) {
                      worker.drain(Why.REBALANCE, Duration.ZERO);
                    }
                  }
                },
                log));
  }

  @Override
  public void close() {
    watch.ifPresent(SpotWatch::close);
    protection.ifPresent(Protection::close);
  }
}
