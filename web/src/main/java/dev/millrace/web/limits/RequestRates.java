package dev.millrace.web.limits;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Counts requests and says which come too fast. */
public final class RequestRates {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final Limits limits;
  private final @Nullable Buckets<UUID> keys;
  private final @Nullable Buckets<Network> networks;

  /**
   * How fast is too fast.
   *
   * @param requestsPerMinute of one key; 0 for any number
   * @param burst what a key that has been quiet may ask at once
   * @param unauthenticatedPerMinute of one client address without a good key; 0 for any number
   */
  public record Limits(int requestsPerMinute, int burst, int unauthenticatedPerMinute) {
    public static final Limits NONE = new Limits(0, 1, 0);

    public Limits {
      if (requestsPerMinute < 0 || burst < 1 || unauthenticatedPerMinute < 0) {
        throw new IllegalArgumentException("no such limits");
      }
    }
  }

  public RequestRates(Limits limits) {
    this(limits, TimeMeter.SYSTEM_NANOTIME);
  }

  RequestRates(Limits limits, TimeMeter time) {
    int strangers = limits.unauthenticatedPerMinute();
    this.limits = limits;
    this.keys =
        limits.requestsPerMinute() == 0
            ? null
            : new Buckets<>(limits.burst(), limits.requestsPerMinute(), time);
    this.networks = strangers == 0 ? null : new Buckets<>(strangers, strangers, time);
  }

  /** Counts a request of this key. */
  public Allowance take(UUID key) {
    if (keys == null) {
      return Allowance.UNLIMITED;
    }
    Bucket bucket = keys.of(key);
    ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
    long nanos =
        probe.getRemainingTokens() > 0 ? probe.getNanosToWaitForReset() : untilNext(bucket);
    return new Allowance(
        probe.isConsumed(),
        Optional.of(
            new Allowance.Fields(
                limits.requestsPerMinute(), probe.getRemainingTokens(), seconds(nanos))));
  }

  private static long untilNext(Bucket bucket) {
    return bucket.estimateAbilityToConsume(1).getNanosToWaitForRefill();
  }

  /**
   * Refuses an address that has shown too many bad keys lately. A good key is never refused for its
   * neighbours: a key is too long to be guessed at any speed, and one address may be a whole
   * company's.
   */
  public void requirePatience(String address) {
    if (networks != null) {
      long nanos = untilNext(networks.of(Network.of(address)));
      if (nanos > 0) {
        throw Allowance.refusal(seconds(nanos));
      }
    }
  }

  /**
   * Counts a request without a good key. Many that were under way at once take the bucket below
   * zero, so that they cost time as well.
   */
  public void countStranger(String address) {
    if (networks != null) {
      networks.of(Network.of(address)).consumeIgnoringRateLimits(1);
    }
  }

  /** Whole seconds, so that waiting for them is enough. */
  private static long seconds(long nanos) {
    return Math.max(1, Math.ceilDiv(nanos, SECOND));
  }
}
