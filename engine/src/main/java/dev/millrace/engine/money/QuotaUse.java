package dev.millrace.engine.money;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a user has going on. It stands in the wallet's row, which every submit and every settlement
 * locks and writes in any case, so that counting costs nothing.
 *
 * @param active jobs that are live now
 * @param day the UTC day that {@code today} counts, in days since 1970
 * @param today jobs that were accepted on that day
 * @param limits what an administrator set for this user alone
 */
public record QuotaUse(int active, long day, int today, Limits limits) {

  public static final QuotaUse NONE = new QuotaUse(0, 0, 0, Limits.UNSET);

  /**
   * How much a user may do at once and in a day.
   *
   * @param active live jobs at once; 0 for as many as they like, null for what is usual
   * @param daily jobs in a UTC day; 0 for as many as they like, null for what is usual
   */
  public record Limits(@Nullable Integer active, @Nullable Integer daily) {
    public static final Limits UNSET = new Limits(null, null);

    /** For what the system itself starts. */
    public static final Limits UNLIMITED = new Limits(0, 0);

    public Limits {
      if ((active != null && active < 0) || (daily != null && daily < 0)) {
        throw new IllegalArgumentException("a limit is never negative");
      }
    }

    /** These, and where they are silent the others. */
    Limits or(Limits usual) {
      return new Limits(
          active == null ? usual.active : active, daily == null ? usual.daily : daily);
    }
  }

  public QuotaUse {
    if (active < 0 || today < 0) {
      throw new IllegalStateException("counted below zero");
    }
  }

  public QuotaUse began() {
    return new QuotaUse(active + 1, day, today, limits);
  }

  public QuotaUse ended() {
    return new QuotaUse(active - 1, day, today, limits);
  }

  /** One more job accepted. */
  public QuotaUse accepted(Instant now) {
    return new QuotaUse(active, dayOf(now), acceptedOn(now) + 1, limits);
  }

  /** Jobs accepted on the day of this moment. */
  public int acceptedOn(Instant now) {
    return dayOf(now) == day ? today : 0;
  }

  /** The limit on live jobs that the next one would break, or 0. */
  public int brokenActiveLimit(Limits usual) {
    return broken(limits.or(usual).active, active);
  }

  /** The limit on jobs in a day that the next one would break, or 0. */
  public int brokenDailyLimit(Limits usual, Instant now) {
    return broken(limits.or(usual).daily, acceptedOn(now));
  }

  private static int broken(@Nullable Integer limit, int count) {
    return limit != null && limit > 0 && count >= limit ? limit : 0;
  }

  /** When the day of this moment is over. */
  public static Instant endOfDay(Instant now) {
    return now.truncatedTo(ChronoUnit.DAYS).plus(1, ChronoUnit.DAYS);
  }

  private static long dayOf(Instant now) {
    return Math.floorDiv(now.getEpochSecond(), 86_400L);
  }
}
