package dev.millrace.service.fleet;

import dev.millrace.service.access.Secret;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Workers that register by themselves.
 *
 * @param secret null means that none can
 * @param previousSecret works too, while a new one is handed out
 * @param silence after this long without a word a worker is forgotten
 * @param tenantConcurrency how many jobs of one tenant may run at once; 0 for any number
 */
public record FleetSettings(
    @Nullable Secret secret,
    @Nullable Secret previousSecret,
    Approval approval,
    int maxWorkers,
    Duration silence,
    int tenantConcurrency,
    Asg asg) {

  /** How EC2 instances are checked that register; nulls leave it to the AWS SDK. */
  public record Asg(AsgFailure check, @Nullable String region, @Nullable URI endpoint) {}

  /** What happens while AWS gives no good answer; with {@code OFF} it is not asked. */
  public enum AsgFailure {
    OFF,
    OPEN,
    CLOSED
  }

  /** Whether an admin looks at a worker before it gets jobs. */
  public enum Approval {
    AUTOMATIC,
    MANUAL
  }
}
