package dev.millrace.service.attempt;

import dev.millrace.spi.provider.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps work away from a provider that is in trouble. What is not leased waits in its queue, where
 * nothing is lost and no failure is counted. After a rest one job tries whether it is over.
 */
public final class Breaker {

  private static final int MOST_TROUBLES = 5;
  private static final Duration FIRST_REST = Duration.ofSeconds(5);
  private static final Duration LONGEST_REST = Duration.ofMinutes(5);

  private final InstantSource clock;
  private final boolean watching;
  private int troubles;
  private int rests;
  private Instant ownRestUntil = Instant.MIN;
  private Instant restUntil = Instant.MIN;
  private Instant openSince = Instant.MIN;

  /** What it lets through. */
  public enum Position {
    /** Everything. */
    CLOSED,
    /** Nothing, for a while. */
    OPEN,
    /** One job, which tries whether the provider is well again. */
    TRYING;

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * How it stands.
   *
   * @param since when work was first kept away; null while it is closed
   * @param until when one job may try; null unless it is open
   * @param troubles how many there were since something last went well
   */
  public record Standing(
      Position state, @Nullable Instant since, @Nullable Instant until, int troubles) {}

  public Breaker(InstantSource clock) {
    this(clock, true);
  }

  private Breaker(InstantSource clock, boolean watching) {
    this.clock = clock;
    this.watching = watching;
  }

  /** For a provider whose troubles say nothing about the next job. */
  public static Breaker never() {
    return new Breaker(InstantSource.system(), false);
  }

  /** How long nobody should ask the provider for anything; zero if one may. */
  public synchronized Duration rest() {
    Instant now = clock.instant();
    return now.isBefore(restUntil) ? Duration.between(now, restUntil) : Duration.ZERO;
  }

  /** How many may be tried now, of so many that could. */
  public synchronized int allowed(int most) {
    if (!rest().isZero()) {
      return 0;
    }
    return troubles >= MOST_TROUBLES ? Math.min(1, most) : most;
  }

  /** Whether the provider is kept from work, or just being tried. */
  public synchronized boolean open() {
    return troubles >= MOST_TROUBLES || !rest().isZero();
  }

  public synchronized Standing standing() {
    if (!open()) {
      return new Standing(Position.CLOSED, null, null, troubles);
    }
    return rest().isZero()
        ? new Standing(Position.TRYING, openSince, null, troubles)
        : new Standing(Position.OPEN, openSince, restUntil, troubles);
  }

  public synchronized void good() {
    troubles = 0;
    rests = 0;
    ownRestUntil = Instant.MIN;
    restUntil = Instant.MIN;
  }

  /**
   * Trouble of the provider's own. What ends while it rests began before that, together with what
   * made it rest, so it is no reason to rest for longer.
   */
  public synchronized void bad() {
    boolean wasOpen = open();
    troubles++;
    if (troubles < MOST_TROUBLES || clock.instant().isBefore(ownRestUntil)) {
      return;
    }
    ownRestUntil = rest(FIRST_REST.multipliedBy(1L << Math.min(rests, 10)), wasOpen);
    rests++;
  }

  /** What an attempt's end says about its provider. */
  public void hear(Outcome outcome) {
    if (!watching) {
      return;
    }
    switch (outcome) {
      case Outcome.Unavailable(_, var retryAfter) -> {
        bad();
        pause(retryAfter);
      }
      case Outcome.Uncertain(_, var retryAfter, boolean trouble) -> {
        if (trouble) {
          bad();
        }
        pause(retryAfter);
      }
      case Outcome.Throttled(var retryAfter) -> pause(retryAfter);
      // Whatever it thinks of this input, it has answered.
      case Outcome.Succeeded _, Outcome.Rejected _, Outcome.Failed _, Outcome.BadAnswer _ -> good();
      case Outcome.Canceled _ -> {
        // Says nothing: somebody here did not want it any more.
      }
    }
  }

  private synchronized void pause(Optional<Duration> retryAfter) {
    boolean wasOpen = open();
    retryAfter.filter(Duration::isPositive).ifPresent(wanted -> rest(wanted, wasOpen));
  }

  private Instant rest(Duration wanted, boolean wasOpen) {
    if (!wasOpen) {
      openSince = clock.instant();
    }
    Duration rest = wanted.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : wanted;
    Instant until = clock.instant().plus(rest);
    if (until.isAfter(restUntil)) {
      restUntil = until;
    }
    return until;
  }
}
