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
 * @param stored bytes of the user's files; the store counts them, and what is here is only read
 * @param limits what an administrator set for this user alone
 */
public record QuotaUse(int active, long day, int today, long stored, Limits limits) {

  public static final QuotaUse NONE = new QuotaUse(0, 0, 0, Limits.UNSET);

  /** Of a user who has stored nothing. */
  public QuotaUse(int active, long day, int today, Limits limits) {
    this(active, day, today, 0, limits);
  }

  /**
   * How much a user may do at once and in a day, and store.
   *
   * @param active live jobs at once; 0 for as many as they like, null for what is usual
   * @param daily jobs in a UTC day; 0 for as many as they like, null for what is usual
   * @param storage bytes; with so many the next job is refused. 0 and null as above
   */
  public record Limits(@Nullable Integer active, @Nullable Integer daily, @Nullable Long storage) {
    public static final Limits UNSET = new Limits(null, null, null);

    /** For what the system itself starts. */
    public static final Limits UNLIMITED = new Limits(0, 0, 0L);

    public Limits {
      if ((active != null && active < 0)
          || (daily != null && daily < 0)
          || (storage != null && storage < 0)) {
        throw new IllegalArgumentException("a limit is never negative");
      }
    }

    /** Where nothing is said about storage. */
    public Limits(@Nullable Integer active, @Nullable Integer daily) {
      this(active, daily, null);
    }

    /** These, and where they are silent the others. */
    Limits or(Limits usual) {
      return new Limits(
          active == null ? usual.active : active,
          daily == null ? usual.daily : daily,
          storage == null ? usual.storage : storage);
    }
  }

  public QuotaUse {
    if (active < 0 || today < 0) {
      throw new IllegalStateException("counted below zero");
    }
  }

  public QuotaUse began() {
    return new QuotaUse(active + 1, day, today, stored, limits);
  }

  public QuotaUse ended() {
    return new QuotaUse(active - 1, day, today, stored, limits);
  }

  /** One more job accepted. */
  public QuotaUse accepted(Instant now) {
    return new QuotaUse(active, dayOf(now), acceptedOn(now) + 1, stored, limits);
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

  /** The limit on stored bytes that leaves no room for another result, or 0. */
  public long brokenStorageLimit(Limits usual) {
    Long limit = limits.or(usual).storage;
    return limit != null && limit > 0 && stored >= limit ? limit : 0;
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
