package dev.millrace.web.limits;

import dev.millrace.postgres.tenants.TenantView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Role;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** Counts requests and says which come too fast. */
public final class RequestRates {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final Plan usual;
  private final Buckets<UUID> credentials;
  private final Buckets<Integer> tenants;
  private final Buckets<Network> networks;
  private final int strangersPerMinute;

  /**
   * How fast is too fast.
   *
   * @param requestsPerMinute of one key; 0 for any number
   * @param burst what a key that has been quiet may ask at once
   * @param tenantRequestsPerMinute of all keys and tokens of a tenant together; 0 for any number
   * @param unauthenticatedPerMinute of one client address without a good key; 0 for any number
   */
  public record Limits(
      int requestsPerMinute, int burst, int tenantRequestsPerMinute, int unauthenticatedPerMinute) {
    public static final Limits NONE = new Limits(0, 1, 0, 0);

    public Limits {
      if (requestsPerMinute < 0
          || burst < 1
          || tenantRequestsPerMinute < 0
          || unauthenticatedPerMinute < 0) {
        throw new IllegalArgumentException("no such limits");
      }
    }
  }

  /** What counts for the keys and tokens of one tenant; 0 for any number of requests. */
  record Plan(int perMinute, int burst, int tenantPerMinute) {

    private static Plan of(TenantView.Limits own, Plan usual) {
      return new Plan(
          Objects.requireNonNullElse(own.requestsPerMinute(), usual.perMinute),
          Objects.requireNonNullElse(own.burst(), usual.burst),
          Objects.requireNonNullElse(own.tenantRequestsPerMinute(), usual.tenantPerMinute));
    }
  }

  public RequestRates(Limits limits) {
    this(limits, TimeMeter.SYSTEM_NANOTIME);
  }

  RequestRates(Limits limits, TimeMeter time) {
    this.usual = new Plan(limits.requestsPerMinute, limits.burst, limits.tenantRequestsPerMinute);
    this.credentials = new Buckets<>(time);
    this.tenants = new Buckets<>(time);
    this.networks = new Buckets<>(time);
    this.strangersPerMinute = limits.unauthenticatedPerMinute;
  }

  /**
   * Counts a request. It is granted if both the key or token and its tenant have something left,
   * and takes from neither if one of them has not. Who runs the installation is not held up by what
   * was set for a tenant, and takes nothing from it.
   */
  public Allowance take(Principal principal) {
    UUID credential = principal.credential().id();
    return principal.role() == Role.OPERATOR
        ? take(credential, principal.tenant(), new Plan(usual.perMinute, usual.burst, 0))
        : take(credential, principal.tenant(), Plan.of(principal.home().limits(), usual));
  }

  Allowance take(UUID credential, int tenant, Plan plan) {
    if (plan.perMinute == 0) {
      return ofTenant(tenant, plan);
    }
    Bucket own = credentials.of(credential, new Buckets.Rate(plan.burst, plan.perMinute));
    Allowance alone = take(own, "default", plan.perMinute);
    if (!alone.granted()) {
      return alone;
    }
    Allowance together = ofTenant(tenant, plan);
    if (!together.granted()) {
      own.addTokens(1);
    }
    return together.stricterThan(alone) ? together : alone;
  }

  /** A tenant that has been quiet has a minute's worth. */
  private Allowance ofTenant(int tenant, Plan plan) {
    int perMinute = plan.tenantPerMinute;
    return perMinute == 0
        ? Allowance.UNLIMITED
        : take(tenants.of(tenant, new Buckets.Rate(perMinute, perMinute)), "tenant", perMinute);
  }

  private static Allowance take(Bucket bucket, String policy, long perMinute) {
    ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
    long nanos =
        probe.getRemainingTokens() > 0 ? probe.getNanosToWaitForReset() : untilNext(bucket);
    return new Allowance(
        probe.isConsumed(),
        Optional.of(
            new Allowance.Fields(policy, perMinute, probe.getRemainingTokens(), seconds(nanos))));
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
    if (strangersPerMinute > 0) {
      long nanos = untilNext(bucket(address));
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
    if (strangersPerMinute > 0) {
      bucket(address).consumeIgnoringRateLimits(1);
    }
  }

  private Bucket bucket(String address) {
    return networks.of(
        Network.of(address), new Buckets.Rate(strangersPerMinute, strangersPerMinute));
  }

  /** Whole seconds, so that waiting for them is enough. */
  private static long seconds(long nanos) {
    return Math.max(1, Math.ceilDiv(nanos, SECOND));
  }
}
