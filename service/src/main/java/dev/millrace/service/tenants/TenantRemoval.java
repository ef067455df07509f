package dev.millrace.service.tenants;

import dev.millrace.contract.digest.ConstantTime;
import dev.millrace.postgres.removal.Removals;
import dev.millrace.postgres.removal.Removals.Dates;
import dev.millrace.postgres.removal.Removals.Standing;
import dev.millrace.postgres.removal.TenantContents;
import dev.millrace.postgres.removal.WholeTenant;
import dev.millrace.service.access.Principal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Decides whether a tenant may be removed, and begins it. */
public final class TenantRemoval {

  private static final int TRIES = 3;

  private final WholeTenant whole;

  public TenantRemoval(WholeTenant whole) {
    this.whole = whole;
  }

  /**
   * What is asked for.
   *
   * @param receipt what stands at the end of an export that arrived, or null
   * @param withoutExport that nobody wants one
   */
  public record Wish(@Nullable String receipt, boolean withoutExport) {}

  /** Why a tenant can't be removed now. */
  public enum Obstacle {
    /** Whoever keeps the installation would be shut out of it. */
    HAS_OPERATORS("tenant_has_operators"),
    NOT_SUSPENDED("tenant_not_suspended"),
    NO_EXPORT("export_needed"),
    /** Another one was made since, or it was begun before the suspension. */
    OTHER_EXPORT("export_outdated"),
    /** A job that was live when it was made has gone on. */
    CHANGED_SINCE("export_outdated");

    private final String code;

    Obstacle(String code) {
      this.code = code;
    }

    /** As the API names it. */
    public String code() {
      return code;
    }
  }

  /** What becomes of the wish. */
  public sealed interface Outcome {

    /** It goes on by itself from here; or it was begun before. */
    record Begun() implements Outcome {}

    record Refused(Obstacle obstacle) implements Outcome {}

    record Missing() implements Outcome {}
  }

  /** All that would go, and what is in the way, if anything is. */
  public record Plan(
      TenantContents.Use use, TenantContents.Counts counts, Optional<Obstacle> obstacle) {}

  /** Changes nothing; empty if there is no such tenant. */
  public Optional<Plan> plan(String slug, Wish wish) {
    return whole
        .removals()
        .find(slug)
        .map(tenant ->
            new Plan(
                use(tenant.id()), whole.contents().counts(tenant.id()), obstacle(tenant, wish)));
  }

  public TenantContents.Use use(int tenant) {
    return whole.contents().use(tenant);
  }

  /** From here on there is no way back. */
  public Outcome begin(Principal by, String slug, Wish wish) {
    for (int tried = 0; tried < TRIES; tried++) {
      Optional<Standing> found = whole.removals().find(slug);
      if (found.isEmpty()) {
        return new Outcome.Missing();
      }
      Standing tenant = found.get();
      if (tenant.dates().removingAt() != null) {
        return new Outcome.Begun();
      }
      Optional<Obstacle> obstacle = obstacle(tenant, wish);
      if (obstacle.isPresent()) {
        return new Outcome.Refused(obstacle.get());
      }
      if (begun(by, slug, tenant, wish)) {
        return new Outcome.Begun();
      }
    }
    return new Outcome.Refused(Obstacle.CHANGED_SINCE);
  }

  private boolean begun(Principal by, String slug, Standing tenant, Wish wish) {
    Removals removals = whole.removals();
    TenantContents.Use use = use(tenant.id());
    String detail =
        JsonMapper.shared()
            .createObjectNode()
            .put("exported", wish.receipt() != null)
            .put("users", use.users())
            .put("balance", use.balance())
            .put("live_jobs", use.liveJobs())
            .toString();
    return removals.begin(
        tenant.id(),
        wish.receipt() == null ? null : tenant.exportHash(),
        by.installationAudit("tenant.remove", slug, detail));
  }

  private Optional<Obstacle> obstacle(Standing tenant, Wish wish) {
    if (tenant.hasOperators()) {
      return Optional.of(Obstacle.HAS_OPERATORS);
    }
    Dates dates = tenant.dates();
    if (dates.suspendedAt() == null) {
      return Optional.of(Obstacle.NOT_SUSPENDED);
    }
    if (wish.receipt() == null) {
      return wish.withoutExport() ? Optional.empty() : Optional.of(Obstacle.NO_EXPORT);
    }
    if (dates.exportedAt() == null
        || tenant.exportHash() == null
        || dates.exportedAt().isBefore(dates.suspendedAt())
        || !ConstantTime.equal(tenant.exportHash(), TenantExport.hash(wish.receipt()))) {
      return Optional.of(Obstacle.OTHER_EXPORT);
    }
    return whole.removals().standingOfJobs(tenant.id()).equals(tenant.exportStanding())
        ? Optional.empty()
        : Optional.of(Obstacle.CHANGED_SINCE);
  }
}
