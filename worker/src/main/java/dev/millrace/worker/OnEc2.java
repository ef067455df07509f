package dev.millrace.worker;

import dev.millrace.worker.aws.Imds;
import dev.millrace.worker.aws.Protection;
import dev.millrace.worker.aws.ScaleIn;
import dev.millrace.worker.aws.SpotWatch;
import dev.millrace.worker.log.EventLog;
import dev.millrace.worker.run.Why;
import dev.millrace.worker.run.Worker;
import dev.millrace.worker.settings.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** What a worker on EC2 has beside its work; nothing elsewhere. */
final class OnEc2 implements AutoCloseable {

  private static final Duration SETTLE = Duration.ofSeconds(5);

  private final Settings.Aws settings;
  private final Optional<Imds> spot;
  private final Optional<Protection> protection;
  private final EventLog log;
  private Optional<SpotWatch> watch = Optional.empty();

  private OnEc2(
      Settings.Aws settings, Optional<Imds> spot, Optional<Protection> protection, EventLog log) {
    this.settings = settings;
    this.spot = spot;
    this.protection = protection;
    this.log = log;
  }

  /**
   * Finds out what there is to do.
   *
   * @throws IllegalArgumentException if the settings want what can't be had
   */
  static OnEc2 of(Settings.Aws settings, Imds imds, boolean ec2, EventLog log)
      throws InterruptedException {
    if (settings.spot() == Settings.Switch.ON && !ec2) {
      throw new IllegalArgumentException("SPOT is on, but there is no metadata service");
    }
    Optional<Imds> spot = ec2 ? Optional.of(imds) : Optional.empty();
    if (!settings.scaleInProtection()) {
      return new OnEc2(settings, spot, Optional.empty(), log);
    }
    try {
      String instance = imds.get("meta-data/instance-id").orElseThrow();
      String region =
          settings.region().isPresent()
              ? settings.region().get()
              : imds.get("meta-data/placement/region").orElseThrow();
      ScaleIn group = ScaleIn.of(instance, settings.group(), region);
      return new OnEc2(settings, spot, Optional.of(new Protection(group, SETTLE, log)), log);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "SCALE_IN_PROTECTION is on, but the metadata service can't be asked", e);
    }
  }

  void running(int count) {
    protection.ifPresent(it -> it.running(count));
  }

  /** From now on a notice ends the worker at once. */
  void watch(Worker worker) {
    watch =
        spot.map(imds ->
            new SpotWatch(
                imds,
                settings.spotPoll(),
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
