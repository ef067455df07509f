package dev.millrace.service.money;

import dev.millrace.postgres.money.WalletLimits;
import dev.millrace.service.access.Principal;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** How much one user may do, where it isn't what is usual. */
public final class UserLimits {

  private final WalletLimits limits;

  public UserLimits(WalletLimits limits) {
    this.limits = limits;
  }

  /**
   * What is to hold from now on; 0 for any number, null for what is usual.
   *
   * @param activeJobs live jobs at once
   * @param dailyJobs jobs in a UTC day
   * @param storageBytes of files
   */
  public record Limits(
      @Nullable Integer activeJobs, @Nullable Integer dailyJobs, @Nullable Long storageBytes) {}

  public WalletLimits.Standing find(Principal by, String user) {
    return limits.find(by.tenant(), user);
  }

  /** Sets all of them at once, with a line in the audit. */
  public WalletLimits.Standing set(Principal by, String user, Limits wanted) {
    String detail =
        JsonMapper.shared()
            .createObjectNode()
            .put("active_jobs", wanted.activeJobs())
            .put("daily_jobs", wanted.dailyJobs())
            .put("storage_bytes", wanted.storageBytes())
            .toString();
    return limits.set(
        wanted.activeJobs(),
        wanted.dailyJobs(),
        wanted.storageBytes(),
        by.audit("wallet.limits", user, detail));
  }
}
