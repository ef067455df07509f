package dev.millrace.web.console.studio;

import dev.millrace.service.files.StorageQuota;
import dev.millrace.web.console.frame.Visit;
import dev.millrace.web.console.frame.Words;

/**
 * How much a visitor has stored and may store, as the studio and the library show it.
 *
 * @param own of the user
 * @param tenantFull whether the users of the tenant together have no room left
 */
public record StorageRoom(StorageQuota.Level own, boolean tenantFull) {

  static StorageRoom of(StorageQuota quota, Visit visit) {
    return new StorageRoom(
        quota.ofUser(visit.tenant(), visit.user()), quota.tenantFull(visit.tenant()).isPresent());
  }

  /** Whether there is anything to show. */
  public boolean limited() {
    return own.limit() > 0 || tenantFull;
  }

  public boolean full() {
    return own.full() || tenantFull;
  }

  /** In a hundred, for the bar, which ends there. */
  public long percent() {
    return own.full() ? 100 : (long) (100.0 * own.used() / Math.max(1, own.limit()));
  }

  public String text() {
    return own.limit() > 0
        ? "%s of %s stored".formatted(Words.bytes(own.used()), Words.bytes(own.limit()))
        : Words.bytes(own.used()) + " stored";
  }

  public String complaint() {
    return own.full()
        ? "There is no room left, so nothing more can be made or uploaded. Delete files or jobs, or"
            + " ask an admin for a higher limit."
        : "The users of this tenant together have no room left, so nothing more can be made or"
            + " uploaded. Delete files or jobs, or ask who runs this server for a higher limit.";
  }
}
